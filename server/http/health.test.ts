import Fastify from 'fastify';
import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Db } from '#server/db/connect.ts';
import { serveHealth } from '#server/http/health.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test.for(['/healthz', '/readyz'])('%s answers success in the envelope', async (path) => {
  await expect
    .poll(() => raw(app.url, 'GET', path))
    .toMatchObject({ status: 200, text: '{"success":true,"response":{}}' });
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
