import { expect, test } from 'vitest';
import { addressText } from '#words/address.ts';
import { problemOfAddress } from './rules.ts';

test.each([
  ['https://hooks.example/portico?key=1', true, true],
  ['http://127.0.0.1:8080/hook', false, true],
  ['https://localhost/hook', false, true],
  ['http://[::1]/', false, true],
  ['http://127.0.0.1.hooks.example/', false, false],
  ['https://10.0.0.1/', false, false],
  ['https://metadata.internal/', false, false],
  ['https://metadata.INTERNAL/', false, false],
  ['https://hooks.example./', false, false],
  ['https://0x7f.1/', false, false],
  ['https://2130706433/', false, false],
  ['https://[::ffff:127.0.0.1]/', false, false],
  ['https://user@hooks.example/', false, false],
  ['https://hooks.example\\@10.0.0.1/', false, false],
  ['https://ⓛocal.example/', false, false],
  ['https://hooks.example/\r\nx: y', false, false],
  ['http+unix://%2Frun%2Fx.sock/', false, false],
])('%s serves in production: %s, elsewhere: %s', (url, inProduction, elsewhere) => {
  const answerOf = (serves: boolean) => (serves ? undefined : addressText.publicAddress);
  expect(problemOfAddress(url, true)).toBe(answerOf(inProduction));
  expect(problemOfAddress(url, false)).toBe(answerOf(elsewhere));
});
