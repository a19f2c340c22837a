import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { releaseJobs } from './data-claims.ts';
import { jobCounts } from './data-counts.ts';
import { deleteFailedRequests, deleteJobsOf, listFailed, retryFailed } from './data.ts';
import { enqueueAlone } from './enqueue.ts';
import { jobGroups } from './groups.ts';
import { GiveUp, type JobHandlers, runDueJobs, startJobs } from './jobs.ts';
import type { Limits } from './rules.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';

// Kinds whose lanes take turns; below them failed jobs, and the counts of all.

const app = useApp();
beforeEach(async () => {
  await sql`truncate jobs, job_turns restart identity`.execute(app.deps.sql);
});

type Call = { readonly name: string };
/** Adds a job; its name says its lane. */
const add = (name: string, lane = name) =>
  enqueueAlone(app.deps, { kind: 'call', payload: { name }, lane: `to ${lane}` });
const rows = () => app.deps.sql.selectFrom('jobs').selectAll().orderBy('id').execute();

type Settings = {
  readonly isOrdered?: boolean;
  readonly slots?: number;
  readonly limits?: (lane: string) => Limits;
};
/** Starts a process whose calls hang until they are released, if their name begins with “slow”. */
function start({ isOrdered = false, slots = 16, limits = () => ({}) }: Settings = {}) {
  const started: string[] = [];
  const releases = new Map<string, () => void>();
  const handlers: JobHandlers = {
    call: {
      slots,
      limitMs: 5 * SECOND_MS,
      isHarmless: true,
      turns: {
        isOrdered,
        limitsOf: async (_deps, lanes) => new Map(lanes.map((lane) => [lane, limits(lane)])),
      },
      run: (_deps, { name }: Call) => {
        started.push(name);
        if (!name.startsWith('slow')) return Promise.resolve();
        return new Promise((resolve) => void releases.set(name, resolve));
      },
    },
  };
  // Polls so rarely that only commits wake it.
  const stop = startJobs(app.deps, handlers, [], HOUR_MS);
  const end = (graceMs?: number) => {
    if (graceMs === undefined) for (const release of releases.values()) release();
    return stop(graceMs);
  };
  onTestFinished(() => end());
  return { started, release: (name: string) => releases.get(name)?.(), end };
}

test.for([true, false])(
  'a job that hangs delays its own lane only, and only if that is ordered: %s',
  async (isOrdered) => {
    const { started, release } = start({ isOrdered });
    await add('slow');
    await expect.poll(() => started).toEqual(['slow']);
    await add('next of the lane', 'slow');
    await add('other');
    const [next, other] = ['next of the lane', 'other'];
    await expect.poll(() => started).toEqual(isOrdered ? ['slow', other] : ['slow', next, other]);
    release('slow');
    await expect.poll(() => started.toSorted()).toEqual([next, other, 'slow']);
  },
);

test('the slots of a process are the limit, and a free one takes the next job', async () => {
  const names = Array.from({ length: 5 }, (_, at) => `slow ${at}`);
  for (const name of names) await add(name);
  const { started, release, end } = start({ slots: 3 });
  await expect.poll(() => started).toEqual(names.slice(0, 3));
  release('slow 1');
  await expect.poll(() => started).toEqual(names.slice(0, 4));
  await end();
  expect(started).toHaveLength(4);
  expect((await rows()).filter((row) => row.lease_until !== null)).toEqual([]);
});

test('fifty receivers of one person that hang delay nobody else', async () => {
  for (let count = 0; count < 50; count += 1) await add(`slow ${count}`);
  await add('other');
  const { started } = start({ limits: (lane): Limits => (lane === 'to other' ? {} : { 'person 1': 4 }) });
  await expect.poll(() => started).toHaveLength(5);
  expect(started).toContain('other');
});

test('a receiver that was slow the last time gets a quarter of the slots', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = { isOrdered: false, limitsOf: async () => new Map() };
  const [, group] = jobGroups(app.deps, { call: { slots: 8, run: async () => undefined, turns } });
  const claim = async (until: number) => {
    const jobs = (await group?.claim(8)) ?? [];
    const ends = jobs.map((job) => group?.watch?.(job));
    vi.advanceTimersByTime(until);
    for (const end of ends) end?.();
    await releaseJobs(app.deps, jobs);
    return jobs.map(({ lane }) => lane);
  };
  for (const lane of ['a', 'b', 'c', 'd']) await add(lane);
  expect(await claim(SECOND_MS)).toHaveLength(4);
  expect(await claim(SECOND_MS - 1)).toHaveLength(2);
  // Two of them were fast meanwhile.
  expect(await claim(0)).toHaveLength(4);
});

test('another process runs a job ten seconds after its process was killed, and the loss does not count', async () => {
  const { started, end } = start();
  await add('slow');
  await expect.poll(() => started).toEqual(['slow']);
  const done: string[] = [];
  const call = {
    slots: 1,
    isHarmless: true,
    run: async (_: unknown, { name }: Call) => void done.push(name),
  };
  app.clock.forward(10 * SECOND_MS - 1);
  expect(await runDueJobs(app.deps, { call })).toBe(0);
  app.clock.forward(1);
  expect(await runDueJobs(app.deps, { call })).toBe(1);
  expect([done, (await rows())[0]?.lost]).toEqual([['slow'], 0]);
  // Stops without a grace time, like a kill.
  await end(0);
});

const addNote = (name: string, expiresAt?: Date) =>
  enqueueAlone(app.deps, { kind: 'note', payload: { name }, ...(expiresAt && { expiresAt }) });
const failAll = () => runDueJobs(app.deps, { note: () => Promise.reject(new GiveUp('the server said no')) });
const runAll = async () => {
  const names: string[] = [];
  await runDueJobs(app.deps, { note: async (_deps, { name }: { name: string }) => void names.push(name) });
  return names;
};
const retry = (jobId?: number) => transaction(app.deps.sql, (tx) => retryFailed(tx, app.clock, jobId));

test('failed jobs are listed with their reason, newest first, and run when they are retried', async () => {
  await addNote('first');
  await addNote('second');
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
  await addNote('first');
  await addNote('second');
  await failAll();
  await addNote('third');
  expect(await retry(2)).toMatchObject([{ id: 2 }]);
  expect(await retry(3)).toEqual([]);
  expect(await retry(9)).toEqual([]);
  expect(await runAll()).toEqual(['second', 'third']);
});

test('an expired job cannot be retried, whether it ran before or not', async () => {
  await addNote('failed', fromNow(app.clock, HOUR_MS));
  await failAll();
  await addNote('ran out', fromNow(app.clock, HOUR_MS));
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
