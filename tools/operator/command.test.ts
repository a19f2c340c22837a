import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acts } from '#contract/operator/acts.ts';
import { Refusal } from '#contract/errors.ts';
import { insertUser } from '#server/accounts/data.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { DAY_MS } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase, transaction } from '#server/db/connect.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { openSession } from '#server/sessions/actions.ts';
import { exampleCommand, exampleRegistration } from '#server/testing/documented.ts';
import { operate } from './command.ts';
import { inSiteAt } from './testing/in-site.ts';

const root = fs.mkdtempSync(path.join(tmpdir(), 'portico-operator-'));
const folder = path.join(root, 'data');
const at = (dataDir: string) => ({ DATA_DIR: dataDir });
const run = (...args: string[]) => operate(args, at(folder));
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out) as unknown;
const inSite = <T>(use: Parameters<typeof inSiteAt<T>>[1], dataDir = folder) => inSiteAt(dataDir, use);

beforeAll(async () => {
  await inSite(({ deps }) =>
    transaction(deps.sql, async (tx) => {
      const createdAt = deps.clock.now();
      for (const first of ['maya', 'mats', 'emil']) {
        const email = `${first}@northwind.example`;
        const user = await insertUser(tx, { email, created_at: createdAt, confirmed_at: createdAt });
        if (user instanceof Refusal) throw new Error(user.name);
        await tx.updateTable('users').set({ first_name: first }).where('id', '=', user.id).execute();
        await openSession(tx, deps, user.id, { ipAddress: '', userAgent: '', location: '' });
        await issueToken(tx, deps, {
          purpose: 'reset-password',
          userId: user.id,
          subject: email,
          lifeMs: DAY_MS,
        });
        await enqueue(tx, deps, { kind: 'mail', payload: {} });
      }
    }),
  );
  fs.mkdirSync(path.join(folder, 'images'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'images', 'A'.repeat(43)), 'an icon');
}, 120_000);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe('the arguments', () => {
  test('--help lists every command, that of a command its options, and no command is an error', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const name of Object.keys(acts).filter((one) => one !== 'copy'))
      expect(out).toContain(`\n  ${name}`);
    expect((await run('restrict', '--help')).out).toContain(
      '\n  --until <moment, or lifted>  when it ends, in UTC\n',
    );
    expect((await run()).code).toBe(2);
    const helpOfFind = await run('find', '--help');
    for (const args of [
      ['help', 'find'],
      ['find', '-h'],
    ])
      expect([args, await run(...args)]).toEqual([args, helpOfFind]);
    expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+-/);
  });

  test.for([
    [['fly'], 'There is no command fly.'],
    [['constructor'], 'There is no command constructor.'],
    [['keys'], 'There is no command keys, but keys list, keys rotate.'],
    [['applications', 'create'], 'There is no command applications create, but applications add, '],
    [['key', 'rotate'], 'Did you mean keys rotate?'],
    [['42'], 'Did you mean find 42?'],
    [['restrict', 'Maya', '2026-12-24'], 'Options are --until, --reason, --json.'],
    [['restric', 'Maya'], 'There is no command restric. Did you mean restrict?'],
    [['maya@northwind.example'], 'Did you mean find maya@northwind.example?'],
    [['find'], 'Usage: npm run operator -- find <id'],
    [['find', 'a', 'b'], 'Put a name of several words in quotation marks.'],
    [['find', 'Maya', '--quickly'], "Unknown option '--quickly'.\nfind takes --json."],
    [['lift', 'Maya', '--reason'], 'lift takes --reason, --json.'],
    [['lift', 'Maya', '--until', '2026-12-24'], '--until goes with restrict and log.'],
    [['applications', 'edit', 'Sign', '--kind', 'native'], '--kind goes with applications add.'],
  ] as const)('%j is invalid', async ([args, words]) => {
    const { code, errors, out } = await run(...args);
    expect([code, out, errors.split('\n').length < 3]).toEqual([2, '', true]);
    expect(errors).toContain(words);
  });

  test.for([
    [['restrict', 'emil', '--until', 'soon'], '--until soon: takes a day or a time in UTC'],
    [['restrict', 'Emil', '--until', '2020-01-01'], 'The end is in the past.'],
    [['restore-account', 'Emil'], 'This account does not wait for its erasure.'],
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

  test('a database of another release is reported by each command, and let go', async () => {
    const other = path.join(root, 'other-release');
    fs.cpSync(folder, other, { recursive: true });
    const database = await openDatabase(readConfig(at(other)));
    await database.exclusively((script) => script(`update migrations set checksum = 'other'`));
    await database.close();
    for (const command of [['find', 'Maya'], ['restrict', 'Maya'], ['status']]) {
      const { code, errors } = await operate(command, at(other));
      expect([code, errors]).toEqual([1, expect.stringMatching(/^the database is of release [^\n]+$/)]);
    }
  });

  test('a locked embedded database is reported', async () => {
    await inSite(async () => {
      const { code, errors } = await run('find', 'Maya');
      expect([code, errors]).toEqual([1, expect.stringMatching(/is in use by process \d+\. Stop it first/)]);
    });
  });
});

