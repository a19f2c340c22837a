import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { type JobHandlers, runDueJobs, startJobs } from '#server/jobs/jobs.ts';
import { useApp } from '#server/testing/use-app.ts';

// Sign-out notices wait for the servers of applications, each with a lane of its own.

const app = useApp();
beforeEach(async () => {
  await sql`truncate jobs, job_turns restart identity`.execute(app.deps.sql);
});

type Notice = { readonly name: string };
const add = (name: string, lane = name) =>
  enqueueAlone(app.deps, { kind: 'sign-out', payload: { name }, lane: `sign-out ${lane}` });
const rows = () => app.deps.sql.selectFrom('jobs').selectAll().orderBy('id').execute();

/** Handlers whose notices hang until they are released, if their name begins with “slow”. */
function hangingHandlers() {
  const started: string[] = [];
  const releases = new Map<string, () => void>();
  const handlers: JobHandlers = {
    'sign-out': (_deps, { name }: Notice) => {
      started.push(name);
      if (!name.startsWith('slow')) return Promise.resolve();
      return new Promise((resolve) => void releases.set(name, resolve));
    },
  };
  const release = (name: string) => releases.get(name)?.();
  return { handlers, started, release, releaseAll: () => releases.forEach((end) => end()) };
}

test('a notice that hangs delays only its own lane', async () => {
  const { handlers, started, release } = hangingHandlers();
  // Polls so rarely that only commits wake it.
  const stop = startJobs(app.deps, handlers, [], HOUR_MS);
  await add('slow');
  await expect.poll(() => started).toEqual(['slow']);
  await add('next of the lane', 'slow');
  await add('other');
  await expect.poll(() => started).toEqual(['slow', 'other']);
  release('slow');
  await expect.poll(() => started).toEqual(['slow', 'other', 'next of the lane']);
  await stop();
});

test('sixteen notices run at once, and the next one starts when one of them ends', async () => {
  const { handlers, started, release, releaseAll } = hangingHandlers();
  const names = Array.from({ length: 18 }, (_, at) => `slow ${at}`);
  for (const name of names) await add(name);
  const stop = startJobs(app.deps, handlers, [], HOUR_MS);
  await expect.poll(() => started).toEqual(names.slice(0, 16));
  await add('late');
  release('slow 7');
  await expect.poll(() => started).toEqual(names.slice(0, 17));
  const ended = stop();
  releaseAll();
  await ended;
  expect(started).toHaveLength(17);
  expect((await rows()).filter((row) => row.lease_until !== null)).toEqual([]);
});

test('notices of a lane keep their order while their application is down', async () => {
  const started: string[] = [];
  let isDown = true;
  const handlers: JobHandlers = {
    'sign-out': async (_deps, { name }: Notice) => {
      started.push(name);
      if (isDown) throw new Error('connection refused');
    },
  };
  const stop = startJobs(app.deps, handlers, [], 20);
  await add('first', 'down');
  await add('second', 'down');
  await add('other');
  await expect.poll(async () => (await rows()).map(({ failures }) => failures)).toEqual([1, 0, 1]);
  isDown = false;
  app.clock.forward(2 * SECOND_MS);
  await expect.poll(() => started).toHaveLength(5);
  expect(started.filter((name) => name !== 'other')).toEqual(['first', 'first', 'second']);
  await stop();
});

test('another process delivers a notice 15 seconds after its process was killed', async () => {
  const { handlers, started } = hangingHandlers();
  await add('slow');
  // Stops without a grace time, like a kill: the slot still holds its notice.
  const killed = startJobs(app.deps, handlers, [], HOUR_MS);
  await expect.poll(() => started).toEqual(['slow']);
  const done: string[] = [];
  const others: JobHandlers = { 'sign-out': async (_deps, { name }: Notice) => void done.push(name) };
  app.clock.forward(15 * SECOND_MS - 1);
  expect(await runDueJobs(app.deps, others)).toBe(0);
  app.clock.forward(1);
  expect(await runDueJobs(app.deps, others)).toBe(1);
  expect(done).toEqual(['slow']);
  await killed(0);
});
