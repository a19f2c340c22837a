import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { JSON_BODY_MAX_BYTES } from '#contract/limits.ts';
import { company } from '#server/testing/company.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
/** Stands for the portal's host, which is known when a test runs. */
const HOST = 'portal.host';

const host = `Host: ${HOST}\r\n`;
const post = `POST /api/signin HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
const get = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n${headers}\r\n`;
/** The request that a server would see if it read the length differently. */
const SMUGGLED = '/api/smuggled';
const smuggledRequest = get(SMUGGLED);
const hidden = `0\r\n\r\n${smuggledRequest}`;

const COMPRESSED = gzipSync('{}').toString('latin1');

/** The bytes in Latin-1, and the allowed statuses of the only answer; 0 is no answer. */
type Shapes = Readonly<Record<string, readonly [bytes: string, ...statuses: number[]]>>;

/** Requests that two chained servers could interpret differently. */
const ambiguous: Shapes = {
  'a length and chunks': [`${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${hidden}`, 400],
  'two lengths': [`${post}Content-Length: 2\r\nContent-Length: 99\r\n\r\n{}${smuggledRequest}`, 400],
  'a list of lengths': [`${post}Content-Length: 2, 99\r\n\r\n{}${smuggledRequest}`, 400],
  'a head of line feeds alone': [get('/api/ustat').replaceAll('\r', ''), 400],
  'a carriage return in a header': [get('/api/ustat', 'A: b\rC: d\r\n'), 400],
  'a NUL in a header': [get('/api/ustat', 'A: b\0c\r\n'), 400],
  'no Host': ['GET /api/ustat HTTP/1.1\r\n\r\n', 400],
  'two Hosts': [get('/api/ustat', 'Host: evil.example\r\n'), 421],
  'the same Host twice': [get('/api/ustat', host), 421],
  'two types': [`${post.replace('application/json', 'text/plain')}${post.split('\r\n')[2]}\r\n\r\n`, 415],
  'two origins': [
    `${post}Origin: https://${HOST}\r\nOrigin: https://evil.example\r\nContent-Length: 2\r\n\r\n{}`,
    403,
  ],
  'another host in the first line': [get('http://evil.example/api/ustat'), 421],
};

