import { beforeAll, expect, test } from 'vitest';
import { errors } from '#contract/errors.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
let port: string;
beforeAll(() => {
  port = new URL(app.url).port;
});

test.for([
  { host: 'localhost:{port}', code: 200 },
  { host: 'LOCALHOST:{port}', code: 200 },
  { host: '127.0.0.1:{port}', code: 200 },
  { host: '[::1]:{port}', code: 200 },
  { host: 'localhost', code: 'misdirected_request' },
  { host: 'localhost:1', code: 'misdirected_request' },
  { host: 'localhost.evil.example:{port}', code: 'misdirected_request' },
  { host: 'evil.example', code: 'misdirected_request' },
  { host: 'localhost:{port}.evil.example', code: 'misdirected_request' },
  { host: 'user@localhost:{port}', code: 'misdirected_request' },
])('Host $host gets $code (C1)', async ({ host, code }) => {
  const headers = { host: host.replace('{port}', port) };
  const answer = await raw(app.url, 'GET', '/api/ustat', { headers });
  expect([codeIn(answer), answer.status]).toEqual([code, code === 200 ? 200 : 421]);
});

test.for([
  { line: 'http://localhost:{port}/api/ustat', host: 'localhost:{port}', code: 200 },
  { line: 'http://evil.example/api/ustat', host: 'localhost:{port}', code: 'misdirected_request' },
  { line: 'http://localhost:{port}/api/ustat', host: 'evil.example', code: 200 },
  { line: '*', host: 'localhost:{port}', code: 'misdirected_request' },
])('$line in the request line takes precedence over Host $host: $code (C1)', async ({ line, host, code }) => {
  const headers = { host: host.replace('{port}', port) };
  expect(codeIn(await raw(app.url, 'GET', line.replace('{port}', port), { headers }))).toBe(code);
});

test.for(['/healthz', '/readyz'])('%s answers under any Host', async (path) => {
  const { status } = await raw(app.url, 'GET', path, { headers: { host: '10.0.0.7:9' } });
  expect(status).toBe(200);
});

test('forwarded host headers are ignored (C1)', async () => {
  const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil' };
  expect((await raw(app.url, 'GET', '/api/ustat', { headers: forged })).status).toBe(200);
  const answer = await raw(app.url, 'GET', '/api/ustat', {
    headers: { host: 'evil.example', 'x-forwarded-host': `localhost:${port}` },
  });
  expect(answer.status).toBe(421);
});

