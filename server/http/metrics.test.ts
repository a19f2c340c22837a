import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { confirmed, mailedCode, PASSWORD, twoStepPerson } from '#server/testing/people.ts';
import { startPublicApp } from '#server/testing/public-app.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { release } from '#server/local-address.ts';
import { createMetrics } from '#server/metrics.ts';
import { createPasswords } from '#server/passwords.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';

const app = useApp();

/** The current value of a series; 0 if it does not exist. */
async function valueOf(series: string, of = app): Promise<number> {
  const { text, status } = await raw(of.url, 'GET', '/metrics');
  expect(status).toBe(200);
  const line = text.split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

describe('readers of the metrics', () => {
  const read = async (from: TestApp, headers: Record<string, string>) => {
    const local = `http://127.0.0.1:${from.deps.config.port}`;
    const answer = await raw(local, 'GET', '/metrics', { headers });
    return answer.status === 200 ? 'all' : codeIn(answer);
  };
  const token = 'a token of no meaning'.replaceAll(' ', '-');
  const open = useServer(startPublicApp);
  const guarded = useServer(() => startPublicApp({ METRICS_TOKEN: token }));

  test.for([
    [{ host: 'localhost:3000' }, 'all'],
    [{ host: 'accounts.example' }, 'not_found'],
    [{ host: 'localhost', 'x-forwarded-for': '203.0.113.7' }, 'not_found'],
    [{ host: 'localhost', forwarded: 'for=127.0.0.1' }, 'not_found'],
    [{ host: 'localhost', via: '1.1 proxy' }, 'not_found'],
  ] as const)('without a token set, %j reads %s', async ([headers, what]) => {
    expect(await read(open, headers)).toBe(what);
  });

  test.for([
    [{ authorization: `Bearer ${token}` }, 'all'],
    [{ authorization: `Bearer ${token}`, host: 'accounts.example', 'x-forwarded-for': '203.0.113.7' }, 'all'],
    [{ authorization: `Bearer ${token}x` }, 'not_signed_in'],
    [{ host: 'localhost' }, 'not_signed_in'],
  ] as const)('with a token set, %j reads %s', async ([headers, what]) => {
    expect(await read(guarded, { host: 'localhost', ...headers })).toBe(what);
  });

  test('GET and HEAD are answered, POST is not', async () => {
    const head = await raw(app.url, 'HEAD', '/metrics');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(codeIn(await raw(app.url, 'POST', '/metrics'))).toBe('not_found');
    const { headers } = await raw(app.url, 'GET', '/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers['cache-control']).toBe('no-store');
  });
});

test('requests are counted by call and status, with their time, regardless of parameters', async () => {
  const served = 'portico_requests_total{endpoint="GET /api/ustat",status="200"}';
  const timed = 'portico_request_seconds_count{endpoint="GET /api/ustat"}';
  const [before, timedBefore] = [await valueOf(served), await valueOf(timed)];
  const visitor = app.visitor();
  for (const query of ['', '?a=1', '?b=%22%0A']) await visitor.get(`/api/ustat${query}`);
  expect((await valueOf(served)) - before).toBe(1);
  expect((await valueOf(timed)) - timedBefore).toBe(3);
});

test('a client cannot create a series', async () => {
  const names = async () => {
    const { text } = await raw(app.url, 'GET', '/metrics');
    return new Set(text.split('\n').map((line) => line.slice(0, line.lastIndexOf(' '))));
  };
  await raw(app.url, 'GET', '/nothing-here');
  await raw(app.url, 'PUT', '/nothing-here');
  const before = await names();
  for (const path of ['/a', '/b?c', '/api/evil-1', '/api/user/evil', '/%00', '/assets/evil.js'])
    for (const method of ['GET', 'PUT']) await raw(app.url, method, path);
  await raw(app.url, 'GET', '/api/next/evil-2');
  const added = [...(await names())].filter((name) => !before.has(name));
  expect(added.join()).not.toContain('evil');
  expect(added.filter((name) => !name.includes('/api/next/:path') && !name.includes('status="400"'))).toEqual(
    [],
  );
});

test('a sign-in is counted by its outcome', async () => {
  const outcomes = () =>
    Promise.all(
      ['signed_in', 'invalid_credentials', 'code_mailed'].map((name) =>
        valueOf(`portico_sign_ins_total{outcome="${name}"}`),
      ),
    );
  const person = await confirmed(app);
  const cautious = await twoStepPerson(app);
  const before = await outcomes();
  const visitor = app.visitor();
  const signIn = (email: string, password = PASSWORD) =>
    visitor.post('/api/signin', { email_id: email, password, timezone: '' });
  await signIn(person.email);
  await signIn(person.email, 'another one 1');
  const { contact } = (await signIn(cautious.email)).body.response as { contact: string };
  const otp = await mailedCode(app, cautious.email);
  await visitor.post('/api/verifyotp', { contact, otp, timezone: '' });
  const after = await outcomes();
  expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([2, 1, 1]);
});

test('limits, mails, jobs, waiting hashes and faults are counted', async () => {
  const portal = await startApp();
  const person = await confirmed(portal);
  for (let at = 0; at < 7; at += 1)
    await person.visitor.post('/api/signin', {
      email_id: person.email,
      password: 'wrong one 1',
      timezone: '',
    });
  expect(await valueOf('portico_limited_total{limit="tries"}', portal)).toBe(2);
  expect(await valueOf('portico_mails_total{outcome="sent"}', portal)).toBe(1);

  await enqueueAlone(portal.deps, { kind: 'resend-verification', payload: { email: 'x@y.example' } });
  portal.clock.forward(MINUTE_MS);
  expect(await valueOf('portico_jobs{kind="resend-verification",state="due"}', portal)).toBe(1);
  expect(await valueOf('portico_job_oldest_due_seconds{kind="resend-verification"}', portal)).toBe(60);
  expect(await valueOf('portico_jobs{kind="mail",state="done"}', portal)).toBe(1);

  const { keys, config } = portal.deps;
  // At full cost, and enough that some still wait when they are counted.
  const passwords = createPasswords(keys, config);
  Object.assign(portal.deps, { passwords });
  const hashes = Array.from({ length: config.hashConcurrency + 40 }, () => passwords.hash(PASSWORD, 'x'));
  expect(await valueOf('portico_password_hashes_waiting', portal)).toBeGreaterThan(0);
  await Promise.all(hashes);

  expect(await valueOf('portico_unhandled_errors_total', portal)).toBe(0);
  Object.assign(portal.deps.limiter, { take: () => Promise.reject(new Error('unforeseen')) });
  const { status } = await portal.visitor().post('/api/forgotpassword', { email_id: person.email });
  expect([status, await valueOf('portico_unhandled_errors_total', portal)]).toEqual([500, 1]);
  await portal.close();
});

test('without its database the process still reports metrics', async () => {
  const alone = await startApp();
  expect(await valueOf('portico_database_up', alone)).toBe(1);
  await alone.database.cut();
  expect(await valueOf('portico_database_up', alone)).toBe(0);
  expect(await valueOf('portico_password_hashes_waiting', alone)).toBe(0);
  await alone.close();
});

test('memory, CPU, event loop delay and pools are reported if they are watched', async () => {
  const { metrics } = app.deps;
  metrics.watchProcess();
  metrics.watchPools(app.database.pools);
  const { text } = await raw(app.url, 'GET', '/metrics');
  for (const name of [
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  const isPool = app.database.engine === 'postgres';
  expect(text.includes('portico_database_connections{pool="changing",state="busy"}')).toBe(isPool);
  expect(text.includes('portico_database_stalled 0')).toBe(isPool);
});

test('each process tells its release', async () => {
  expect(await valueOf(`portico_release{release="${release}"}`)).toBe(1);
});

test.for(['prometheus-rules.yml', 'grafana-dashboard.json'])(
  '%s names only metrics that exist',
  async (file) => {
    const metrics = createMetrics();
    metrics.watchProcess();
    const idle = { busy: 0, idle: 0, waiting: 0 };
    metrics.watchPools({ isStalled: () => false, standing: () => ({ changing: idle, reading: idle }) });
    const text = await metrics.text();
    const names = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8').match(
      /\b(portico|nodejs|process)_\w+/g,
    );
    expect(names?.length).toBeGreaterThan(10);
    expect(names?.filter((name) => !text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `))).toEqual([]);
  },
);
