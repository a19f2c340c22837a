import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { dropJobsFor, enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, listFailed, retryFailed, runDueJobs } from '#server/jobs/jobs.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  await sql`truncate jobs restart identity`.execute(app.deps.sql);
});
afterAll(() => app.close());

const add = (name: string, expiresAt?: Date) =>
  enqueueAlone(app.deps, { kind: 'note', payload: { name }, ...(expiresAt && { expiresAt }) });
const failAll = () => runDueJobs(app.deps, { note: () => Promise.reject(new GiveUp('the server said no')) });
const runAll = async () => {
  const names: string[] = [];
  await runDueJobs(app.deps, { note: async (_deps, { name }: { name: string }) => void names.push(name) });
  return names;
};
const retry = (jobId?: number) => transaction(app.deps.sql, (tx) => retryFailed(tx, app.clock, jobId));

test('what was given up is listed with the reason, newest first, and is done when it is tried again', async () => {
  await add('first');
  await add('second');
  await failAll();
  expect(await listFailed(app.deps.sql, app.clock)).toMatchObject([
    { id: 2, kind: 'note', attempts: 1, last_error: 'the server said no', failed_at: app.clock.now() },
    { id: 1 },
  ]);
  expect(await runAll()).toEqual([]);
  expect(await retry()).toHaveLength(2);
  expect(await runAll()).toEqual(['first', 'second']);
  expect(await listFailed(app.deps.sql, app.clock)).toEqual([]);
});

test('one alone can be tried again; what has not failed can’t', async () => {
  await add('first');
  await add('second');
  await failAll();
  await add('third');
  expect(await retry(2)).toMatchObject([{ id: 2 }]);
  expect(await retry(3)).toEqual([]);
  expect(await retry(9)).toEqual([]);
  expect(await runAll()).toEqual(['second', 'third']);
});

test('what is out of date is not tried again, whether it failed before or ran out', async () => {
  await add('failed', fromNow(app.clock, HOUR_MS));
  await failAll();
  await add('ran out', fromNow(app.clock, HOUR_MS));
  app.clock.forward(HOUR_MS);
  expect(await runAll()).toEqual([]);
  expect(await listFailed(app.deps.sql, app.clock)).toEqual([]);
  expect(await retry()).toEqual([]);
});

test('who goes takes along what failed on its way to them, whoever else waits', async () => {
  for (const payload of [{ to: 'a@b.example' }, { email: 'a@b.example' }, { email: 'c@b.example' }])
    await enqueueAlone(app.deps, { kind: 'note', payload });
  await failAll();
  await transaction(app.deps.sql, (tx) => dropJobsFor(tx, 'a@b.example'));
  const left = await app.deps.sql.selectFrom('jobs').select('payload').execute();
  expect(left).toEqual([{ payload: { email: 'c@b.example' } }]);
});
