import { randomBytes } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { organizationFilesText } from '#words/organization-files.ts';
import { personFilesText } from '#words/person-files.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { ARCHIVE_BYTES_MAX, storeArchive } from './store.ts';
import { exempt } from '#server/data-export/sources/data-exempt.ts';
import { organizationSources, personSources, tables } from '#server/data-export/sources/data-tables.ts';
import { readable, type Source } from '#server/data-export/sources/rules.ts';
import { GiveUp } from '#server/jobs/jobs.ts';
import { invitedId } from '#server/stand-in.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { archiveOf as fetchArchive, rowsIn } from '#server/testing/archives.ts';
import { iconForm, setIcon, uploadedIconId } from '#server/testing/icons.ts';
import {
  type Boss,
  colleague,
  confirmed,
  customRole,
  founder,
  idOf,
  invited,
  type Person,
} from '#server/testing/people.ts';
import { getRow, listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { addDelivery } from '#server/testing/webhooks.ts';

const app = useApp({ REAUTH_WINDOW_MINUTES: '60' });

type Row = Record<string, unknown>;
type Files = Record<string, Uint8Array>;
const archiveOf = (person: Pick<Person, 'visitor'>, orgId?: number) => fetchArchive(app, person, orgId);
const textOf = (files: Files) =>
  Object.values(files)
    .map((bytes) => strFromU8(bytes, true))
    .join('');

test('every column of every table is exported or withheld with a reason', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' order by 1, 2`.execute(app.deps.sql);
  const decided = Object.entries(tables).flatMap(([table, { withheld = {} }]) =>
    [personSources[table], organizationSources[table]]
      .flatMap((source) => (source ? [source.of, ...source.columns] : []))
      .concat(Object.keys(withheld))
      .map((column) => `${table}.${column}`),
  );
  const all = rows.filter(({ table }) => !exempt[table]).map(({ table, column }) => `${table}.${column}`);
  expect(all.filter((column) => !decided.includes(column))).toEqual([]);
  expect(decided.filter((column) => !all.includes(column))).toEqual([]);
  const exported = [personSources, organizationSources].flatMap((sources) =>
    Object.entries(sources).flatMap(([table, { columns }]) =>
      columns.filter((column) => tables[table]?.withheld?.[column]),
    ),
  );
  expect([exported, Object.keys(exempt).filter((table) => table in tables)]).toEqual([[], []]);
});

