import { afterAll, beforeAll, expect, test } from 'vitest';
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
