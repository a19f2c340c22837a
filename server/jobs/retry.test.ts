import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { deleteFailedRequests, deleteJobsOf, listFailed, retryFailed } from '#server/jobs/data.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
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

describe('counts', () => {
  const counts = () => jobCounts(app.deps.sql, app.clock);
  const add = (kind: string, runAt = app.clock.now()) => enqueueAlone(app.deps, { kind, payload: {}, runAt });
  const none = { due: 0, running: 0, done: 0, failed: 0, oldestDueSeconds: 0 };

  test('jobs are counted by kind and state, and ended ones for an hour', async () => {
    expect(await counts()).toEqual([]);
    for (const kind of ['fine', 'fine', 'broken', 'slow']) await add(kind);
    await add('later', fromNow(app.clock, HOUR_MS));
    app.clock.forward(90 * SECOND_MS);
    expect(await counts()).toEqual([
      { ...none, kind: 'broken', due: 1, oldestDueSeconds: 90 },
      { ...none, kind: 'fine', due: 2, oldestDueSeconds: 90 },
      { ...none, kind: 'later' },
      { ...none, kind: 'slow', due: 1, oldestDueSeconds: 90 },
    ]);

    let meanwhile: unknown;
    const handlers: JobHandlers = {
      fine: () => Promise.resolve(),
      broken: () => Promise.reject(new GiveUp('no')),
      slow: async () => {
        meanwhile = (await counts()).find(({ kind }) => kind === 'slow');
      },
    };
    await runDueJobs(app.deps, handlers);
    expect(meanwhile).toEqual({ ...none, kind: 'slow', running: 1, oldestDueSeconds: 90 });
    const countsAtEnd = [
      { ...none, kind: 'broken', failed: 1 },
      { ...none, kind: 'fine', done: 2 },
      { ...none, kind: 'later' },
      { ...none, kind: 'slow', done: 1 },
    ];
    expect(await counts()).toEqual(countsAtEnd);
    app.clock.forward(HOUR_MS - MINUTE_MS);
    expect((await counts()).filter(({ kind }) => kind !== 'later')).toEqual(
      countsAtEnd.filter(({ kind }) => kind !== 'later'),
    );
    app.clock.forward(MINUTE_MS);
    expect(await counts()).toEqual([{ ...none, kind: 'later', due: 1, oldestDueSeconds: 90 }]);
  });
});