/** Compares each file with the rows of its table. The log is compared elsewhere. */
async function compare(files: Files, sources: Readonly<Record<string, Source>>, id: number) {
  for (const [table, source] of Object.entries(sources).filter(([name]) => !name.startsWith('activity'))) {
    const { of, through, columns, file } = source;
    const owner = through
      ? sql`${sql.ref(of)} in (select id from ${sql.table(through)} where org_id = ${id})`
      : sql`${sql.ref(of)} = ${id}`;
    const { rows } = await sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(table)} where ${owner}`.execute(app.deps.sql);
    expect([table, rows.length > 0]).toEqual([table, true]);
    const expected = JSON.parse(JSON.stringify(rows.map((row) => readable(row, source)))) as Row[];
    const exported = rowsIn(files, file);
    expect([table, exported.length, exported]).toEqual([
      table,
      expected.length,
      expect.arrayContaining(expected.map((row) => expect.objectContaining(row) as Row)),
    ]);
  }
}

/** Inserts rows about a person that no call of this test makes. */
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
    sql`insert into consents (user_id, version, language, agreed_at) values (${id}, '2026-11-01', 'en', ${now})`,
    sql`insert into company_connections (org_id, created_at) select id, ${now} from organizations limit 1 on conflict do nothing`,
    sql`insert into company_identities (connection_id, issuer, subject, user_id, created_at)
      select id, issuer, ${email}, ${id}, ${now} from company_connections limit 1`,
    sql`insert into join_requests (org_id, user_id, created_at) select id, ${id}, ${now} from organizations limit 1`,
    sql`insert into restrictions (user_id, cause, created_at, ends_at) values (${id}, 'wrong-codes', ${now}, ${now})`,
  ])
    await statement.execute(app.deps.sql);
}

test('a person’s archive holds each row about them, without secrets and without others', async () => {
  const maya = await founder(app);
  await colleague(app, maya);
  await plant(maya);
  await plant(await confirmed(app));
  responseOf(await maya.visitor.put('/api/emailnotify', { 1: 1, 2: 0 }));
  const picture = iconForm(0, { fields: { icon_type: undefined, org_id: undefined } });
  responseOf(await maya.visitor.send('POST', '/drive/profile', { raw: picture }));
  await enter(maya.visitor, await discover(app, await registerApplication(app)), { scope: 'openid' });

  const files = await archiveOf(maya);
  await compare(files, personSources, maya.id);
  expect(rowsIn(files, 'organizations')[0]).toMatchObject({
    org_name: 'Northwind Traders',
    role_name: 'Super Admin',
    status: 'active',
  });
  const acts = await listRows(app, 'activity', ['information'], { user_id: maya.id });
  const own = rowsIn(files, 'activity');
  // The download itself came after the archive.
  expect(own).toHaveLength(acts.length - 1);
  expect(own.every(({ origin }) => origin !== undefined)).toBe(true);
  expect(own.map(({ module, activity_type: type, action }) => [module, type, action].join(' '))).toEqual(
    expect.arrayContaining(['organization invitedContact invite', 'profile dataExport create']),
  );
  expect(files['picture.png'] ?? files['picture.jpeg']).toBeInstanceOf(Uint8Array);
  const index = strFromU8(files['index.html'] ?? new Uint8Array());
  for (const name of Object.keys(personFilesText)) expect(index).toContain(`<a href="${name}.json">`);
  expect(textOf(files)).not.toMatch(/hash of|\$argon2|"Buffer"/);
});

/** An organization with a row in each of its tables. */
async function plantOrganization(boss: Boss) {
  const { orgId } = boss;
  const now = app.clock.now();
  const roleId = await customRole(app, orgId, 'Sales');
  await setIcon(boss, orgId, await uploadedIconId(app, boss, orgId));
  await addDelivery(app, { org_id: orgId });
  const { id } = await registerApplication(app, { org_id: orgId as OrgId, is_first_party: false });
  const iconId = `icon-${orgId}`;
  // So large that the archive is stored in several files.
  await app.deps.storage.put(iconId, randomBytes(5 * 2 ** 20));
  for (const statement of [
    sql`insert into role_rights (org_id, role_id, service, module, action) values (${orgId}, ${roleId}, 'sign', 1, 'read')`,
    sql`insert into application_icons (application_id, file_id, media_type, created_at) values (${id}, ${iconId}, 'image/png', ${now})`,
    sql`insert into company_connections (org_id, created_at) values (${orgId}, ${now})`,
    sql`insert into company_identities (connection_id, issuer, subject, user_id, created_at)
      select id, issuer, ${boss.email}, ${boss.id}, ${now} from company_connections where org_id = ${orgId}`,
    sql`insert into company_attempts (connection_id, reference, created_at, is_test, outcome)
      select id, 'R', ${now}, false, 'stale' from company_connections where org_id = ${orgId}`,
    sql`insert into company_domains (org_id, domain, token, created_at) values (${orgId}, 'northwind.example', 't', ${now})`,
    sql`insert into join_requests (org_id, user_id, created_at) values (${orgId}, ${boss.id}, ${now})`,
    sql`insert into scim_tokens (org_id, token_hash, created_at) values (${orgId}, ${Buffer.from(`hash of ${orgId}`)}, ${now})`,
    sql`with person as (
        insert into scim_users (org_id, user_name, external_id, email, email_key, is_active, given_name, family_name,
          display_name, title, created_at, changed_at)
        values (${orgId}, 'ann', '', '', 'ann', false, 'Ann', '', '', '', ${now}, ${now}) returning id),
      team as (
        insert into scim_groups (org_id, display_name, external_id, created_at, changed_at)
        values (${orgId}, 'Team', '', ${now}, ${now}) returning id)
      insert into scim_group_members (group_id, scim_user_id) select team.id, person.id from team, person`,
    sql`insert into application_roles (application_id, role_id) values (${id}, ${roleId})`,
  ])
    await statement.execute(app.deps.sql);
}

test('an organization’s archive holds each of its rows, without secrets and without others', async () => {
  const [maya, stranger] = [await founder(app), await founder(app, 'Harbour Logistics')];
  for (const boss of [maya, stranger]) {
    await plantOrganization(boss);
    await colleague(app, boss);
  }
  const person = await confirmed(app);
  await plant(person);
  await invited(maya, { email: person.email });

  const files = await archiveOf(maya, maya.orgId);
  await compare(files, organizationSources, maya.orgId);
  expect(rowsIn(files, 'roles').map(({ name }) => name)).toContain('Sales');
  expect(rowsIn(files, 'rights')).toMatchObject([{ role_name: 'Sales', service: 'sign', action: 'read' }]);
  // Nothing tells whether an invited person has an account.
  const invitation = rowsIn(files, 'members').find(({ email }) => email === person.email);
  expect(invitation).toMatchObject({ status: 'invited', user_id: invitedId(invitation?.['id'] as never) });
  expect(textOf(files)).not.toMatch(new RegExp(`_id": ${await idOf(app, person.email)}\\b`));

  const acts = await app.deps.sql
    .selectFrom('activity')
    .select(['created_at', 'module', 'activity_type', 'action', 'information'])
    .where('org_id', '=', maya.orgId as OrgId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const log = rowsIn(files, 'activity');
  // The download itself came after the archive.
  const expected = acts.slice(1).map((row) => readable(row, organizationSources['activity'] ?? {}));
  expect(log).toMatchObject(JSON.parse(JSON.stringify(expected)) as Row[]);
  expect(log).toHaveLength(expected.length);
  expect(log[0]).toMatchObject({ sentence: 'Maya Lindqvist asked for the organization’s data' });

  const { byte_count: bytes, further_file_ids: further } = await getRow(
    app,
    'data_exports',
    ['byte_count', 'further_file_ids'],
    { org_id: maya.orgId },
  );
  expect([further.length, (bytes ?? 0) > 5 * 2 ** 20]).toEqual([1, true]);
  for (const image of ['icon-dark.png', /^application-icon-\d+\.png$/])
    expect(Object.keys(files)).toContainEqual(expect.stringMatching(image));
  const index = strFromU8(files['index.html'] ?? new Uint8Array());
  for (const name of Object.keys(organizationFilesText)) expect(index).toContain(`<a href="${name}.json">`);
  expect(textOf(files)).not.toMatch(/hash of|\$argon2|"Buffer"|whsec_|Harbour/);
});

