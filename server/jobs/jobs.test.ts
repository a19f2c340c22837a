import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { enqueue, enqueueAlone } from './enqueue.ts';
import { backOffMs, GiveUp, Refused, type JobHandlers, runDueJobs } from './jobs.ts';
import { UnknownKey } from '#server/keys.ts';
import { currentOrigin, workFor } from '#server/origin.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
let doneNames: string[];
beforeEach(async () => {
  doneNames = [];
  await sql`truncate jobs, job_turns restart identity`.execute(app.deps.sql);
});

type NotePayload = { name: string };
const note: JobHandlers = { note: async (_deps, { name }: NotePayload) => void doneNames.push(name) };
const add = (name: string, more: Partial<Parameters<typeof enqueue>[2]> = {}) =>
  enqueueAlone(app.deps, { kind: 'note', payload: { name }, ...more });
const run = (handlers: JobHandlers = note) => runDueJobs(app.deps, handlers);
const payloads = async () => (await rows()).map(({ payload }) => payload);
const rows = () => app.deps.sql.selectFrom('jobs').selectAll().orderBy('id').execute();
const failing = (error: Error): JobHandlers => ({
  note: async (_deps, { name }: NotePayload) => {
    doneNames.push(name);
    throw error;
  },
});

describe('a written job', () => {
  test('runs once, and its payload is deleted', async () => {
    await add('first');
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect(doneNames).toEqual(['first']);
    expect(await rows()).toMatchObject([
      { done_at: app.clock.now(), failed_at: null, lease_until: null, attempts: 1 },
    ]);
    expect(await payloads()).toEqual([{}]);
  });

  test("runs without a request's origin, even if a request woke the loop", async () => {
    const origins: unknown[] = [];
    const handlers: JobHandlers = { note: async () => void origins.push(currentOrigin()) };
    await add('first');
    await workFor({ origin: { ipAddress: '203.0.113.7', userAgent: '' } }, () => run(handlers));
    expect(origins).toEqual([undefined]);
  });

  test('never runs when its transaction rolled back', async () => {
    const write = (end: () => unknown) =>
      transaction(app.deps.sql, async (tx) => {
        await enqueue(tx, app.deps, { kind: 'note', payload: { name: 'ghost' } });
        return end();
      });
    await expect(
      write(() => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await write(() => refuse('no_changes'));
    await write(() => undefined);
    expect(await run()).toBe(1);
    expect(doneNames).toEqual(['ghost']);
  });

  test('waits for its time', async () => {
    await add('later', { runAt: fromNow(app.clock, HOUR_MS) });
    expect(await run()).toBe(0);
    app.clock.forward(HOUR_MS);
    expect(await run()).toBe(1);
  });

  test('fails and loses its payload when it expires', async () => {
    await add('late', { expiresAt: fromNow(app.clock, HOUR_MS) });
    app.clock.forward(HOUR_MS);
    expect(await run()).toBe(0);
    expect(doneNames).toEqual([]);
    expect(await rows()).toMatchObject([{ last_error: 'out of date', failed_at: app.clock.now() }]);
    expect(await payloads()).toEqual([{}]);
  });

  test('also fails when it expires while others run', async () => {
    await add('slow', { lane: 'one' });
    await add('late', { lane: 'one', expiresAt: fromNow(app.clock, MINUTE_MS) });
    await run({
      note: async (_deps, { name }: NotePayload) => {
        doneNames.push(name);
        app.clock.forward(MINUTE_MS);
      },
    });
    expect(doneNames).toEqual(['slow']);
  });

  test('of an unknown kind waits for a process that knows it', async () => {
    await add('x', { kind: 'newer' });
    expect(await run()).toBe(0);
    expect(await rows()).toMatchObject([{ attempts: 0, failed_at: null, payload: { name: 'x' } }]);
    expect(await run({ newer: () => Promise.resolve() })).toBe(1);
  });

  test('with a key that this process does not know waits for another process', async () => {
    await add('x');
    await run(failing(new UnknownKey('no key abc')));
    expect(await rows()).toMatchObject([
      { attempts: 1, failures: 0, failed_at: null, last_error: 'no key abc' },
    ]);
    app.clock.forward(2 * SECOND_MS);
    expect(await run()).toBe(1);
  });
});

describe('a failure', () => {
  test('is retried after waits that double up to 90 seconds, and later every quarter hour', () => {
    const waits = [1, 2, 3, 6, 7, 30, 31, 122].map(backOffMs);
    expect(waits).toEqual([2, 4, 8, 64, 90, 90, 900, 900].map((seconds) => seconds * SECOND_MS));
  });

  test('is not retried a moment early', async () => {
    await add('shy');
    const run = () => runDueJobs(app.deps, failing(new Error('busy')));
    expect(await run()).toBe(1);
    app.clock.forward(backOffMs(1) - 1);
    expect(await run()).toBe(0);
    app.clock.forward(1);
    expect(await run()).toBe(1);
    expect(await rows()).toMatchObject([
      { attempts: 2, last_error: 'busy', failed_at: null, lease_until: null, payload: { name: 'shy' } },
    ]);
  });

  test.for([
    [new Error('still down'), 23, 25],
    [new Refused('still down'), 1, 1.5],
  ] as const)('%s is final after %d to %d hours, and its reason stays', async ([error, least, most]) => {
    await add('hopeless');
    for (let count = 1; count <= 200 && (await rows())[0]?.failed_at === null; count += 1) {
      await run(failing(error));
      app.clock.forward(HOUR_MS);
    }
    const [row] = await rows();
    expect(row?.last_error).toBe('still down');
    expect(row?.payload).toEqual({ name: 'hopeless' });
    expect(doneNames).toHaveLength(row?.attempts ?? 0);
    const waited = doneNames.slice(1).reduce((sum, _, at) => sum + backOffMs(at + 1), 0);
    expect(waited / HOUR_MS).toBeGreaterThan(least);
    expect(waited / HOUR_MS).toBeLessThan(most);
  });

  test('that a retry cannot help is final at once', async () => {
    await add('final');
    await run(failing(new GiveUp('no such address')));
    app.clock.forward(DAY_MS);
    expect(await run()).toBe(0);
    expect(await rows()).toMatchObject([{ attempts: 1, last_error: 'no such address' }]);
    expect(await payloads()).toEqual([{ name: 'final' }]);
  });

  test('is logged without the payload of the job', async () => {
    const before = app.logLines.length;
    await add('private matter');
    await run(failing(new Error('busy')));
    const lines = app.logLines.slice(before).join('');
    expect(lines).toContain('"reason":"busy"');
    expect(lines).not.toContain('private');
  });
});

describe('a lane', () => {
  test('keeps its order when its first job fails, and other lanes go on', async () => {
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await add(name, { lane: name.charAt(0) });
    const failsOnce = new Set(['a1']);
    const handlers: JobHandlers = {
      note: async (_deps, { name }: NotePayload) => {
        if (failsOnce.delete(name)) throw new Error('busy');
        doneNames.push(name);
      },
    };
    await run(handlers);
    expect(doneNames).toEqual(['b1', 'b2']);
    app.clock.forward(backOffMs(1));
    await run(handlers);
    expect(doneNames).toEqual(['b1', 'b2', 'a1', 'a2', 'a3']);
  });

  test('is blocked by a failing job for 35 minutes to an hour', async () => {
    await add('stuck', { lane: 'a' });
    const handlers: JobHandlers = {
      note: async (_deps, { name }: NotePayload) => {
        if (name === 'stuck') throw new Error('busy');
        doneNames.push(name);
      },
    };
    const started = app.clock.now().getTime();
    await add('behind', { lane: 'a' });
    while (doneNames.length === 0) {
      await run(handlers);
      app.clock.forward(MINUTE_MS);
    }
    const blockedMs = app.clock.now().getTime() - started;
    expect(blockedMs).toBeGreaterThan(35 * MINUTE_MS);
    expect(blockedMs).toBeLessThan(HOUR_MS);
    expect(await rows()).toMatchObject([{ done_at: null, failed_at: null, lane: 'a' }, { lane: null }]);
  });

  test('goes on when its first job fails for good or expires', async () => {
    await add('a1', { lane: 'a', kind: 'hopeless' });
    await add('a2', { lane: 'a', expiresAt: app.clock.now() });
    await add('a3', { lane: 'a' });
    await run({ ...note, hopeless: () => Promise.reject(new GiveUp('no')) });
    expect(doneNames).toEqual(['a3']);
  });
});

describe('a lease', () => {
  /** Pauses a runner during its job for `waitMs`, runs a second runner, then ends the first job with `end`. */
  const overtaken = async (waitMs: number, end: () => void) => {
    await add('slow');
    let proceed = () => {};
    const middle = new Promise<void>((reached) => {
      const rest = new Promise<void>((resolve) => {
        proceed = resolve;
      });
      void run({
        note: async (_deps, { name }: NotePayload) => {
          doneNames.push(`first ${name}`);
          reached();
          await rest;
          end();
        },
      }).then(() => doneNames.push('first is through'));
    });
    await middle;
    app.clock.forward(waitMs);
    const count = await run({
      note: async (_deps, { name }: NotePayload) => void doneNames.push(`second ${name}`),
    });
    proceed();
    await expect.poll(() => doneNames).toContain('first is through');
    return count;
  };

  test('keeps other runners from the job while it lasts', async () => {
    expect(await overtaken(2 * MINUTE_MS - 1, () => undefined)).toBe(0);
    expect(doneNames).toEqual(['first slow', 'first is through']);
    expect(await rows()).toMatchObject([{ done_at: app.clock.now(), attempts: 1 }]);
  });

  test('that ran out lets another runner take the job, which the first can no longer change', async () => {
    const fail = () => {
      throw new GiveUp('too late');
    };
    expect(await overtaken(2 * MINUTE_MS, fail)).toBe(1);
    expect(doneNames).toEqual(['first slow', 'second slow', 'first is through']);
    expect(await rows()).toMatchObject([
      { done_at: app.clock.now(), failed_at: null, last_error: null, attempts: 2 },
    ]);
  });

  test('protects a job that expires while it runs', async () => {
    await add('timely', { expiresAt: fromNow(app.clock, SECOND_MS) });
    await run({
      note: async (_deps, { name }: NotePayload) => {
        app.clock.forward(SECOND_MS);
        await runDueJobs(app.deps, note);
        doneNames.push(name);
      },
    });
    expect(doneNames).toEqual(['timely']);
    expect(await rows()).toMatchObject([{ done_at: app.clock.now(), failed_at: null, last_error: null }]);
  });
});

test('three concurrent runners run each job once, and a lane in its order', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `job ${at}`);
  for (const name of names) await add(name, name.endsWith('7') ? { lane: 'seven' } : {});
  const counts = await Promise.all([run(), run(), run()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
  expect(doneNames.toSorted()).toEqual(names.toSorted());
  const seven = doneNames.filter((name) => name.endsWith('7'));
  expect(seven).toEqual(names.filter((name) => name.endsWith('7')));
});
