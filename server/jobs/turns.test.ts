import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { releaseJobs } from '#server/jobs/data-claims.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { jobGroups } from '#server/jobs/groups.ts';
import { type JobHandlers, runDueJobs, startJobs } from '#server/jobs/jobs.ts';
import type { Limits } from '#server/jobs/rules.ts';
import { useApp } from '#server/testing/use-app.ts';

// Kinds whose lanes take turns.

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
