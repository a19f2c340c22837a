import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueue, startJobs } from '#server/jobs/jobs.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

test('a sweep that fails stops neither the others nor the jobs', async () => {
  const done: string[] = [];
  const fails = async () => {
    throw new Error('no bucket');
  };
  const jobs = { note: async () => void done.push('job') };
  const stop = startJobs(app.deps, jobs, [fails, async () => done.push('swept')], 5);
  await expect.poll(() => done).toEqual(['swept']);
  await enqueue(app.deps.sql, app.deps, { kind: 'note', payload: {} });
  await expect.poll(() => done).toEqual(['swept', 'job']);
  await stop();
  expect(app.logLines.join('')).toContain('no bucket');
});