test.for([
  [['--as', 'Maya Lind'], {}, 'Maya Lind'],
  [['--as', 'Maya Lind'], { SUDO_USER: 'mats' }, 'mats'],
] as const)('with %j and %j the log names %s', async ([args, more, name]) => {
  await operate(['end-sessions', 'Mats', ...args], { ...at(folder), ...more });
  const [newest] = (await json('log')) as { operator: string }[];
  expect(newest?.operator).toBe(name);
});

test('people are shown in lines and as JSON, and an id names one person, even if other names match it', async () => {
  expect(await run('find', 'Maya')).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+ {2}maya {2}maya@northwind\.example\n {4}address confirmed, 1 session$/),
    errors: '',
  });
  const [maya] = (await json('find', 'maya@northwind.example')) as { id: number }[];
  const id = String(maya?.id);
  await inSite(({ deps: { sql } }) =>
    sql.updateTable('users').set({ first_name: id }).where('email', '=', 'emil@northwind.example').execute(),
  );
  expect((await json('find', id)) as unknown[]).toHaveLength(2);
  expect((await run('lift', id)).errors).toContain('Nothing restricts this account.');
});

test(
  'the log is verified, all of it or one chain, and a changed row is named',
  { timeout: 120_000 },
  async () => {
    for (let count = 0; count < 5; count += 1) await run('restrict', 'mats');
    expect(await run('verify')).toEqual({ code: 0, out: 'The log is as it was written.', errors: '' });
    const chain = 'user:0';
    expect((await run('verify', chain)).code).toBe(0);
    const tampered = path.join(root, 'tampered');
    fs.cpSync(folder, tampered, { recursive: true });
    await inSite(
      ({ database }) =>
        database.exclusively((script) =>
          script(`alter table activity disable trigger activity_append_only;
          update activity set action = 9 where chain = '${chain}' and position = 5;
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

  test('restores people, images and an intact log, and records the restore in it', async () => {
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
    const last = await inSite(
      ({ deps }) =>
        deps.sql.selectFrom('activity').select('information').orderBy('id', 'desc').limit(1).execute(),
      elsewhere,
    );
    expect(last).toMatchObject([{ information: { restore: [null, file], images: [0, 0] } }]);
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

  /** The backup with another note. */
  const renoted = (change: (note: string) => string) => (whole: Buffer) => {
    const unpacked = fs.mkdtempSync(path.join(root, 'renoted-'));
    execFileSync('tar', ['-xz', '-C', unpacked], { input: whole });
    const note = fs.readdirSync(unpacked).find((name) => name.endsWith('.json')) ?? '';
    fs.writeFileSync(path.join(unpacked, note), change(fs.readFileSync(path.join(unpacked, note), 'utf8')));
    return execFileSync('tar', ['-cz', '-C', unpacked, '.'], { maxBuffer: Infinity });
  };
  test.for([
    ['truncated', (whole: Buffer) => whole.subarray(0, 4000), "can't be unpacked"],
    ['something else', () => Buffer.from('no archive'), "can't be unpacked"],
    ['without a note', renoted(() => '{}'), 'is no backup'],
    [
      'of another release',
      renoted((note) => note.replace(/"checksum": "\w+"/, '"checksum": "other"')),
      /^the database is of release .+, whose 0001_schema.sql this one/,
    ],
  ] as const)('that is %s leaves the folder as it was', async ([, change, words]) => {
    const brokenFile = path.join(root, 'broken.tar.gz');
    fs.writeFileSync(brokenFile, change(fs.readFileSync(file)));
    const dataDir = path.join(root, 'untouched');
    const { code, errors } = await operate(['restore', brokenFile], at(dataDir));
    expect(errors).toMatch(words);
    expect(code).toBe(1);
    expect(fs.readdirSync(dataDir)).toEqual(['lock', 'pid']);
  });
});
