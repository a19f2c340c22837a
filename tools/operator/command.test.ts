import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acts } from '#contract/operator/acts.ts';
import { readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open.ts';
import { exampleCommand, exampleRegistration } from '#server/testing/documented.ts';
import { seed } from '../seeding/seed.ts';
import { operate } from './command.ts';

const root = fs.mkdtempSync(path.join(tmpdir(), 'portico-operator-'));
const folder = path.join(root, 'data');
const at = (dataDir: string) => ({ DATA_DIR: dataDir });
const run = (...args: string[]) => operate(args, at(folder));
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out) as unknown;
const inSite = async <T>(
  use: (installation: Awaited<ReturnType<typeof openInstallation>>) => Promise<T>,
  dataDir = folder,
) => {
  const installation = await openInstallation(readConfig(at(dataDir)), pino({ level: 'silent' }));
  try {
    return await use(installation);
  } finally {
    await installation.database.close();
  }
};

beforeAll(async () => {
  await seed(at(folder), { besideOthers: false, tell: () => undefined });
  fs.mkdirSync(path.join(folder, 'images'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'images', 'A'.repeat(43)), 'an icon');
}, 120_000);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe('the arguments', () => {
  test('--help lists every command, that of a command its options, and no command is an error', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const name of Object.keys(acts)) expect(out).toContain(`\n  ${name}`);
    expect((await run('restrict', '--help')).out).toContain('\n  --until <moment>  when it ends, in UTC\n');
    expect((await run()).code).toBe(2);
  });

  test.for([
    [['fly'], 'There is no command fly.'],
    [['constructor'], 'There is no command constructor.'],
    [['keys'], 'There is no command keys. There are keys list, keys rotate.'],
    [['find'], 'Usage: npm run operator -- find <id'],
    [['find', 'a', 'b'], 'Usage: npm run operator -- find <id'],
    [['find', 'Maya', '--quickly'], 'Unknown option'],
    [['lift', 'Maya', '--until', '2026-12-24'], '--until goes with restrict and log.'],
    [['applications', 'edit', 'Sign', '--kind', 'native'], '--kind goes with applications add.'],
  ] as const)('%j is invalid', async ([args, words]) => {
    const { code, errors, out } = await run(...args);
    expect([code, out, errors.split('\n').length < 3]).toEqual([2, '', true]);
    expect(errors).toContain(words);
  });

  test.for([
    [['restrict', 'Emil', '--until', 'soon'], '--until soon: takes a day or a time in UTC'],
    [['restrict', 'Emil', '--until', '2020-01-01'], 'The end lies in the past.'],
    [['restore-account', 'Emil'], 'No changes'],
    [['lift', 'Ma'], 'people fit "Ma"; name one by the id:'],
    [['restore', '/nowhere.tar.gz'], '/nowhere.tar.gz is not there.'],
    [['applications', 'add', '--icon', 'nowhere'], 'nowhere: There is no such file.'],
  ] as const)('%j cannot be done', async ([args, words]) => {
    const { code, errors } = await run(...args);
    expect(errors).toContain(words);
    expect(code).toBe(1);
  });

  test('of the documented examples register them', async () => {
    for (const chapter of ['Node', 'Browser only', 'Apache']) {
      const { client_id: id } = (await json(...exampleCommand(chapter))) as { client_id: string };
      expect(await json('applications', 'show', id)).toMatchObject(
        exampleRegistration(chapter, 'https://app.example.com'),
      );
    }
  });

  test('a folder without an installation stays as it is, and a wrong environment is reported', async () => {
    const empty = path.join(root, 'empty');
    const { code, errors } = await operate(['find', 'Maya'], at(empty));
    expect([code, errors]).toEqual([1, expect.stringContaining('Start the portal once')]);
    expect(fs.existsSync(empty)).toBe(false);
    const wrong = await operate(['find', 'Maya'], { PORT: 'x' });
    expect([wrong.code, wrong.errors]).toEqual([1, 'PORT: got "x", takes a whole number from 1 to 65535']);
  });

  test('a locked embedded database is reported', async () => {
    await inSite(async () => {
      const { code, errors } = await run('find', 'Maya');
      expect([code, errors]).toEqual([1, expect.stringMatching(/is in use by process \d+\. Stop it first/)]);
    });
  });
});

