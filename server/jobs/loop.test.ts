import { type QueryId, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { type Refusal, refuse } from '#contract/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { claimDue } from './data-claims.ts';
import { enqueue, enqueueAlone } from './enqueue.ts';
import { Away, type JobHandlers, runDueJobs, startJobs, type Sweep } from './jobs.ts';
import { jobCommits, waitForJob } from '#server/waking.ts';
import { planOf } from '#server/testing/plans.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
let doneNames: string[];
beforeEach(async () => {
  doneNames = [];
  await sql`truncate jobs, job_turns restart identity`.execute(app.deps.sql);
});

type NotePayload = { name: string };
const note: JobHandlers = { note: async (_deps, { name }: NotePayload) => void doneNames.push(name) };
const add = (name: string, kind = 'note') => enqueueAlone(app.deps, { kind, payload: { name } });
const rows = () => app.deps.sql.selectFrom('jobs').selectAll().orderBy('id').execute();

test('the loop runs new jobs, and stops once the running ones are done', async () => {
  const stop = startJobs(app.deps, note, [], 5);
  await add('one');
  await expect.poll(() => doneNames).toEqual(['one']);
  await stop();
  await add('two');
  expect(doneNames).toEqual(['one']);
  expect(await rows()).toMatchObject([{ attempts: 1 }, { attempts: 0 }]);
});

test('a job written in this process wakes the loop, however long its poll interval', async () => {
  const stop = startJobs(app.deps, note, [], HOUR_MS);
  for (const name of ['one', 'two']) {
    await add(name);
    await expect.poll(() => doneNames).toContain(name);
  }
  await stop();
});

test('the loop wakes once per commit, also for a commit during its last search', async () => {
  const commits = jobCommits();
  const write = (end?: Refusal) =>
    transaction(app.deps.sql, async (tx) => {
      for (const name of ['one', 'two']) await enqueue(tx, app.deps, { kind: 'note', payload: { name } });
      expect(jobCommits()).toBe(commits);
      return end;
    });
  await write(refuse('no_changes'));
  expect(jobCommits()).toBe(commits);
  await write();
  expect(jobCommits()).toBe(commits + 1);
  await waitForJob(HOUR_MS, commits, new AbortController().signal);
});

test('a job written right after a search runs soon, however long the poll interval', async () => {
  const searches = new WeakSet<QueryId>();
  let isLate = true;
  const sqlWithOneMore = app.deps.sql.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node);
      if (text.includes('lost = 0') && text.includes(' and kind = any (')) searches.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (isLate && searches.has(queryId)) {
        isLate = false;
        await add('late');
      }
      return result;
    },
  });
  const stop = startJobs({ ...app.deps, sql: sqlWithOneMore }, note, [], HOUR_MS);
  await expect.poll(() => doneNames).toEqual(['late']);
  await stop();
});

test('a long queue does not delay a stop', async () => {
  for (let count = 0; count < 30; count += 1) await add(`job ${count}`);
  let stopped: Promise<void> | undefined;
  const handlers: JobHandlers = {
    note: async (_deps, { name }: NotePayload) => {
      stopped ??= stop();
      doneNames.push(name);
    },
  };
  const stop = startJobs(app.deps, handlers, []);
  await expect.poll(() => doneNames.length).toBeGreaterThan(0);
  await stopped;
  expect(doneNames).toHaveLength(3);
  expect((await rows()).filter((row) => row.lease_until !== null)).toEqual([]);
});

test('a stop releases a job that does not finish in time: another process runs it at once, and it does not count as lost', async () => {
  let finish = () => {};
  const hanging = new Promise<void>((resolve) => (finish = resolve));
  await add('slow');
  const stop = startJobs(app.deps, { note: () => hanging }, [], 5);
  await expect.poll(async () => (await rows())[0]?.lease_until ?? null).not.toBeNull();
  await stop(20);
  expect(await rows()).toMatchObject([{ lease_until: null, done_at: null, lost: 0, failures: 0 }]);
  expect(await runDueJobs(app.deps, note)).toBe(1);
  finish();
  expect(doneNames).toEqual(['slow']);
});

test('jobs that ended long ago are swept', async () => {
  await add('old');
  await runDueJobs(app.deps, note);
  app.clock.forward(31 * DAY_MS);
  await startJobs(app.deps, note, [])();
  expect(await rows()).toEqual([]);
});

test('the sweeps of the features run at the start and then every hour', async () => {
  let swept = 0;
  const stop = startJobs(app.deps, note, [async () => (swept += 1)], 5);
  await expect.poll(() => swept).toBe(1);
  app.clock.forward(HOUR_MS - 1);
  await add('one');
  await expect.poll(() => doneNames).toEqual(['one']);
  expect(swept).toBe(1);
  app.clock.forward(1);
  await expect.poll(() => swept).toBe(2);
  await stop();
});

test('a sweep that fails stops neither the others nor the jobs', async () => {
  const fails = () => Promise.reject(new Error('no bucket'));
  const stop = startJobs(app.deps, note, [fails, async () => doneNames.push('swept')], 5);
  await expect.poll(() => doneNames).toEqual(['swept']);
  await add('job');
  await expect.poll(() => doneNames).toEqual(['swept', 'job']);
  await stop();
  expect(app.logLines.join('')).toContain('no bucket');
});

