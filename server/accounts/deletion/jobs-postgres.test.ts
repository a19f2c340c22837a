import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eraseDueAccounts } from './jobs.ts';
import { DAY_MS, SECOND_MS } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'portico-open-'));

test('an account is erased by the clock of the database, neither earlier nor later', async () => {
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: await createPostgresDatabase(),
    SECRET_KEY: 'a-secret-of-exactly-32-characters',
  });
  const today = Date.now();
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(dataDir, { recursive: true });
  });
  // The clock of each process is wrong, by a different amount.
  for (const days of [-400, 400]) {
    vi.useFakeTimers({ toFake: ['Date'], now: today + days * DAY_MS });
    const { deps, database } = await openInstallation(config, pino({ level: 'silent' }));
    await sql`insert into users (email, first_name, created_at) values
      ('due@northwind.example', 'Due', now()), ('waits@northwind.example', 'Waits', now())
      on conflict do nothing`.execute(deps.sql);
    await sql`insert into account_deletions (user_id, reason, requested_at, due_at)
      select id, '', now() - interval '60 days', now() + case first_name when 'Due' then -1 else 60 end * interval '1 minute'
      from users on conflict do nothing`.execute(deps.sql);
    expect(Math.abs(deps.clock.now().getTime() - today)).toBeLessThan(60 * SECOND_MS);
    await eraseDueAccounts(deps);
    const people = await deps.sql.selectFrom('users').select('first_name').execute();
    expect(
      people.map((row) => row.first_name),
      `a process ${days} days ahead`,
    ).toEqual(['Waits']);
    await database.close();
  }
});