test('people are shown with their organizations, in lines and as JSON', async () => {
  const { code, out } = await run('find', 'Maya');
  expect(code).toBe(0);
  expect(out).toMatch(/^\d+ {2}Maya Lindqvist {2}maya\.lindqvist@northwind\.example$/m);
  expect(out).toMatch(/Northwind Traders \(northwind-traders\): Super Admin, active/);
  expect(await json('find', 'emil.dahl@northwind.example')).toMatchObject([
    { first_name: 'Emil', restricted_until: expect.any(String) as string, memberships: [{ role: 'Sales' }] },
  ]);
});

test('an id names one person, even if other names match it', async () => {
  const rename = (name: string) =>
    inSite(({ database }) =>
      database.changing
        .updateTable('users')
        .set({ first_name: name })
        .where('email', '=', 'emil.dahl@northwind.example')
        .execute(),
    );
  const [maya] = (await json('find', 'maya.lindqvist@northwind.example')) as { id: number }[];
  const id = String(maya?.id);
  await rename(id);
  expect((await json('find', id)) as unknown[]).toHaveLength(2);
  expect((await run('lift', id)).errors).toContain('No changes');
  await rename('Emil');
});

/** The id of the seeded organization. */
const northwind = () =>
  inSite(async ({ deps }) => {
    const organizations = deps.sql.selectFrom('organizations').select('id');
    return (await organizations.where('name', '=', 'Northwind Traders').executeTakeFirstOrThrow()).id;
  });

test(
  'the log is verified, all of it or one chain, and a changed row is named',
  { timeout: 120_000 },
  async () => {
    expect(await run('verify')).toEqual({ code: 0, out: 'The log is as it was written.', errors: '' });
    const chain = `org:${await northwind()}`;
    expect((await run('verify', chain)).code).toBe(0);
    const tampered = path.join(root, 'tampered');
    fs.cpSync(folder, tampered, { recursive: true });
    await inSite(
      ({ database }) =>
        database.exclusively((script) =>
          script(`alter table activity disable trigger activity_append_only;
          update activity set user_id = 2 where chain = '${chain}' and position = 5;
          alter table activity enable always trigger activity_append_only`),
        ),
      tampered,
    );
    const { code, out } = await operate(['verify', chain], at(tampered));
    expect([code, out]).toEqual([1, `${chain} row 5: a broken link`]);
    const asJson = await operate(['verify', '--json'], at(tampered));
    expect([asJson.code, JSON.parse(asJson.out)]).toEqual([
      1,
      [{ chain, position: 5, problem: 'a broken link' }],
    ]);
  },
);