/** Adds `count` rows to a log, `count` members or `count` deliveries of a webhook: more than a batch. */
const many = {
  log: (orgId: number | null, userId: number, count: number) => sql`
    insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action,
      information, information_mac, mac, key_id)
    select ${orgId === null ? `user:${userId}` : `org:${orgId}`}, 1000 + at, ${orgId}::bigint, ${userId},
      ${app.clock.now()}::timestamptz + at * interval '1 second', ${orgId === null ? 2 : 1}, ${orgId === null ? 1 : 6}, 3,
      '{}', '', '', 'x' from generate_series(1, ${count}::int) as at`,
  rights: (orgId: number, roleId: number, count: number) => sql`
    insert into role_rights (org_id, role_id, service, module, action)
    select ${orgId}, ${roleId}, 'service ' || at / 4, 1, (array['create', 'read', 'update', 'delete'])[1 + at % 4]
    from generate_series(0, ${count}::int - 1) as at`,
};

describe('rows of many batches are exported whole', () => {
  test('of a person', async () => {
    const long = await confirmed(app);
    await many.log(null, long.id, 1200).execute(app.deps.sql);
    // So large that the archive is stored in several files.
    await app.deps.storage.put('large', randomBytes(5 * 2 ** 20));
    await sql`insert into pictures (file_id, user_id, media_type, created_at)
      values ('large', ${long.id}, 'image/png', ${app.clock.now()})`.execute(app.deps.sql);
    const files = await archiveOf(long);
    expect(files['picture.png']).toHaveLength(5 * 2 ** 20);
    const acts = rowsIn(files, 'activity');
    const planted = acts.filter(({ activity_type: type }) => type === 'profileInformation');
    expect(planted.length).toBeGreaterThan(1199);
  });

  test('of an organization', async () => {
    const boss = await founder(app);
    const roleId = await customRole(app, boss.orgId, 'Everything');
    await many.log(boss.orgId, boss.id, 1200).execute(app.deps.sql);
    await many.rights(boss.orgId, roleId, 1100).execute(app.deps.sql);
    const files = await archiveOf(boss, boss.orgId);
    const rights = rowsIn(files, 'rights').map(({ service, action }) => [service, action].join(' '));
    expect([rights.length, new Set(rights).size]).toEqual([1100, 1100]);
    expect(rowsIn(files, 'activity').length).toBeGreaterThan(1199);
  });
});

test('an archive that outgrows its limit is given up, and not tried again', async () => {
  const { id } = await confirmed(app);
  const subject = { userId: id as UserId, orgId: null, orgIds: [] };
  const store = (bytesMax: number) => storeArchive(app.deps, subject, () => Promise.resolve(), bytesMax);
  const { byteCount } = await store(ARCHIVE_BYTES_MAX);
  expect(await store(byteCount)).toMatchObject({ byteCount });
  await expect(store(byteCount - 1)).rejects.toBeInstanceOf(GiveUp);
});
