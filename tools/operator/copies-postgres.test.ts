import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open.ts';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import { everyRow } from '#server/testing/every-row.ts';
import { newName } from '#server/testing/stored-files.ts';
import { seed } from '../seeding/seed.ts';
import { operate } from './command.ts';

const root = mkdtempSync(path.join(tmpdir(), 'portico-copies-'));
const file = path.join(root, 'backup.tar.gz');
const environmentOf = async (name: string) => ({
  DATA_DIR: path.join(root, name),
  DATABASE_URL: await createPostgresDatabase(),
  SECRET_KEY: 'a-secret-of-exactly-32-characters',
});
let here: Awaited<ReturnType<typeof environmentOf>>;
beforeAll(async () => {
  here = await environmentOf('here');
  await seed(here, { besideOthers: false, tell: () => undefined });
  mkdirSync(path.join(here.DATA_DIR, 'images'), { recursive: true });
  writeFileSync(path.join(here.DATA_DIR, 'images', 'A'.repeat(43)), 'an icon');
}, 120_000);
const folders = [root];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const rowsOf = async (environment: typeof here) => {
  const { deps, database } = await openInstallation(readConfig(environment), pino({ level: 'silent' }));
  // Nothing open is restored, and the owners of recovery codes are told.
  const emptiedTables = [
    'sessions',
    'one_time_tokens',
    'jobs',
    'provider_records',
    'remembered_browsers',
    'recovery_codes',
    'authenticator_apps',
    'passkey_challenges',
    'notifications',
  ];
  const rows = await everyRow(deps.sql, { but: ['activity', 'activity_chains', ...emptiedTables] });
  await database.close();
  return rows;
};

test('a dump of a running portal is restored completely into another database', async () => {
  const running = await openInstallation(readConfig(here), pino({ level: 'silent' }));
  const backup = await operate(['backup', file], here);
  expect([backup.code, backup.errors]).toEqual([0, '']);
  expect(backup.out).toContain('SECRET_KEY is not in it');
  await running.database.close();

  // The images are in an existing folder, on another disk if there is one.
  const images = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'portico-images-'));
  folders.push(images);
  const there = { ...(await environmentOf('there')), STORAGE_URL: `file:${images}` };
  const keyless = await operate(['restore', file], { ...there, SECRET_KEY: '' });
  expect([keyless.code, keyless.errors]).toEqual([1, expect.stringContaining('set the same one')]);
  const wrongKey = await operate(['restore', file], { ...there, SECRET_KEY: 'x'.repeat(32) });
  expect([wrongKey.code, wrongKey.errors]).toEqual([1, expect.stringContaining('another SECRET_KEY')]);
  expect(await operate(['restore', file], there)).toMatchObject({ code: 0, errors: '' });
  expect((await operate(['verify'], there)).code).toBe(0);
  expect(await rowsOf(there)).toEqual(await rowsOf(here));
  expect(readFileSync(path.join(images, 'A'.repeat(43)), 'utf8')).toBe('an icon');
  const secondRestore = await operate(['restore', file], { ...there, DATA_DIR: path.join(root, 'filled') });
  expect([secondRestore.code, secondRestore.errors]).toEqual([
    1,
    `${images}: there is an installation already. Take an empty DATA_DIR.`,
  ]);

  const again = await operate(['restore', file], { ...here, DATA_DIR: path.join(root, 'again') });
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining('has tables already')]);
  const embeddedRestore = await operate(['restore', file], {
    ...there,
    STORAGE_URL: '',
    DATABASE_URL: '',
    DATA_DIR: path.join(root, 'embedded'),
  });
  expect([embeddedRestore.code, embeddedRestore.errors]).toEqual([
    1,
    expect.stringContaining('is of PostgreSQL'),
  ]);
});

test('a backup succeeds while pictures change, and restores no picture without its file', async () => {
  const busy = await environmentOf('busy');
  const images = path.join(busy.DATA_DIR, 'images');
  mkdirSync(images, { recursive: true });
  const { deps, database } = await openInstallation(readConfig(busy), pino({ level: 'silent' }));
  const names = Array.from({ length: 3000 }, () => newName());
  for (const name of names) writeFileSync(path.join(images, name), name);
  // Listed, but missing when it is read; the churn below causes the same at times.
  symlinkSync('/nowhere', path.join(images, newName()));
  const [keptName = ''] = names;
  await sql`insert into users (email, created_at) values ('a@northwind.example', now()), ('b@northwind.example', now())`.execute(
    deps.sql,
  );
  await sql`insert into pictures (file_id, user_id, media_type, created_at)
    select case email when 'a@northwind.example' then ${keptName} else ${newName()} end, id, 'image/png', now() from users`.execute(
    deps.sql,
  );
  const copy = path.join(root, 'busy.tar.gz');
  const over = new AbortController();
  let removedCount = 1;
  const churn = async () => {
    while (!over.signal.aborted && removedCount < names.length) {
      await rm(path.join(images, names[removedCount] ?? ''), { force: true });
      removedCount += 1;
      const part = path.join(images, `${newName()}.part`);
      await writeFile(part, 'comes');
      await rename(part, part.slice(0, -5));
    }
  };
  const churning = churn();
  const backup = await operate(['backup', copy], busy);
  over.abort();
  await churning;
  await database.close();
  expect([backup.code, backup.errors]).toEqual([0, '']);
  expect(removedCount).toBeGreaterThan(10);

  const quiet = await environmentOf('quiet');
  const back = await operate(['restore', copy], quiet);
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining('1 picture has no file') as string });
  const installation = await openInstallation(readConfig(quiet), pino({ level: 'silent' }));
  const rows = await installation.deps.sql.selectFrom('pictures').select('file_id').execute();
  await installation.database.close();
  expect(rows).toEqual([{ file_id: keptName }]);
  expect(readFileSync(path.join(quiet.DATA_DIR, 'images', keptName), 'utf8')).toBe(keptName);
});
