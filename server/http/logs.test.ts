import { describe, expect, test } from 'vitest';
import { founder, mailedDigest, newEmail, PASSWORD, signedUp } from '#server/testing/people.ts';
import { raw } from '#server/testing/raw.ts';
import { listRows } from '#server/testing/rows.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

type Line = {
  msg: string;
  reqId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  ip: string;
};
const requests = (app: TestApp) =>
  app.logLines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request');

const ignored = (app: TestApp) =>
  app.logLines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg.startsWith('TRUSTED_PROXIES lacks this peer'));

describe('a request', () => {
  const app = useApp();

  test('writes one log line with client, call, status and duration', async () => {
    const { headers } = await raw(app.url, 'GET', '/api/nowhere?a=b', {
      headers: { 'x-forwarded-for': '9.9.9.9' },
    });
    const lines = requests(app).filter(({ reqId }) => reqId === headers['x-request-id']);
    expect(lines).toEqual([
      expect.objectContaining({ method: 'GET', path: '/api/nowhere', status: 404, ip: '127.0.0.1' }),
    ]);
    expect(lines[0]?.ms).toBeTypeOf('number');
  });

  test('of a probe writes a line only if it fails', async () => {
    const probes = () => requests(app).filter(({ path }) => /^\/(readyz|healthz)$/.test(path));
    await raw(app.url, 'GET', '/healthz');
    await raw(app.url, 'GET', '/readyz');
    expect(probes().filter(({ status }) => status === 200)).toEqual([]);
    await raw(app.url, 'POST', '/readyz');
    expect(probes().map(({ method, status }) => [method, status])).toContainEqual(['POST', 404]);
  });

  test('writes no digest, cookie or password into the log, served or refused (C5, D3)', async () => {
    const { visitor, email } = await founder(app);
    const other = await signedUp(app, newEmail());
    const digest = await mailedDigest(app, other.email);
    const secrets = [visitor.session, other.visitor.session, digest, PASSWORD, 'wrong arch 42'];
    await visitor.get(`/api/init?digest=${digest}`);
    await visitor.get(`/verifyemail?digest=${digest}`);
    await visitor.get(`/resetpassword/%zz?digest=${digest}`).catch(() => undefined);
    await app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: 'UTC' });
    await app.visitor().post('/api/signin', { email_id: email, password: 'wrong arch 42', timezone: 'UTC' });
    await app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, unknown: PASSWORD });
    await visitor.send('POST', '/api/signin', { body: `{"password":"${PASSWORD}"` });
    await other.visitor.post('/api/verifyemail', { digest });
    await other.visitor.post('/api/verifyemail', { digest });
    await visitor.delete('/api/logout');
    const log = app.logLines.join('');
    expect(log).toContain('/api/verifyemail');
    for (const secret of secrets) expect(log).not.toContain(secret);
  });
});

describe('a refusal', () => {
  const app = useApp();
  const refusals = () =>
    app.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'refused');

  test('of a proof or a right, or by a limit, writes one line with person, call, client and time (J1)', async () => {
    const boss = await founder(app);
    const stranger = await signedUp(app);
    const wrong = { email_id: boss.email, password: 'wrong arch 42', timezone: '' };
    await app.visitor().post('/api/signin', wrong);
    await stranger.visitor.get(`/api/orgusers?org_id=${boss.orgId}`);
    await boss.visitor.post('/api/orgusers', { org_id: boss.orgId, surprise: 1 });
    await boss.visitor.get('/api/nowhere');
    await app.visitor().get('/api/user');
    await stranger.visitor.send('PUT', '/api/user', {
      headers: { origin: 'https://evil.example' },
      body: {},
    });
    for (let count = 0; count < 6; count += 1) await app.visitor().post('/api/signin', wrong);
    const at = { ip: '127.0.0.1', reqId: expect.any(String) as string, time: expect.anything() as string };
    const email = `${boss.email.slice(0, 1)}•••@northwind.example`;
    const wrongPassword = {
      refused: 'invalid_credentials',
      method: 'POST',
      path: '/api/signin',
      email,
      ...at,
    };
    expect(refusals()).toMatchObject([
      wrongPassword,
      { refused: 'org_not_found', method: 'GET', path: '/api/orgusers', userId: stranger.id, ...at },
      { refused: 'not_signed_in', path: '/api/user', ...at },
      { refused: 'cross_site_request', method: 'PUT', path: '/api/user', ...at },
      ...Array.from({ length: 4 }, () => wrongPassword),
      { ...wrongPassword, refused: 'too_many_requests' },
      { ...wrongPassword, refused: 'too_many_requests' },
    ]);
  });
});