/** Methods, targets, protocols and codings that nothing here supports. */
const foreign: Shapes = {
  'HTTP/1.0': [get('/api/ustat').replace('1.1', '1.0'), 200],
  'HTTP/2 without being asked': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'a greeting of TLS': ['\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03', 400],
  TRACE: [`TRACE /api/ustat HTTP/1.1\r\n${host}\r\n`, 404],
  CONNECT: [`CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 0],
  OPTIONS: [`OPTIONS /api/signin HTTP/1.1\r\n${host}Origin: https://evil.example\r\n\r\n`, 404],
  'OPTIONS *': [`OPTIONS * HTTP/1.1\r\n${host}\r\n`, 421],
  'HEAD of a call': [`HEAD /api/ustat HTTP/1.1\r\n${host}\r\n`, 200],
  PROPFIND: [`PROPFIND /api/ustat HTTP/1.1\r\n${host}\r\n`, 404],
  PATCH: [`PATCH /api/user HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, 404],
  'a method in a header': [
    `${post.replace('signin', 'ustat')}X-HTTP-Method-Override: GET\r\nContent-Length: 2\r\n\r\n{}`,
    404,
  ],
  'a WebSocket': [get('/api/ustat', 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'), 200],
  'HTTP/2 by an upgrade': [get('/api/ustat', 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n'), 200],
  'a compressed body': [
    `${post}Content-Encoding: gzip\r\nContent-Length: ${COMPRESSED.length}\r\n\r\n${COMPRESSED}`,
    400,
  ],
  'a wish nobody knows': [`${post}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417],
  'an escaped NUL in the path': [get('/api/ustat%00'), 400, 403, 404],
  'an escaped NUL in a file’s path': [get('/assets/%00.js'), 400, 403, 404],
  'the way up': [get('/assets/../../../../etc/passwd'), 400, 403, 404],
  'the way up, escaped': [get('/assets/%2e%2e/%2e%2e/package.json'), 400, 403, 404],
  'the way up, with escaped slashes': [get('/assets/..%2f..%2fpackage.json'), 400, 403, 404],
  'two slashes': [get('/api//ustat'), 404],
  capitals: [get('/API/USTAT'), 200, 404],
  'a slash too many': [get('/api/ustat/'), 404],
  'a parameter of the path': [get('/api/ustat;x=1'), 404],
  'half an escape': [get('/api/%f'), 400],
};

/** All that the portal says until it hangs up. */
async function answerTo(bytes: string) {
  const { host: ownHost, port } = new URL(app.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  socket.end(bytes.replaceAll(HOST, ownHost), 'latin1');
  return text(socket);
}
const statusesIn = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

test.for(Object.entries({ ...ambiguous, ...foreign }))(
  '%s: refused or ignored, and nothing hidden is served (M5, M6)',
  async ([, [bytes, ...statuses]]) => {
    const answer = await answerTo(bytes);
    const [status = 0, ...more] = statusesIn(answer);
    expect(statuses).toContain(status);
    expect(more).toEqual([]);
    expect(answer).not.toMatch(/root:x|"private": true/);
    expect(app.logLines.join()).not.toContain(SMUGGLED);
  },
);

/** Texts with a meaning for an interpreter. */
const injections = [
  "' or '1'='1",
  "'; drop table users; --",
  '1; select pg_sleep(20)',
  '") or 1=1 --',
  '%27%20or%201=1',
  '{"$gt":""}',
  '$(sleep 20)',
  '`sleep 20`',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '*)(uid=*))(|(uid=*',
  '../../../../etc/passwd',
  'x\r\nBcc: all@northwind.example',
  '\\',
  '\u0000',
  '%',
  '_%_%_%',
];
/** Details of an interpreter that an error must not reveal. */
const tellsTooMuch = /syntax|select |relation "|pg_|\bat .*\.ts:|node_modules|stack|ENOENT|root:x/i;

test('text for an interpreter stays text, and errors name no interpreter (M7)', async () => {
  const org = await company(app);
  const { visitor, email } = await org.join('superAdmin');
  const roles = async () =>
    responseOf<{ name: string }[]>(await visitor.get(`/api/role?org_id=${org.orgId}`)).map(
      ({ name }) => name,
    );
  const before = await roles();
  const added: string[] = [];
  for (const injected of injections) {
    const query = encodeURIComponent(injected);
    const search = await visitor.get(`/api/orgusers?org_id=${org.orgId}&search=${query}`);
    const { members = [] } = (search.body.response ?? {}) as { members?: object[] };
    expect(members).toEqual([]);
    const role = await visitor.post('/api/role', { org_id: org.orgId, role_name: injected });
    if (role.status === 200) added.push(injected);
    const refused = [
      await visitor.get(`/api/orgusers?org_id=${query}`),
      await visitor.get(`/api/auditlogs?org_id=${org.orgId}&after=${query}`),
      await visitor.get(`/drive/profile?file_id=${query}`),
      await app.visitor().post('/api/signin', { email_id: email, password: injected, timezone: 'UTC' }),
    ];
    for (const { status, body } of [search, role, ...refused]) {
      expect(status).toBeLessThan(500);
      expect(body.error?.details ?? '').not.toMatch(tellsTooMuch);
    }
    for (const { status } of refused) expect(status).not.toBe(200);
  }
  expect((await roles()).toSorted()).toEqual([...before, ...added].toSorted());
  expect(added).not.toEqual([]);
});

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
  backslashes: `{"a":"${filled('\\\\')}"}`,
  'opening brackets': filled('['),
  'brackets that open and close': `[${filled('[],')}0]`,
  'thousands of keys': `{${keys(5000)}}`,
  'one key thousands of times': `{${filled('"email_id":"",')}"password":""}`,
  'surrogate pairs': `{"email_id":"${filled('\\ud83d\\ude00')}"}`,
  'a number without an end': `{"password":${filled('9')}}`,
  'an address of dashes': `{"email_id":"a@${filled('a-')}!"}`,
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
