import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely';
import { expect, test, vi } from 'vitest';
import { errors } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import type { Db } from '#server/db/connect.ts';
import { serveHealth } from './health.ts';
import { PASSWORD, signedUp } from '#server/testing/people.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const envelopeOf = (code: keyof typeof errors) => ({
  success: false,
  error: { code, details: errorText[code] },
});

test.for([
  { method: 'GET', path: '/api', code: 'not_found' },
  { method: 'GET', path: '/api/nowhere', code: 'not_found' },
  { method: 'GET', path: '/api/ustat/', code: 'not_found' },
  // wrong methods of a known path, and unknown paths
  { method: 'GET', path: '/api/signup', code: 'not_found' },
  { method: 'PATCH', path: '/api/user', code: 'not_found' },
  { method: 'PROPFIND', path: '/api/user', code: 'not_found' },
  { method: 'POST', path: '/healthz', code: 'not_found' },
  // signed out
  { method: 'GET', path: '/api/user', code: 'not_signed_in' },
  // unreadable
  { method: 'GET', path: '/api/%zz', code: 'malformed_request' },
  { method: 'GET', path: '/%c0%af', code: 'malformed_request' },
  { method: 'GET', path: `/outbox/${'x'.repeat(200)}`, code: 'malformed_request' },
] as const)('$method $path is refused as $code, in the envelope', async ({ method, path, code }) => {
  const { status, headers, text: body } = await raw(app.url, method, path);
  expect(status).toBe(errors[code].status);
  expect(JSON.parse(body)).toEqual(envelopeOf(code));
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['x-request-id']).toMatch(UUID);
});

test('a success has the envelope too', async () => {
  const { status, headers, text: body } = await raw(app.url, 'GET', '/api/ustat');
  expect({ status, body }).toEqual({ status: 200, body: '{"success":true,"response":null}' });
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
});

test("every answer has its own request id, and the client's is ignored", async () => {
  const own = { 'x-request-id': 'mine', 'request-id': 'mine' };
  const ids = new Set<string | undefined>();
  const paths = ['/api/ustat', '/api/nowhere', '/healthz', '/', '/%zz', '/api/docs', '/outbox'];
  for (const path of paths) {
    const { headers } = await raw(app.url, 'GET', path, { headers: own });
    expect({ path, id: headers['x-request-id'] }).toEqual({
      path,
      id: expect.stringMatching(UUID) as string,
    });
    ids.add(headers['x-request-id'] as string);
  }
  expect(ids.size).toBe(paths.length);
});

test.for([
  { what: 'input that Node can’t read as HTTP', head: 'nonsense' },
  { what: 'an unknown Expect header', head: 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok' },
])('$what gets the envelope with an id', async ({ head: input }) => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(`${input}\r\n\r\n`);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(JSON.parse(body)).toEqual(envelopeOf('malformed_request'));
  expect(/x-request-id: (\S+)/.exec(head)?.[1]).toMatch(UUID);
});

test('an internal error is logged once with the request id, and the answer reveals nothing of it', async () => {
  const { visitor, email } = await signedUp(app);
  await sql`alter table sessions rename to sessions_gone`.execute(app.deps.sql);
  const before = app.logLines.length;
  const answer = await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: 'UTC' });
  await sql`alter table sessions_gone rename to sessions`.execute(app.deps.sql);

  expect(answer.status).toBe(500);
  expect(answer.body).toEqual(envelopeOf('internal_error'));
  expect(answer.body.error?.details).toBe('Oops! Something went wrong');
  const lines = app.logLines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
  const errorsLogged = lines.filter(({ level }) => Number(level) >= 50);
  expect(errorsLogged).toHaveLength(1);
  expect(errorsLogged[0]).toMatchObject({
    reqId: answer.headers.get('x-request-id'),
    err: { code: '42P01', message: expect.stringContaining('sessions') as string },
  });
  expect((await visitor.get('/api/ustat')).status).toBe(200);
});

test('concurrent requests for /readyz share one query', async () => {
  let queries = 0;
  const answer = Promise.withResolvers<QueryResult<never>>();
  const executeQuery = () => {
    queries += 1;
    return answer.promise;
  };
  const driver = new (class extends DummyDriver {
    override acquireConnection = async () => ({ executeQuery }) as unknown as DatabaseConnection;
  })();
  const database = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const alone = Fastify();
  serveHealth(alone, database as unknown as Db);
  const answers = Array.from({ length: 20 }, () => alone.inject('/readyz'));
  await vi.waitFor(() => expect(queries).toBe(1));
  answer.resolve({ rows: [] });
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(queries).toBe(1);
  await alone.inject('/readyz');
  expect(queries).toBe(2);
  await alone.close();
});

test('/readyz refuses while the event loop is far behind, and succeeds afterwards (L12)', async () => {
  const answerWhenBusy = async () => {
    const blockedUntil = performance.now() + 2000;
    while (performance.now() < blockedUntil);
    const busy = await raw(app.url, 'GET', '/readyz');
    return [busy.status, codeIn(busy)];
  };
  // Polled, because a slow request may arrive after the loop has recovered.
  await expect.poll(answerWhenBusy, { timeout: 30_000 }).toEqual([503, 'unavailable']);
  expect((await raw(app.url, 'GET', '/healthz')).status).toBe(200);
  await expect.poll(async () => (await raw(app.url, 'GET', '/readyz')).status).toBe(200);
});

test('while draining, /readyz refuses, and calls are answered and their connections closed', async () => {
  const draining = await startApp();
  draining.drain();
  expect((await raw(draining.url, 'GET', '/readyz')).status).toBe(503);
  const answer = await raw(draining.url, 'GET', '/api/ustat', { headers: { connection: 'keep-alive' } });
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
  await draining.close();
});
