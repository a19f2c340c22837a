import { expect, test } from 'vitest';
import { readUserAgent } from './user-agent.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';
const unknown = { browser: 'Unknown', system: 'Unknown', device: 'Unknown' };

test('gives common names', () => {
  expect(readUserAgent(chrome)).toEqual({ browser: 'Chrome', system: 'Linux', device: 'Desktop' });
  expect(readUserAgent(iphone)).toEqual({ browser: 'Safari', system: 'iOS', device: 'iPhone' });
});

test.for([
  '',
  'curl/8.5.0',
  'Your account is at risk, call +1 555 0100 or open https://evil.example/x (y)',
  '<img src=x onerror=alert(1)>/1.0 (x)',
  '{{digest}}/1 (a)',
  'x'.repeat(512),
])("never repeats a client's own text: %j (C10)", (userAgent) => {
  expect(readUserAgent(userAgent)).toEqual(unknown);
});

test('gives common names after thousands of other user agents', () => {
  for (let nth = 0; nth < 2500; nth += 1) expect(readUserAgent(`made up ${nth}`)).toEqual(unknown);
  expect([readUserAgent(chrome).browser, readUserAgent(iphone).browser]).toEqual(['Chrome', 'Safari']);
});
