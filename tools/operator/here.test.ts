import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { insertUser, storePassword } from '#server/accounts/data.ts';
import { transaction } from '#server/db/connect.ts';
import { hourly } from '#server/hourly.ts';
import { sweepAll } from '#server/jobs/jobs.ts';
import { createMetrics } from '#server/metrics.ts';
import { reportChecks } from '#server/operator/site/checks.ts';
import { FreshInstallation } from './testing/fresh-installation.ts';

let site: FreshInstallation;
beforeAll(async () => {
  site = await FreshInstallation.make();
}, 60_000);
afterAll(() => site.remove());

test('a look never migrates the database, and says that it is of another release', async () => {
  const query = (text: string) =>
    site.withDatabase((database) => database.exclusively((script) => script(text)));
  const names = async () =>
    (await query('select name from migrations order by name')).map(({ name }) => name);
  const applied = await names();
  const last = String(applied.at(-1));

  const [row] = await query(`delete from migrations where name = '${last}' returning name, checksum`);
  const before = await names();
  const older = await site.run('find', 'maya');
  expect([older.code, older.errors]).toEqual([
    1,
    expect.stringContaining(`the database is of an older release: it lacks ${last}`),
  ]);
  expect(await names()).toEqual(before);

  await query(`insert into migrations (name, checksum) values ('${last}', '${String(row?.['checksum'])}')`);
  await query(`insert into migrations (name, checksum) values ('9999_newer.sql', '')`);
  expect(await site.run('log')).toEqual({
    code: 0,
    out: 'No act matches.',
    errors: expect.stringContaining('The database is of a newer release') as string,
  });
  await query(`update migrations set needs = '9999' where name = '9999_newer.sql'`);
  const newer = await site.run('log');
  expect([newer.code, newer.errors]).toEqual([
    1,
    expect.stringContaining('the database is ahead of this release'),
  ]);
  expect(await names()).toEqual([...applied, '9999_newer.sql']);
});

test('an old key stays until nothing needs it, and then the log is still whole without it', async () => {
  const keys = (...letters: string[]) => ({
    SECRET_KEY: letters.map((letter) => letter.repeat(32)).join(','),
  });
  const old = await FreshInstallation.make(keys('o'));
  const [both, newest] = [old.under(keys('n', 'o')), old.under(keys('n'))];
  /** The rows that need the old key, as a process reports them. */
  const oldKeyRows = (one: FreshInstallation) =>
    one.withDeps(async (deps) => {
      const metrics = createMetrics();
      reportChecks({ ...deps, metrics });
      const [, rows] = /^portico_old_key_rows\{key="\w{8}"\} (\d+)$/m.exec(await metrics.text()) ?? [];
      return Number(rows);
    });
  const secretKey = async (one: FreshInstallation) =>
    (await one.run('status')).out.split('\n').filter((line) => line.includes(' secret key: '));
  await old.withDeps((deps) =>
    transaction(deps.sql, async (tx) => {
      const user = await insertUser(tx, { email: 'maya@northwind.example', created_at: deps.clock.now() });
      if (user instanceof Refusal) throw new Error(user.name);
      await storePassword(tx, deps.keys, user.id, 'phc', deps.clock.now());
    }),
  );
  expect(await old.run('restrict', 'maya@northwind.example')).toMatchObject({ code: 0 });

  expect(await oldKeyRows(both)).toBeGreaterThan(0);
  expect((await secretKey(both))[0]).toMatch(
    /^- secret key: SECRET_KEY must keep the key \w{8}, which opens 1 password; /,
  );
  expect((await newest.run('lift', 'maya@northwind.example')).errors).toMatch(
    /^SECRET_KEY: lacks the key \w{8}, which opens 1 password.*; takes it behind the newest$/,
  );
  expect((await secretKey(newest))[0]).toMatch(
    /^! secret key: SECRET_KEY lacks the key \w{8}, which opens 1 password: /,
  );

  await both.withDeps((deps) => sweepAll(deps, hourly));
  // A mail that waits keeps its key until it is sent.
  await both.withDatabase((database) => database.changing.deleteFrom('jobs').execute());
  expect(await secretKey(both)).toEqual([
    expect.stringMatching(/^- secret key: SECRET_KEY can go without the key \w{8}: nothing needs it$/),
  ]);
  expect(await oldKeyRows(both)).toBe(0);
  expect(await newest.run('lift', 'maya@northwind.example')).toMatchObject({ code: 0 });
  expect(await newest.run('verify')).toMatchObject({ code: 0 });
  old.remove();
});