test('only one of several processes sweeps, and another sweeps after it has ended', async () => {
  const sweep: Sweep = async () => doneNames.push('swept');
  const start = () => startJobs(app.deps, note, [sweep], 5);
  const stops = [start(), start(), start()];
  for (const name of ['a', 'b']) {
    await add(name);
    await expect.poll(() => doneNames.filter((doneName) => doneName === name)).toHaveLength(1);
  }
  for (const stop of stops) await stop();
  expect(doneNames.filter((name) => name === 'swept')).toHaveLength(1);
  app.clock.forward(HOUR_MS);
  await start()();
  expect(doneNames.filter((name) => name === 'swept')).toHaveLength(2);
});

test('a kind with slots of its own blocks only itself', async () => {
  const [kind, atOnce] = ['mail', 8];
  let release = () => {};
  const hanging = new Promise<void>((resolve) => (release = resolve));
  for (let count = 0; count < 10; count += 1) await add('slow', kind);
  const stop = startJobs(app.deps, { ...note, [kind]: { slots: atOnce, run: () => hanging } }, [], 5);
  await expect
    .poll(async () => (await rows()).filter((row) => row.lease_until !== null))
    .toHaveLength(atOnce);
  await add('quick');
  await expect.poll(() => doneNames).toEqual(['quick']);
  release();
  await stop();
});

test('a job that takes too long fails, whatever its late result is', async () => {
  let finish = () => {};
  const handlers: JobHandlers = {
    note: { limitMs: 20, run: () => new Promise<void>((resolve) => (finish = resolve)) },
  };
  await add('slow');
  expect(await runDueJobs(app.deps, handlers)).toBe(1);
  finish();
  expect(await rows()).toMatchObject([
    { failures: 1, done_at: null, lease_until: null, last_error: 'took longer than 0.02 s' },
  ]);
});

test('while a service is away, one batch per minute is tried; all jobs run when it is back', async () => {
  let tries = 0;
  let isAway = true;
  const handlers: JobHandlers = {
    note: async (_deps, { name }: NotePayload) => {
      tries += 1;
      if (isAway) throw new Away('connection refused');
      doneNames.push(name);
    },
    other: async () => void doneNames.push('other'),
  };
  const names = Array.from({ length: 30 }, (_, at) => `note ${at}`);
  for (const name of names) await add(name);
  await add('', 'other');
  for (let minutes = 0; minutes < 120; minutes += 1) {
    await runDueJobs(app.deps, handlers);
    app.clock.forward(MINUTE_MS);
  }
  // A batch has three jobs.
  expect(tries).toBeLessThanOrEqual(3 * 120);
  expect(doneNames).toEqual(['other']);
  expect((await rows()).filter((row) => row.failures > 0 || row.failed_at !== null)).toEqual([]);
  isAway = false;
  app.clock.forward(MINUTE_MS);
  await runDueJobs(app.deps, handlers);
  expect(doneNames.slice(1).toSorted()).toEqual(names.toSorted());
});

test('a job whose service is down is tried again after two seconds, four, eight, up to a minute', async () => {
  const away: JobHandlers = { note: () => Promise.reject(new Away('connection refused')) };
  await add('shy');
  const gaps: number[] = [];
  let last = app.clock.now().getTime();
  while (gaps.length < 8) {
    if ((await runDueJobs(app.deps, away)) > 0) {
      gaps.push((app.clock.now().getTime() - last) / 1000);
      last = app.clock.now().getTime();
    }
    app.clock.forward(1000);
  }
  expect(gaps).toEqual([0, 2, 4, 8, 16, 32, 60, 60]);
});

test('a large burst is claimed as fast as a few jobs, even without planner statistics', async () => {
  const BURST = 8000;
  const now = app.clock.now();
  await sql`insert into jobs (kind, payload, lane, created_at, run_at)
    select 'note', '{}', 'lane ' || one, ${now}, ${now} from generate_series(1, ${sql.lit(BURST)}) as one`.execute(
    app.deps.sql,
  );
  const queries = await queriesOf(async () =>
    expect(await claimDue(app.deps, { kinds: ['note'], limit: 8, leaseMs: MINUTE_MS })).toHaveLength(8),
  );
  const claims = queries.filter(({ text }) => text.includes('update jobs'));
  expect(claims).toHaveLength(2);
  const plans = [];
  for (const claim of claims) plans.push((await planOf(app.deps.sql, claim)).rows);
  // The search for lost jobs reads all rows once. The search for earlier jobs of eight lanes reads few rows.
  expect(plans[0]).toBeLessThanOrEqual(BURST);
  expect(plans[1]).toBeLessThan(100);
});

test('a stop does not release a finished job, even if its end is not recorded yet', async () => {
  await sql`
    create function has_no_room() returns trigger language plpgsql as $$
    begin raise 'no room' using errcode = '53300'; end $$`.execute(app.deps.sql);
  await sql`
    create trigger has_no_room before update on jobs for each row when (new.done_at is not null)
    execute function has_no_room()`.execute(app.deps.sql);
  await add('once');
  const stop = startJobs(app.deps, note, [], 5);
  await expect.poll(() => doneNames).toEqual(['once']);
  await stop();
  await sql`drop function has_no_room cascade`.execute(app.deps.sql);
  await runDueJobs(app.deps, note);
  expect(doneNames).toEqual(['once']);
});
