import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exportedFiles } from '#contract/text/data-export.ts';
import { DATA_EXPORT_DAYS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#server/clock.ts';
import { sweepExports } from '#server/data-export/jobs.ts';
import { exempt, readable, sources } from '#server/data-export/rules.ts';
import { sweepImages } from '#server/drive/jobs.ts';
import { newestRow } from '#server/testing/addresses.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { somebody } from '#server/testing/company.ts';
import { iconForm, storedFiles } from '#server/testing/icons.ts';
import { colleague, confirmed, deactivate, founder, type Person, signedUp } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, REAUTH_WINDOW_MINUTES: '60' });

type Row = Record<string, unknown>;
const ask = (visitor: Visitor) => visitor.post('/api/dataexport', {});
const read = async (visitor: Visitor) => responseOf<Row>(await visitor.get('/api/dataexport'));
const take = (visitor: Visitor) => visitor.request('GET', '/api/dataexport/file');
/** The files of the archive by name. */
async function archiveOf(visitor: Visitor) {
  responseOf(await ask(visitor));
  await app.mails();
  const answer = await take(visitor);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return unzipSync(await answer.bytes());
}
const rowsIn = (files: Record<string, Uint8Array>, name: string) =>
  JSON.parse(strFromU8(files[`${name}.json`] ?? new Uint8Array())) as Row[];

/** Inserts rows that no call of this test makes. */
async function plant({ id, email }: Pick<Person, 'id' | 'email'>) {
  const now = app.clock.now();
  const hash = Buffer.from(`hash of ${email}`);
  for (const statement of [
    sql`update users set contact_number = '+46701234567', country = 'Sweden' where id = ${id}`,
    sql`insert into pending_emails (user_id, email, created_at, mailed_at) values (${id}, ${`new-${email}`}, ${now}, ${now})`,
    sql`insert into passkeys (credential_id, user_id, public_key, sign_count, aaguid, name, transports, is_synced, created_at)
      values (${hash}, ${id}, ${hash}, 3, ${crypto.randomUUID()}, 'Key', '{usb}', false, ${now})`,
    sql`insert into authenticator_apps (user_id, secret, last_step, created_at) values (${id}, ${hash}, 1, ${now})`,
    sql`insert into recovery_codes (user_id, code_hash, created_at) values (${id}, ${hash}, ${now})`,
    sql`insert into known_devices (token_hash, user_id, last_seen_at) values (${hash}, ${id}, ${now})`,
    sql`insert into remembered_browsers (user_id, device_hash, second_step, ip_address, user_agent, location, created_at, expires_at)
      values (${id}, ${hash}, 'app', '203.0.113.7', 'Firefox', 'Stockholm', ${now}, ${now})`,
    sql`insert into social_identities (provider, subject, user_id, created_at) values ('google', ${email}, ${id}, ${now})`,
    sql`insert into restrictions (user_id, cause, created_at, ends_at) values (${id}, 'wrong-codes', ${now}, ${now})`,
  ])
    await statement.execute(app.deps.sql);
}

test('every column of every table is exported or exempt with a reason', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' order by 1, 2`.execute(app.deps.sql);
  const forgotten = rows.filter(({ table, column }) => {
    const source = sources[table];
    if (!source) return !exempt[table];
    return column !== source.of && !source.columns.includes(column) && !source.withheld?.[column];
  });
  expect(forgotten).toEqual([]);
  const known = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  const missing = Object.entries(sources).flatMap(([table, { columns, withheld = {} }]) =>
    [...columns, ...Object.keys(withheld)].filter((column) => !known.has(`${table}.${column}`)),
  );
  expect(missing).toEqual([]);
});

test('the archive holds each row about the person, without secrets and without others', async () => {
  const maya = await founder(app);
  await colleague(app, maya);
  await plant(maya);
  await plant(await confirmed(app));
  responseOf(await maya.visitor.put('/api/emailnotify', { 1: 1, 2: 0 }));
  const picture = iconForm(0, { fields: { icon_type: undefined, org_id: undefined } });
  responseOf(await maya.visitor.send('POST', '/drive/profile', { raw: picture }));
  await enter(maya.visitor, await discover(app, await registerApplication(app)), { scope: 'openid' });

  const files = await archiveOf(maya.visitor);
  for (const [table, source] of Object.entries(sources).filter(([name]) => !name.startsWith('activity'))) {
    const { rows } = await sql<Row>`select ${sql.join(source.columns.map((column) => sql.ref(column)))}
      from ${sql.table(table)} where ${sql.ref(source.of)} = ${maya.id}`.execute(app.deps.sql);
    expect([table, rows.length > 0]).toEqual([table, true]);
    const expected = JSON.parse(JSON.stringify(rows.map((row) => readable(row, source)))) as Row[];
    const exported = rowsIn(files, source.file);
    expect([table, exported.length, exported]).toEqual([
      table,
      expected.length,
      expect.arrayContaining(expected.map((row) => expect.objectContaining(row) as Row)),
    ]);
  }
  expect(rowsIn(files, 'organizations')[0]).toMatchObject({
    org_name: 'Northwind Traders',
    role_name: 'Super Admin',
    status: 'active',
  });
  const acts = await app.deps.sql
    .selectFrom('activity')
    .select('information')
    .where('user_id', '=', maya.id as never)
    .execute();
  const own = rowsIn(files, 'activity');
  // The download itself came after the archive.
  expect(own).toHaveLength(acts.length - 1);
  expect(own.every(({ ip_address: address }) => address !== undefined)).toBe(true);
  expect(own.map(({ module, activity_type: type, action }) => [module, type, action].join(' '))).toEqual(
    expect.arrayContaining(['organization invitedContact invite', 'profile dataExport create']),
  );
  expect(files['picture.png'] ?? files['picture.jpeg']).toBeInstanceOf(Uint8Array);
  const index = strFromU8(files['index.html'] ?? new Uint8Array());
  for (const name of Object.keys(exportedFiles)) expect(index).toContain(`<a href="${name}.json">`);
  const everything = Object.values(files)
    .map((bytes) => strFromU8(bytes, true))
    .join('');
  expect(everything).not.toMatch(/hash of|\$argon2|"Buffer"/);
});

