import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { claimDue, releaseExpired } from './data-claims.ts';
import { enqueueAlone } from './enqueue.ts';
import { type JobHandlers, runDueJobs } from './jobs.ts';
import { useApp } from '#server/testing/use-app.ts';

// A job is lost when its process ends while it runs: it is claimed, and nobody records its end.

const app = useApp();
let doneNames: string[];
beforeEach(async () => {
  doneNames = [];
  await sql`truncate jobs, job_turns restart identity`.execute(app.deps.sql);
});

afterEach(() => void vi.useRealTimers());

type NotePayload = { name: string };
const note: JobHandlers = { note: async (_deps, { name }: NotePayload) => void doneNames.push(name) };
const add = (name: string) =>
  enqueueAlone(app.deps, { kind: 'note', payload: { name }, lane: `lane ${name}` });
const rows = () => app.deps.sql.selectFrom('jobs').selectAll().orderBy('id').execute();
const claim = () => claimDue(app.deps, { kinds: ['note'], limit: 8, leaseMs: 2 * MINUTE_MS });
const namesOf = (claimed: Awaited<ReturnType<typeof claim>>) =>
  claimed.map(({ payload }) => (payload as NotePayload).name);
/** Claims jobs like a process that is killed before they are done; returns their names. */
async function claimAndDie(): Promise<string[]> {
  const claimed = await claim();
  app.clock.forward(2 * MINUTE_MS);
  await releaseExpired(app.deps, []);
  return namesOf(claimed);
}

test('another process runs a lost job after its lease', async () => {
  await add('orphan');
  expect(namesOf(await claim())).toEqual(['orphan']);
  app.clock.forward(2 * MINUTE_MS - 1);
  expect(await runDueJobs(app.deps, note)).toBe(0);
  app.clock.forward(1);
  expect(await runDueJobs(app.deps, note)).toBe(1);
  expect(await rows()).toMatchObject([{ lost: 1, attempts: 2, done_at: app.clock.now() }]);
});

/** A step that takes almost as long as a job may take without progress. */
function longStep() {
  app.clock.forward(50 * SECOND_MS);
  vi.advanceTimersByTime(50 * SECOND_MS);
}

test('a job in many steps keeps its lease, and may take longer than one step may', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await add('long');
  const handlers: JobHandlers = {
    note: async (_deps, _payload, _jobId, progress) => {
      for (let step = 0; step < 4; step += 1) {
        longStep();
        await progress();
        expect(await runDueJobs(app.deps, note)).toBe(0);
      }
    },
  };
  expect(await runDueJobs(app.deps, handlers)).toBe(1);
  expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, done_at: app.clock.now() }]);
});

test('a run stops at its next step once another run has its job', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await add('long');
  const handlers: JobHandlers = {
    note: async (_deps, { name }: NotePayload, _jobId, progress) => {
      longStep();
      app.clock.forward(2 * MINUTE_MS);
      expect(await runDueJobs(app.deps, note)).toBe(1);
      await progress();
      doneNames.push(`${name} again`);
    },
  };
  await runDueJobs(app.deps, handlers);
  expect(doneNames).toEqual(['long']);
  expect(await rows()).toMatchObject([{ attempts: 2, failures: 0, done_at: app.clock.now() }]);
});

test('a job that kills its process runs alone, so the jobs beside it are done', async () => {
  for (const name of ['fine', 'poison', 'fine too']) await add(name);
  expect(await claimAndDie()).toEqual(['fine', 'poison', 'fine too']);
  // From now on each lost job runs alone.
  expect(namesOf(await claim())).toEqual(['fine']);
  await sql`update jobs set done_at = ${app.clock.now()}, lease_until = null, lane = null where id = 1`.execute(
    app.deps.sql,
  );
  expect(await claimAndDie()).toEqual(['poison']);
  expect(await runDueJobs(app.deps, note)).toBe(1);
  expect(doneNames).toEqual(['fine too']);
});

test('a lost job waits longer each time, and fails the sixth time', async () => {
  await add('poison');
  expect(await claimAndDie()).toEqual(['poison']);
  for (const minutes of [2, 4, 8, 16]) {
    expect(await claimAndDie()).toEqual(['poison']);
    app.clock.forward(minutes * MINUTE_MS - 1);
    expect(await claim()).toEqual([]);
    app.clock.forward(1);
  }
  expect(await claimAndDie()).toEqual(['poison']);
  expect(await rows()).toMatchObject([
    {
      lost: 6,
      failed_at: app.clock.now(),
      last_error: 'its process ended while it ran, time after time',
      lane: null,
      payload: {},
    },
  ]);
});

test('lost jobs do not wait behind others', async () => {
  await add('lost');
  await claimAndDie();
  for (let count = 0; count < 20; count += 1) await add(`note ${count}`);
  expect(namesOf(await claim())).toEqual(['lost']);
});

test('a finished job does not run again if its end could not be recorded at once', async () => {
  const refusals = 2;
  await sql`create sequence notes`.execute(app.deps.sql);
  // A sequence does not roll back with its statement.
  await sql`
    create function has_room() returns trigger language plpgsql as $$
    begin
      if nextval('notes') <= ${sql.lit(refusals)} then raise 'no room' using errcode = '53300'; end if;
      return new;
    end $$`.execute(app.deps.sql);
  await sql`
    create trigger has_room before update on jobs for each row when (new.done_at is not null)
    execute function has_room()`.execute(app.deps.sql);
  await add('mail');
  expect(await runDueJobs(app.deps, note)).toBe(1);
  expect(doneNames).toEqual(['mail']);
  expect(await rows()).toMatchObject([{ attempts: 1, failures: 0, done_at: app.clock.now() }]);
  await sql`drop function has_room cascade`.execute(app.deps.sql);
});
