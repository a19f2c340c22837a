import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { deleteFailedRequests, deleteJobsOf, listFailed, retryFailed } from '#server/jobs/data.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
beforeEach(async () => {
  await sql`truncate jobs restart identity`.execute(app.deps.sql);
});

const add = (name: string, expiresAt?: Date) =>
  enqueueAlone(app.deps, { kind: 'note', payload: { name }, ...(expiresAt && { expiresAt }) });
const failAll = () => runDueJobs(app.deps, { note: () => Promise.reject(new GiveUp('the server said no')) });
const runAll = async () => {
  const names: string[] = [];
  await runDueJobs(app.deps, { note: async (_deps, { name }: { name: string }) => void names.push(name) });
  return names;
};
const retry = (jobId?: number) => transaction(app.deps.sql, (tx) => retryFailed(tx, app.clock, jobId));

test('failed jobs are listed with their reason, newest first, and run when they are retried', async () => {
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

test('a single failed job can be retried, and a job that has not failed cannot', async () => {
  await add('first');
  await add('second');
  await failAll();
  await add('third');
  expect(await retry(2)).toMatchObject([{ id: 2 }]);
  expect(await retry(3)).toEqual([]);
  expect(await retry(9)).toEqual([]);
  expect(await runAll()).toEqual(['second', 'third']);
});

test('an expired job cannot be retried, whether it ran before or not', async () => {
  await add('failed', fromNow(app.clock, HOUR_MS));
  await failAll();
  await add('ran out', fromNow(app.clock, HOUR_MS));
  app.clock.forward(HOUR_MS);
  expect(await runAll()).toEqual([]);
  expect(await listFailed(app.deps.sql, app.clock)).toEqual([]);
  expect(await retry()).toEqual([]);
});

test('the jobs of an erased person are deleted; those of others at the same address stay', async () => {
  const [erased, other] = [1 as UserId, 2 as UserId];
  const to = 'a@b.example';
  for (const userId of [erased, other])
    await enqueueAlone(app.deps, { kind: 'note', payload: { to }, lane: `mail:${to}`, userId });
  await enqueueAlone(app.deps, { kind: 'note', payload: { email: to }, lane: `reset:${to}` });
  await transaction(app.deps.sql, (tx) => deleteJobsOf(tx, erased));
  expect(await listRows(app, 'jobs', ['user_id', 'payload'], {}, 'id')).toEqual([
    { user_id: other, payload: { to } },
    { user_id: null, payload: { email: to } },
  ]);
});

test('failed jobs with an erased address are deleted', async () => {
  for (const payload of [{ email: 'a@b.example' }, { email: 'c@b.example' }])
    await enqueueAlone(app.deps, { kind: 'note', payload });
  await failAll();
  await enqueueAlone(app.deps, { kind: 'note', payload: { email: 'a@b.example' } });
  await transaction(app.deps.sql, (tx) => deleteFailedRequests(tx, 'a@b.example'));
  const rows = await listRows(app, 'jobs', ['payload'], {}, 'id');
  expect(rows).toEqual([{ payload: { email: 'c@b.example' } }, { payload: { email: 'a@b.example' } }]);
});