test('a long log is exported whole', async () => {
  const long = await confirmed(app);
  await sql`insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action,
      information, information_mac, mac, key_id, link_version)
    select 'user:' || ${long.id}::text, 1000 + at, null, ${long.id}, ${app.clock.now()}::timestamptz + at * interval '1 second',
      2, 1, 3, '{}', '', '', 'x', 2 from generate_series(1, 1200) as at`.execute(app.deps.sql);
  const acts = rowsIn(await archiveOf(long.visitor), 'activity');
  expect(acts.filter(({ activity_type: type }) => type === 'profileInformation').length).toBeGreaterThan(
    1199,
  );
});

test('a request makes one archive at a time, three a day, and mails a link without a secret', async () => {
  const maya = await confirmed(app);
  const none = { requested_at: null, expires_at: null, byte_count: null };
  expect(await read(maya.visitor)).toEqual(none);
  expect((await take(maya.visitor)).status).toBe(404);
  const first = await ask(maya.visitor);
  expect(responseOf(first)).toEqual({ ...none, requested_at: app.clock.now().toISOString() });
  expect((await ask(maya.visitor)).body).toEqual(first.body);
  const mail = (await app.mails(maya.email)).filter(({ subject }) => subject.includes('data is ready'));
  expect(mail).toHaveLength(1);
  expect(mail[0]?.text).toContain(`${app.deps.config.publicUrl.origin}/account/deleteaccount`);
  expect(await read(maya.visitor)).toMatchObject({
    byte_count: expect.any(Number) as number,
    expires_at: new Date(app.clock.now().getTime() + DATA_EXPORT_DAYS * DAY_MS).toISOString(),
  });
  expect((await take(maya.visitor)).status).toBe(200);
  expect(await newestRow(app, maya.id)).toMatchObject({ activity_type: 25, action: 2 });

  const files = storedFiles(app).length;
  for (const code of [undefined, undefined, 'too_many_requests']) {
    expect((await ask(maya.visitor)).code).toBe(code);
    await app.mails();
  }
  // Each new archive replaced the former one.
  expect(storedFiles(app)).toHaveLength(files);
  app.clock.forward(HOUR_MS);
  for (const answer of [await ask(maya.visitor), await maya.visitor.get('/api/dataexport/file')])
    expect(answer.code).toBe('reauthentication_required');
});

test('two requests at once make one archive', async () => {
  const { visitor, email } = await confirmed(app);
  const [first, second] = await Promise.all([ask(visitor), ask(visitor)]);
  expect(second.body).toEqual(first.body);
  expect((await app.mails(email)).filter(({ subject }) => subject.includes('data is ready'))).toHaveLength(1);
});

test('nobody else and no unconfirmed account gets an archive', async () => {
  const [maya, stranger] = [await confirmed(app), await somebody(app)];
  await archiveOf(maya.visitor);
  expect((await take(stranger.visitor)).status).toBe(404);
  expect((await ask((await signedUp(app)).visitor)).code).toBe('account_not_confirmed');
});

test('an archive ends after seven days, or with the account, and its file goes', async () => {
  const before = storedFiles(app);
  const [maya, emil] = [await confirmed(app), await confirmed(app)];
  await archiveOf(maya.visitor);
  await archiveOf(emil.visitor);
  expect(storedFiles(app)).toHaveLength(before.length + 2);
  await deactivate(app, emil);
  await app.mails();
  expect(storedFiles(app)).toHaveLength(before.length + 1);
  // The sweep of unknown files knows the archive.
  app.clock.forward(2 * DAY_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app)).toHaveLength(before.length + 1);
  app.clock.forward(5 * DAY_MS);
  expect(await read(maya.visitor)).toMatchObject({ requested_at: null });
  await sweepExports(app.deps);
  await app.mails();
  const names = new Set(storedFiles(app));
  expect(await app.deps.sql.selectFrom('data_exports').select('id').execute()).toEqual([]);
  expect(names.size).toBeLessThanOrEqual(before.length);
});
