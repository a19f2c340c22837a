import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { insertUser } from '#server/accounts/data.ts';
import { readConfig } from '#server/config.ts';
import { transaction } from '#server/db/connect.ts';
import { openInstallation } from '#server/open.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import { seed } from './seed.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portico-seed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'a database with other people is filled only on request, and its chains verify',
  { timeout: 120_000 },
  async () => {
    const environment = { DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase() };
    const open = () => openInstallation(readConfig(environment), pino({ level: 'silent' }));
    const before = await open();
    const person = {
      email: 'real@people.example',
      country: null,
      timeZone: null,
      language: null,
      createdAt: new Date(),
    };
    await transaction(before.deps.sql, (tx) => insertUser(tx, person));
    await before.database.close();

    const options = { besideOthers: false, tell: () => undefined };
    const refusal = await seed(environment, options);
    expect([refusal.ok, refusal.words]).toEqual([false, expect.stringContaining('--beside-others')]);
    expect(await seed(environment, { ...options, besideOthers: true })).toMatchObject({ ok: true });

    const { deps, database } = await open();
    const broken = [];
    for await (const chain of brokenChains(deps)) broken.push(chain);
    expect(broken).toEqual([]);
    const people = await deps.sql.selectFrom('users').select('id').execute();
    expect(people).toHaveLength(44);
    await database.close();
  },
);