describe('a backup', () => {
  const file = path.join(root, 'backup.tar.gz');
  const elsewhere = path.join(root, 'elsewhere');
  test('is one file that only its owner can read, and is never overwritten', async () => {
    expect(await run('backup', file)).toMatchObject({ code: 0, errors: '' });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.existsSync(`${file}.part`)).toBe(false);
    const again = await run('backup', file);
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('is there already')]);
  });

  test('names a folder that is not writable', async () => {
    const nowhere = path.join(root, 'nowhere');
    const { code, errors } = await run('backup', path.join(nowhere, 'backup.tar.gz'));
    expect([code, errors]).toEqual([1, expect.stringContaining(`${nowhere} is no folder`)]);
  });

  test('restores people, passwords, images and an intact log, and records the restore in it', async () => {
    const restore = await operate(['restore', file], at(elsewhere));
    expect([restore.code, restore.errors]).toEqual([0, '']);
    expect(restore.out).toMatch(/^Brought back from /);
    expect(restore.out).toContain('Everybody is signed out');
    expect((await operate(['verify'], at(elsewhere))).code).toBe(0);
    const people = (dataDir: string) =>
      inSite(({ deps }) => deps.sql.selectFrom('users').selectAll().orderBy('id').execute(), dataDir);
    expect(await people(elsewhere)).toEqual(await people(folder));
    expect(fs.readFileSync(path.join(elsewhere, 'images', 'A'.repeat(43)), 'utf8')).toBe('an icon');
    expect(fs.readFileSync(path.join(elsewhere, 'secret'), 'utf8')).toBe(
      fs.readFileSync(path.join(folder, 'secret'), 'utf8'),
    );
    expect(fs.statSync(path.join(elsewhere, 'secret')).mode & 0o777).toBe(0o600);
    const matches = await inSite(async ({ deps }) => {
      const stored = await deps.sql
        .selectFrom('passwords')
        .innerJoin('users', 'users.id', 'passwords.user_id')
        .select(['user_id as owner', 'sealed_phc as sealed'])
        .where('email', '=', 'maya.lindqvist@northwind.example')
        .executeTakeFirstOrThrow();
      return deps.passwords.matches('sturdy arch 42', stored, 'test');
    }, elsewhere);
    expect(matches).toBe(true);
    const last = await inSite(
      ({ deps }) =>
        deps.sql.selectFrom('activity').select('information').orderBy('id', 'desc').limit(2).execute(),
      elsewhere,
    );
    expect(last).toMatchObject([
      { information: { restore: [null, file], images: [0, 0] } },
      { information: { backup: [null, file] } },
    ]);
  });

  test('restores nothing that was open: no session, no link, no waiting mail', async () => {
    const open = (dataDir: string) =>
      inSite(async ({ deps }) => {
        const count = async (rows: Promise<unknown[]>) => (await rows).length;
        const { sql } = deps;
        return {
          sessions: await count(sql.selectFrom('sessions').select('id').execute()),
          links: await count(
            sql.selectFrom('one_time_tokens').select('id').where('used_at', 'is', null).execute(),
          ),
          jobs: await count(
            sql
              .selectFrom('jobs')
              .select('id')
              .where('done_at', 'is', null)
              .where('failed_at', 'is', null)
              .execute(),
          ),
        };
      }, dataDir);
    expect(Object.values(await open(folder)).every((count) => count > 0)).toBe(true);
    expect(await open(elsewhere)).toEqual({ sessions: 0, links: 0, jobs: 0 });
  });

  test.for([
    ['over an installation', () => at(folder), 'there is an installation already'],
    ['over a restored one', () => at(elsewhere), 'there is an installation already'],
    [
      'with a new key in the environment',
      () => ({ ...at(path.join(root, 'keyed')), SECRET_KEY: 'x'.repeat(32) }),
      'leave SECRET_KEY out',
    ],
  ] as const)('is not restored %s', async ([, environment, words]) => {
    const { code, errors } = await operate(['restore', file], environment());
    expect([code, errors]).toEqual([1, expect.stringContaining(words)]);
  });

  test.for([
    ['truncated', (whole: Buffer) => whole.subarray(0, 4000)],
    ['something else', () => Buffer.from('no archive')],
  ] as const)('that is %s leaves the folder as it was', async ([, change]) => {
    const brokenFile = path.join(root, 'broken.tar.gz');
    fs.writeFileSync(brokenFile, change(fs.readFileSync(file)));
    const dataDir = path.join(root, 'untouched');
    const { code, errors } = await operate(['restore', brokenFile], at(dataDir));
    expect([code, errors]).toEqual([1, expect.stringMatching(/can't be unpacked|is no backup/)]);
    expect(fs.existsSync(path.join(dataDir, 'database'))).toBe(false);
    expect(fs.existsSync(path.join(dataDir, 'secret'))).toBe(false);
  });
});