test.for([
  [
    '/api/signup',
    { emailId: 'link@northwind.example', password: 'sturdy arch 42', timezone: 'UTC' },
    'verifyemail',
  ],
  ['/api/forgotpassword', { email_id: 'link@northwind.example' }, 'resetpassword'],
  ['/api/verifyemail/resend', { email_id: 'link@northwind.example' }, 'verifyemail'],
] as const)(
  'links mailed by %s start with the configured address, whatever the headers claim (C1)',
  async ([path, body, page]) => {
    app.clock.forward(31_000);
    const { status } = await raw(app.url, 'POST', path, {
      headers: {
        'content-type': 'application/json',
        host: `127.0.0.1:${port}`,
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'evil',
        'x-forwarded-prefix': '/evil',
        'x-original-host': 'evil.example',
        forwarded: 'host=evil.example;proto=evil',
        referer: 'https://evil.example/',
      },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
    const mail = (await app.mails('link@northwind.example')).at(-1);
    expect(mail?.text).toContain(`${app.url}/${page}?digest=`);
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil');
  },
);

const own = 'http://localhost:{port}';
const json = 'application/json';
const refused = 'cross_site_request' as const;
// Requests that pass the guard have an empty body, which lacks every field.
const passed = 'invalid_input' as const;

test.for([
  // a browser's own pages
  { site: 'same-origin', origin: own, type: json, code: passed },
  { site: 'same-origin', origin: 'http://127.0.0.1:{port}', type: json, code: passed },
  { site: 'same-origin', origin: undefined, type: json, code: passed },
  { site: undefined, origin: own, type: json, code: passed },
  // no browser
  { site: undefined, origin: undefined, type: json, code: passed },
  // other sites
  { site: 'cross-site', origin: 'https://evil.example', type: json, code: refused },
  { site: 'cross-site', origin: own, type: json, code: refused },
  { site: 'cross-site', origin: undefined, type: json, code: refused },
  { site: 'same-site', origin: 'http://localhost:1', type: json, code: refused },
  { site: 'same-site', origin: own, type: json, code: refused },
  { site: 'same-site', origin: undefined, type: json, code: refused },
  { site: 'none', origin: undefined, type: json, code: refused },
  { site: 'nonsense', origin: undefined, type: json, code: refused },
  { site: '', origin: undefined, type: json, code: refused },
  { site: undefined, origin: 'null', type: json, code: refused },
  { site: 'same-origin', origin: 'null', type: json, code: refused },
  { site: 'same-origin', origin: 'https://evil.example', type: json, code: refused },
  { site: undefined, origin: '', type: json, code: refused },
  { site: undefined, origin: 'http://localhost', type: json, code: refused },
  { site: undefined, origin: 'https://localhost:{port}', type: json, code: refused },
  { site: undefined, origin: 'http://localhost:{port}.evil.example', type: json, code: refused },
  { site: undefined, origin: 'http://localhost.evil.example:{port}', type: json, code: refused },
  { site: undefined, origin: 'http://evil.example#http://localhost:{port}', type: json, code: refused },
  { site: undefined, origin: 'HTTP://LOCALHOST:{port}', type: json, code: refused },
  // The type alone refuses a form.
  { site: undefined, origin: undefined, type: 'text/plain', code: 'unsupported_media_type' },
  { site: 'same-origin', origin: own, type: 'text/plain', code: 'unsupported_media_type' },
  { site: 'cross-site', origin: 'https://evil.example', type: 'text/plain', code: refused },
] as const)('$type from site $site, origin $origin: $code (E1)', async ({ site, origin, type, code }) => {
  const headers = {
    'content-type': type,
    ...(site !== undefined && { 'sec-fetch-site': site }),
    ...(origin !== undefined && { origin: origin.replace('{port}', port) }),
  };
  for (const path of ['/api/signup', '/api/signin']) {
    const answer = await raw(app.url, 'POST', path, { headers, body: '{}' });
    expect({ path, code: codeIn(answer), status: answer.status }).toEqual({
      path,
      code,
      status: errors[code].status,
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test.for(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s from another site is refused before anything is looked up (E1)',
  async (method) => {
    for (const path of ['/api/logout', '/api/user', '/api/activesession', '/api/nowhere', '/']) {
      const answer = await raw(app.url, method, path, { headers: { 'sec-fetch-site': 'cross-site' } });
      expect({ path, code: codeIn(answer) }).toEqual({ path, code: refused });
    }
  },
);

test.for([
  { site: 'cross-site', origin: undefined, code: refused },
  { site: 'none', origin: 'https://evil.example', code: refused },
  { site: 'same-origin', origin: undefined, code: 'not_signed_in' },
  // typed, or opened from a bookmark
  { site: 'none', origin: undefined, code: 'not_signed_in' },
  { site: undefined, origin: undefined, code: 'not_signed_in' },
] as const)(
  'a GET that writes, from site $site, origin $origin: $code (E1)',
  async ({ site, origin, code }) => {
    const headers = {
      'sec-fetch-mode': 'navigate',
      ...(site !== undefined && { 'sec-fetch-site': site }),
      ...(origin !== undefined && { origin }),
    };
    for (const path of ['/api/auditlogs/export?format=csv&org_id=1', '/api/auditlogs/%65xport'])
      expect(codeIn(await raw(app.url, 'GET', path, { headers }))).toBe(code);
  },
);

test.for(['GET', 'HEAD'])('%s may come from anywhere, because links lead here', async (method) => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect((await raw(app.url, method, '/api/openapi.json', { headers })).status).toBe(200);
});

test.for(['https://evil.example', 'null', 'http://localhost.evil.example', 'http://localhost:{port}'])(
  'no other origin may read an answer: %s (E4)',
  async (name) => {
    const origin = name.replace('{port}', port);
    const ask = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' };
    for (const method of ['GET', 'POST', 'OPTIONS'])
      for (const path of ['/api/ustat', '/api/user', '/', '/healthz', '/assets/x.js']) {
        const { headers } = await raw(app.url, method, path, { headers: { origin, ...ask } });
        const names = Object.keys(headers).filter((header) => header.startsWith('access-control'));
        expect({ method, path, names }).toEqual({ method, path, names: [] });
      }
  },
);
