import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { JSON_BODY_MAX_BYTES } from '#contract/limits.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

const head = (more: string) =>
  `POST /api/signin HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

/** The status of an answer, which may arrive before all of `text` is sent. */
const statusOf = (text: string) =>
  new Promise<number>((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1.1 (\d{3})/.exec(answer.toString())?.[1]));
    });
  });

const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
test.for([
  {
    what: 'a body with a declared length of a gigabyte',
    text: () => head('Content-Length: 1000000000'),
    status: 413,
  },
  { what: 'a length of thirty digits', text: () => head(`Content-Length: ${'9'.repeat(30)}`), status: 400 },
  { what: 'a negative length', text: () => head('Content-Length: -1'), status: 400 },
  {
    what: 'chunks without end',
    text: () => head('Transfer-Encoding: chunked') + chunk.repeat(3),
    status: 413,
  },
  { what: 'one header of a megabyte', text: () => head(`A: ${'x'.repeat(1_000_000)}`), status: 431 },
  {
    what: 'thousands of headers',
    text: () => head(Array.from({ length: 5000 }, (_, at) => `H${at}: x`).join('\r\n')),
    status: 431,
  },
  { what: 'an address of a megabyte', text: () => `GET /${'x'.repeat(1_000_000)}`, status: 431 },
  { what: 'a method of a megabyte', text: () => 'G'.repeat(1_000_000), status: 400 },
])('$what gets $status before all of it has arrived (M3)', async ({ text, status }) => {
  expect(await statusOf(text())).toBe(status);
});

const filled = (unit: string) => unit.repeat(Math.floor((JSON_BODY_MAX_BYTES - 20) / unit.length));
const keys = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',');
const costlyBodies: Record<string, string> = {
  'one text without an end, full of quotes': `{"a":"${filled('\\"')}`,
  'quotes and backslashes': filled('"\\'),
  quotes: filled('"'),
  backslashes: `{"a":"${filled('\\\\')}"}`,
  'opening brackets': filled('['),
  'brackets that open and close': `[${filled('[],')}0]`,
  'thousands of keys': `{${keys(5000)}}`,
  'one key thousands of times': `{${filled('"email_id":"",')}"password":""}`,
  'keys that look like a prototype': `{${filled('"__proto_":1,')}"a":1}`,
  'escapes of letters': `{"email_id":"${filled('\\u0061')}"}`,
  'surrogate pairs': `{"email_id":"${filled('\\ud83d\\ude00')}"}`,
  'a number without an end': `{"password":${filled('9')}}`,
  'blanks around nothing': `{${filled(' ')}}`,
  'an address of dashes': `{"email_id":"a@${filled('a-')}!"}`,
  'an address of dots': `{"email_id":"${filled('a.')}@"}`,
  'letters that grow when normalized': `{"email_id":"a@b.example","password":"${filled('ﷺ').slice(0, 20_000)}"}`,
};

/**
 * CPU time of this process, the client's share included. The best of five, so that a busy machine does not
 * look like expensive work.
 */
async function cheapestMs(run: () => Promise<unknown>): Promise<number> {
  const once = async () => {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const all = [];
  for (let round = 0; round < 5; round += 1) all.push(await once());
  return Math.min(...all);
}

test.for(Object.entries(costlyBodies))('%s: refused cheaply (M3)', async ([, body]) => {
  const headers = { 'content-type': 'application/json' };
  const ask = () => raw(app.url, 'POST', '/api/signin', { headers, body });
  expect(['malformed_request', 'invalid_input']).toContain(codeIn(await ask()));
  expect(await cheapestMs(ask)).toBeLessThan(100);
});

test('a query of thousands of names is refused cheaply (M3)', async () => {
  const query = Array.from({ length: 2000 }, (_, at) => `${at}=`).join('&');
  const ask = () => raw(app.url, 'GET', `/api/auth?${query}`);
  expect(codeIn(await ask())).toBe('invalid_input');
  expect(await cheapestMs(ask)).toBeLessThan(100);
});

test.each([
  ['a call that takes no body', 'GET /api/ustat', '', 200],
  ['a beacon', 'POST /api/activesession', 'Content-Type: text/plain\r\n', 401],
  ['a page that is not there', 'POST /nowhere', 'Content-Type: text/plain\r\n', 413],
  ['a report', 'POST /cspreport', 'Content-Type: application/csp-report\r\n', 413],
  ['an application', 'POST /oidc/token', 'Content-Type: application/x-www-form-urlencoded\r\n', 413],
  ['a GET of an application', 'GET /oidc/userinfo', '', 401],
  ['another host', 'POST http://evil.example/api/signin', '', 421],
])('an endless body to %s is answered (M3)', async (_what, line, more, status) => {
  const start = `${line} HTTP/1.1\r\nHost: ${new URL(app.url).host}\r\n${more}Transfer-Encoding: chunked\r\n\r\n`;
  expect(await statusOf(start + chunk.repeat(3))).toBe(status);
});

test('other requests are answered while giants arrive (M3)', async () => {
  const headers = { 'content-type': 'application/json' };
  const bodies = [...Object.values(costlyBodies), ...Object.values(costlyBodies)];
  const giants = bodies.map((body) => raw(app.url, 'POST', '/api/signin', { headers, body }));
  expect((await raw(app.url, 'GET', '/healthz')).status).toBe(200);
  const statuses = (await Promise.all(giants)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([400, 422]));
});
