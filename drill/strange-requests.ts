import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { measureLeftovers } from './invariants.ts';
import { atEachSite, type Site } from './site.ts';
import type { Scenario } from './scenario.ts';
import { HOST, replyTo, statusesIn, strangersNetwork } from './single.ts';
import type { WireRequest } from './wire.ts';

const host = `Host: ${HOST}\r\n`;
const post = `POST /api/signin HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`;
/** The request that a server would see if it read the length differently. */
const SMUGGLED = '/api/smuggled';
const smuggledRequest = get(SMUGGLED);
const hidden = `0\r\n\r\n${smuggledRequest}`;

/** The bytes, and the allowed statuses of the first answer; 0 is no answer. */
type Shapes = Readonly<Record<string, readonly [bytes: string | Buffer, ...statuses: number[]]>>;

/** Requests that two chained servers could interpret differently. */
const ambiguous: Shapes = {
  'a length and chunks': [`${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${hidden}`, 400],
  'chunks and a length': [`${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${hidden}`, 400],
  'two lengths': [`${post}Content-Length: 2\r\nContent-Length: 99\r\n\r\n{}${smuggledRequest}`, 400],
  'a list of lengths': [`${post}Content-Length: 2, 99\r\n\r\n{}${smuggledRequest}`, 400],
  'a length with a sign': [`${post}Content-Length: +2\r\n\r\n{}${smuggledRequest}`, 400],
  'a length in hexadecimals': [`${post}Content-Length: 0x2\r\n\r\n{}${smuggledRequest}`, 400],
  'a length with a blank before its colon': [`${post}Content-Length : 2\r\n\r\n{}${smuggledRequest}`, 400],
  'an unknown coding': [`${post}Transfer-Encoding: xchunked\r\n\r\n${hidden}`, 400],
  'chunks within another coding': [`${post}Transfer-Encoding: chunked, identity\r\n\r\n${hidden}`, 400],
  'two codings': [`${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${hidden}`, 400],
  'a coding with a blank before its colon': [`${post}Transfer-Encoding : chunked\r\n\r\n${hidden}`, 400],
  'a coding on the next line': [`${post}Transfer-Encoding:\r\n chunked\r\n\r\n${hidden}`, 400],
  'a chunk with a sign': [`${post}Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n${hidden}`, 400],
  'a chunk in C’s hexadecimals': [`${post}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n${hidden}`, 400],
  'chunks ended by a line feed alone': [
    `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n${smuggledRequest}`,
    400,
  ],
  'a head of line feeds alone': [get('/api/ustat').replaceAll('\r', ''), 400],
  'a carriage return in a header': [get('/api/ustat', 'A: b\rC: d\r\n'), 400],
  'a header on two lines': [get('/api/ustat', 'A: b\r\n c\r\n'), 200, 400],
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
  'requests sent ahead of their answers': [get('/api/ustat').repeat(2000) + smuggledRequest, 0],
};

