import { expect, test } from 'vitest';
import { fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

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