const trusted = { TRUSTED_PROXIES: '127.0.0.0/8, ::1, 10.0.0.0/8' };
test.for([
  { what: 'no proxy is trusted', proxies: '' },
  { what: 'another proxy is trusted', proxies: '10.0.0.1' },
])('a forwarded address is ignored, and one line tells of it, while $what (M1)', async ({ proxies }) => {
  const app = await startApp({ TRUSTED_PROXIES: proxies });
  for (let count = 0; count < 2; count += 1)
    await raw(app.url, 'GET', '/metrics', { headers: { 'x-forwarded-for': '9.9.9.9' } });
  expect(requests(app).at(-1)?.ip).toBe('127.0.0.1');
  expect(ignored(app)).toEqual([expect.objectContaining({ peer: '127.0.0.1' })]);
  await app.close();
});

describe('behind a trusted proxy', () => {
  const app = useApp(trusted);

  test.for([
    { forwarded: undefined, ip: '127.0.0.1' },
    { forwarded: '9.9.9.9', ip: '9.9.9.9' },
    // read from the right, past proxies we know
    { forwarded: '1.1.1.1, 9.9.9.9', ip: '9.9.9.9' },
    { forwarded: '1.1.1.1, 9.9.9.9, 10.0.0.7', ip: '9.9.9.9' },
    { forwarded: '10.0.0.7', ip: '10.0.0.7' },
    { forwarded: '9.9.9.9, ::ffff:10.0.0.7, 10.0.0.8', ip: '9.9.9.9' },
    // a list of more than eight proxies is forged
    { forwarded: `9.9.9.9${', 10.0.0.7'.repeat(7)}`, ip: '9.9.9.9' },
    { forwarded: `9.9.9.9${', 10.0.0.7'.repeat(1000)}`, ip: '10.0.0.7' },
    // an abbreviated address is not an address
    { forwarded: '9.9.9.9, 10.7', ip: '127.0.0.1' },
    // one spelling for each address
    { forwarded: '2001:DB8:0:0::1', ip: '2001:db8::1' },
    { forwarded: '::ffff:9.9.9.9', ip: '9.9.9.9' },
    { forwarded: '::ffff:909:909', ip: '9.9.9.9' },
    // no address: the proxy's own
    { forwarded: '', ip: '127.0.0.1' },
    { forwarded: 'unknown', ip: '127.0.0.1' },
    { forwarded: '9.9.9.9, _hidden', ip: '127.0.0.1' },
    { forwarded: '9.9.9.9:1234', ip: '127.0.0.1' },
    { forwarded: '999.9.9.9', ip: '127.0.0.1' },
    { forwarded: '<script>', ip: '127.0.0.1' },
    { forwarded: "1' or '1'='1", ip: '127.0.0.1' },
  ])('X-Forwarded-For $forwarded gives $ip (M1)', async ({ forwarded, ip }) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    await raw(app.url, 'GET', '/metrics', { headers });
    expect(requests(app).at(-1)?.ip).toBe(ip);
    expect(ignored(app)).toEqual([]);
  });

  test('several headers form one list, and no other header counts (M1)', async () => {
    const headers = { 'x-forwarded-for': ['1.1.1.1', '9.9.9.9'] };
    await raw(app.url, 'GET', '/metrics', { headers });
    expect(requests(app).at(-1)?.ip).toBe('9.9.9.9');
    const others = { x_forwarded_for: '9.9.9.9', 'x-real-ip': '9.9.9.9', forwarded: 'for=9.9.9.9' };
    await raw(app.url, 'GET', '/metrics', { headers: others });
    expect(requests(app).at(-1)?.ip).toBe('127.0.0.1');
  });

  test('a session stores the same address', async () => {
    const body = JSON.stringify({ emailId: newEmail(), password: PASSWORD, timezone: 'UTC' });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '::ffff:9.9.9.9' };
    await raw(app.url, 'POST', '/api/signup', { headers, body });
    const rows = await listRows(app, 'sessions', ['ip_address']);
    expect(rows).toEqual([{ ip_address: '9.9.9.9' }]);
  });
});