/** Methods, targets, protocols and codings that nothing here supports. */
const foreign: Shapes = {
  'HTTP/1.0': [get('/api/ustat').replace('1.1', '1.0'), 200],
  'HTTP/2 without being asked': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'HTTP/9.9': [get('/api/ustat').replace('1.1', '9.9'), 400],
  'a greeting of TLS': [Buffer.from('16030100c8010000c40303', 'hex'), 400],
  'words of another protocol': ['EHLO evil.example\r\n', 400],
  TRACE: [`TRACE /api/ustat HTTP/1.1\r\n${host}\r\n`, 405],
  CONNECT: [`CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 0],
  OPTIONS: [`OPTIONS /api/signin HTTP/1.1\r\n${host}Origin: https://evil.example\r\n\r\n`, 405],
  'OPTIONS *': [`OPTIONS * HTTP/1.1\r\n${host}\r\n`, 421],
  'HEAD of a call': [`HEAD /api/ustat HTTP/1.1\r\n${host}\r\n`, 200],
  PROPFIND: [`PROPFIND /api/ustat HTTP/1.1\r\n${host}\r\n`, 404],
  PATCH: [`PATCH /api/user HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, 405],
  'a method nobody knows': [`BREW /api/ustat HTTP/1.1\r\n${host}\r\n`, 400],
  'a method in small letters': [`get /api/ustat HTTP/1.1\r\n${host}\r\n`, 400],
  'a method in a header': [
    `${post.replace('signin', 'ustat')}X-HTTP-Method-Override: GET\r\nContent-Length: 2\r\n\r\n{}`,
    405,
  ],
  'a WebSocket': [get('/api/ustat', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
  'HTTP/2 by an upgrade': [get('/api/ustat', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 200],
  'a compressed body': [
    Buffer.concat([
      Buffer.from(`${post}Content-Encoding: gzip\r\nContent-Length: ${gzipSync('{}').length}\r\n\r\n`),
      gzipSync('{}'),
    ]),
    400,
  ],
  'a wish nobody knows': [`${post}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417],
  'a NUL in the path': [get('/api/us\0tat'), 400],
  'an escaped NUL in the path': [get('/api/ustat%00'), 400, 403, 404],
  'an escaped NUL in a file’s path': [get('/assets/%00.js'), 400, 403, 404],
  'the way up': [get('/assets/../../../../etc/passwd'), 400, 403, 404],
  'the way up, escaped': [get('/assets/%2e%2e/%2e%2e/package.json'), 400, 403, 404],
  'the way up, with escaped slashes': [get('/assets/..%2f..%2fpackage.json'), 400, 403, 404],
  'the way up, with backslashes': [get('/assets/..%5c..%5cpackage.json'), 400, 403, 404],
  'the way up, escaped twice': [get('/assets/%252e%252e/package.json'), 400, 403, 404],
  'two slashes': [get('/api//ustat'), 404],
  capitals: [get('/API/USTAT'), 200, 404],
  'a slash too many': [get('/api/ustat/'), 404],
  'a parameter of the path': [get('/api/ustat;x=1'), 404],
  'half an escape': [get('/api/%f'), 400],
  'no UTF-8': [get('/api/%ff'), 400],
  'letters that are not escaped': [get('/api/ü'), 400],
};

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
/**
 * Other results through the balancer: it normalizes requests that are unambiguous to it, and refuses some
 * earlier.
 */
const throughBalancer: Readonly<Record<string, readonly number[]>> = {
  'a head of line feeds alone': [200],
  'two Hosts': [400],
  'the same Host twice': [200],
  'another host in the first line': [400],
  // The balancer continues in that protocol.
  'HTTP/2 without being asked': [0],
  'HTTP/9.9': [200],
  CONNECT: [400],
  'a WebSocket': [400],
};
/**
 * Requests that the balancer recognizes as several: it forwards them one by one, and the client gets all
 * answers.
 */
const oneAfterTheOther: Readonly<Record<string, readonly number[]>> = {
  'a coding on the next line': [400, 404],
  'chunks ended by a line feed alone': [422, 404],
  'requests sent ahead of their answers': [...Array.from({ length: 2000 }, () => 200), 404],
};

/** Details of an interpreter that an error must not reveal. */
const tellsTooMuch = /syntax|select |relation "|pg_|\bat .*\.ts:|node_modules|stack|ENOENT|root:x/i;
const SLOW_MS = 5000;

async function tryInjections({ people, wire }: Site): Promise<string[]> {
  const [founder] = people;
  if (!founder) throw new Error('nobody is there');
  const { cookie, orgId, from } = founder;
  const get = (path: string): WireRequest => ({ method: 'GET', path, cookie, from });
  const placesFor = (text: string): Readonly<Record<string, WireRequest>> => {
    const query = encodeURIComponent(text);
    return {
      search: get(`/api/orgusers?org_id=${orgId}&search=${query}`),
      organization: get(`/api/orgusers?org_id=${query}`),
      cursor: get(`/api/auditlogs?org_id=${orgId}&after=${query}`),
      file: get(`/drive/profile?file_id=${query}`),
      password: {
        method: 'POST',
        path: '/api/signin',
        body: { email_id: founder.email, password: text, timezone: 'UTC' },
        from: '198.51.100.9',
      },
      role: { method: 'POST', path: '/api/role', cookie, from, body: { org_id: orgId, role_name: text } },
    };
  };
  const breaches: string[] = [];
  const roleNames: string[] = [];
  const rolesNow = async () => {
    const { body } = await wire.ask(get(`/api/role?org_id=${orgId}`));
    return (body.response as { name: string }[]).map(({ name }) => name);
  };
  const rolesBefore = await rolesNow();
  for (const text of injections)
    for (const [site, request] of Object.entries(placesFor(text))) {
      const { status, body, ms } = await wire.ask(request);
      const words = `${site} ${JSON.stringify(text)}`;
      if (status === 0 || status >= 500 || ms > SLOW_MS || tellsTooMuch.test(body.error?.details ?? ''))
        breaches.push(`${words}: ${status} after ${ms.toFixed(0)} ms, ${body.error?.details}`);
      if (status !== 200) continue;
      // No person or thing has such a name; only a role's name accepts any text.
      if (site === 'role') roleNames.push(text);
      else if (site !== 'search' || (body.response as { members: unknown[] }).members.length > 0)
        breaches.push(`${words} was understood`);
    }
  const roles = await rolesNow();
  const expected = [...rolesBefore, ...roleNames].toSorted();
  if (roleNames.length === 0 || roles.toSorted().join() !== expected.join())
    breaches.push(`the roles are ${JSON.stringify(roles)}`);
  return breaches;
}

async function wrongAnswers({ kind, entry, portals }: Site, shapes: Shapes): Promise<string[]> {
  const breaches: string[] = [];
  const isBalanced = kind === 'balanced';
  const hidden = new Map<string, string>();
  for (const [nth, [what, [bytes, ...directly]]] of Object.entries(shapes).entries()) {
    const mark = `${SMUGGLED}-${what.replaceAll(/\W/g, '')}`;
    const markedBytes = typeof bytes === 'string' ? bytes.replaceAll(SMUGGLED, mark) : bytes;
    const { text, hungUp } = await replyTo(entry, markedBytes, strangersNetwork(nth));
    if (text === '' && !hungUp) breaches.push(`${what}: neither answered nor hung up on`);
    if (text.includes('root:x') || text.includes('"private": true')) breaches.push(`${what}: a file of ours`);
    const answers = statusesIn(text);
    const inOrder = isBalanced && oneAfterTheOther[what];
    if (inOrder) {
      if (answers.join() !== inOrder.join()) breaches.push(`${what}: ${answers.slice(-3).join()}`);
      continue;
    }
    hidden.set(mark, what);
    const expected = (isBalanced && throughBalancer[what]) || directly;
    if (!expected.includes(answers[0] ?? 0)) breaches.push(`${what}: ${answers[0] ?? 0}`);
    if (answers.length > 1) breaches.push(`${what}: answered ${answers.length} times`);
  }
  const logs = portals.map(({ log }) => readFileSync(log, 'utf8')).join('');
  for (const [mark, what] of hidden)
    if (logs.includes(`"${mark}"`)) breaches.push(`${what}: what was hidden in it was served`);
  return breaches;
}

async function runStrangeRequests(site: Site) {
  // First, because the embedded database opens a file for each table on first use.
  const injectedBroken = await tryInjections(site);
  const sendAll = async () => [await wrongAnswers(site, ambiguous), await wrongAnswers(site, foreign)];
  // The sockets close by themselves; only the balancer keeps its connections to the processes longer.
  const { result, leftovers } = await measureLeftovers(
    site.portals,
    sendAll,
    site.kind === 'embedded' ? 3000 : undefined,
  );
  const [ambiguousBroken = [], foreignBroken = []] = result;
  const after = [...leftovers, ...(await site.breaches())];
  return [
    {
      id: 'M5',
      breaches: [...ambiguousBroken, ...after],
      summary: `${Object.keys(ambiguous).length} shapes`,
    },
    { id: 'M6', breaches: [...foreignBroken, ...after], summary: `${Object.keys(foreign).length} shapes` },
    {
      id: 'M7',
      breaches: [...injectedBroken, ...after],
      summary: `${injections.length} texts at six places each`,
    },
  ] as const;
}

export const strangeRequests: Scenario = {
  ids: ['M5', 'M6', 'M7'],
  name: 'Strange requests',
  needs: 'places',
  run: (drill) => atEachSite(drill, 'strange-requests', runStrangeRequests),
};
