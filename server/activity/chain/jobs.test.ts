import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrgId, UserId } from '#contract/wire.ts';
import { askForDailyAnchor } from './jobs.ts';
import { recordActivity } from '#server/activity/data.ts';
import { DAY_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { runDueJobs } from '#server/jobs/jobs.ts';
import { sha256 } from '#server/keys.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

let app: TestApp;
let folder: string;
beforeEach(async () => {
  app = await startApp();
  folder = path.join(app.deps.config.dataDir, 'anchors');
});
afterEach(() => app.close());

const record = (orgId: number) =>
  transaction(app.deps.sql, (tx) =>
    recordActivity(tx, app.deps, 'organization.organizationInformation.update', {
      orgId: orgId as OrgId,
      userId: 7 as UserId,
    }),
  );
const anchored = (day: string) => readFileSync(path.join(folder, `${day}.jsonl`), 'utf8');
const noted = () => app.logLines.filter((line) => line.includes('are anchored'));

test('the ends of all chains are written and logged once a day, however many processes sweep', async () => {
  for (const orgId of [3, 4]) await record(orgId);
  await Promise.all([askForDailyAnchor(app.deps), askForDailyAnchor(app.deps)]);
  await askForDailyAnchor(app.deps);
  expect(await runDueJobs(app.deps, app.jobs)).toBe(1);

  const text = anchored('2026-03-02');
  const ends = await app.deps.sql.selectFrom('activity_chains').selectAll().orderBy('chain').execute();
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ends.map(({ chain, length, head }) => ({ chain, length, head: Buffer.from(head).toString('hex') })),
  );
  expect(noted()).toHaveLength(1);
  expect(JSON.parse(noted()[0] ?? '')).toMatchObject({
    day: '2026-03-02',
    chains: 2,
    sha256: sha256(text).toString('hex'),
  });

  app.clock.forward(DAY_MS);
  await askForDailyAnchor(app.deps);
  expect(await runDueJobs(app.deps, app.jobs)).toBe(1);
  expect(readdirSync(folder)).toEqual(['2026-03-02.jsonl', '2026-03-03.jsonl']);
});

test('a thousand chains all get their anchor', async () => {
  await sql`insert into activity_chains (chain, length, head)
    select 'org:' || n, 0, '' from generate_series(1, 1001) as n`.execute(app.deps.sql);
  await askForDailyAnchor(app.deps);
  await runDueJobs(app.deps, app.jobs);
  expect(anchored('2026-03-02').trimEnd().split('\n')).toHaveLength(1001);
});

test('anchors are deleted after five weeks, and no other files are', async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ['2026-01-25.jsonl', '2026-01-26.jsonl', 'notes.txt'])
    writeFileSync(path.join(folder, name), '');
  await askForDailyAnchor(app.deps);
  await runDueJobs(app.deps, app.jobs);
  expect(readdirSync(folder)).toEqual(['2026-01-26.jsonl', '2026-03-02.jsonl', 'notes.txt']);
});

test('a folder that cannot be written is tried again', async () => {
  await record(3);
  writeFileSync(folder, 'in the way');
  await askForDailyAnchor(app.deps);
  await runDueJobs(app.deps, app.jobs);
  expect(noted()).toEqual([]);
  rmSync(folder);
  app.clock.forward(DAY_MS / 24);
  await runDueJobs(app.deps, app.jobs);
  expect(anchored('2026-03-02')).toContain('org:3');
});
