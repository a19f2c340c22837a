import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MemberStatus } from '#contract/members/calls.ts';
import type { RoleId, UserId } from '#contract/wire.ts';
import { transaction } from '#server/db/connect.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { deleteRows, getRow, updateRows } from '#server/testing/rows.ts';
import { useServer } from '#server/testing/use-app.ts';

const database = useServer(() => openTestDatabase());
const here = { deps: database };

const now = new Date('2026-03-02T09:00:00.000Z');
let counter = 0;

async function insertUser(email: string | null = null): Promise<UserId> {
  const { id } = await database.sql
    .insertInto('users')
    .values({ email, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An organization with its Super Admin, and one member of a plain role for each given status. */
async function organization(...others: MemberStatus[]) {
  counter += 1;
  const { id: orgId } = await database.sql
    .insertInto('organizations')
    .values({ name: 'Northwind', url_name: `n${counter}-x`, application_name: 'Portico', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const role = async (name: string, kind: 'super-admin' | 'custom') => {
    const row = { org_id: orgId, name, name_key: name, kind, is_admin: kind !== 'custom', created_at: now };
    const { id } = await database.sql
      .insertInto('roles')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const [top, plain] = [await role('Super Admin', 'super-admin'), await role('Sales', 'custom')];
  const join = async (role_id: RoleId, status: MemberStatus) => {
    const user_id = await insertUser();
    const row = { org_id: orgId, user_id, role_id, status, first_name: 'Tom', created_at: now };
    await database.sql.insertInto('memberships').values(row).execute();
    return user_id;
  };
  const boss = await join(top, 2);
  for (const status of others) await join(plain, status);
  return { orgId, boss, plain, joinAsSuperAdmin: () => join(top, 2) };
}
type Organization = Awaited<ReturnType<typeof organization>>;

const membership = ({ orgId, boss }: Organization) =>
  database.sql.updateTable('memberships').where('org_id', '=', orgId).where('user_id', '=', boss);
const broken = { constraint: 'memberships_super_admin' };

/** Every change that can take a Super Admin from an organization, without the checks of the actions. */
const losses: [string, (there: Organization) => Promise<unknown>][] = [
  ['demoted', (there) => membership(there).set({ role_id: there.plain }).execute()],
  ['paused', (there) => membership(there).set({ status: 3 }).execute()],
  ['disabled', (there) => membership(there).set({ status: 4 }).execute()],
  ['removed', ({ orgId, boss }) => deleteRows(here, 'memberships', { org_id: orgId, user_id: boss })],
  ['erased', ({ boss }) => database.sql.deleteFrom('users').where('id', '=', boss).execute()],
];

test.each(losses)(
  'the database’s own check: the last Super Admin %s is refused while others remain',
  async (_, lose) => {
    for (const others of [[2], [1], [3]] satisfies MemberStatus[][])
      await expect(lose(await organization(...others))).rejects.toMatchObject(broken);
    const shared = await organization(2);
    await shared.joinAsSuperAdmin();
    for (const there of [await organization(), await organization(4), shared]) await lose(there);
  },
);

test('the database checks for a Super Admin when the transaction ends, so a handover may run in any order', async () => {
  const there = await organization(2);
  const heir = await there.joinAsSuperAdmin();
  await updateRows(here, 'memberships', { user_id: heir }, { role_id: there.plain });
  const top = await getRow(here, 'memberships', ['role_id'], { user_id: there.boss });
  const handedOver = transaction(database.sql, async (tx) => {
    await tx
      .updateTable('memberships')
      .set({ role_id: there.plain })
      .where('user_id', '=', there.boss)
      .execute();
    await tx.updateTable('memberships').set({ role_id: top.role_id }).where('user_id', '=', heir).execute();
  });
  await expect(handedOver).resolves.toBeUndefined();
});

describe('keys to search and sort by', () => {
  test.each([
    ['Éva', 'Ångström', 'eva angstrom'],
    ['ØYVIND', 'Æbler', 'oyvind aebler'],
    ['Jo  Anne', ' Straße ', 'jo anne strasse'],
    ['İpek', 'Işık', 'ipek isik'],
    ['ИВАН', 'Йорданов', 'иван иорданов'],
    ['ﬁ', '', 'fi'],
    ['東京', '', '東京'],
  ])('%s %s is %s', async (first_name, last_name, key) => {
    const there = await organization();
    await membership(there).set({ first_name, last_name }).execute();
    const row = await getRow(here, 'memberships', ['name_key', 'last_key'], { user_id: there.boss });
    expect(row.name_key).toBe(key);
    expect(key.endsWith(row.last_key)).toBe(true);
  });

  test('the longest names with the longest keys fit an index', async () => {
    const there = await organization();
    const long = Array.from({ length: 80 }, (_, at) =>
      at % 2 ? 'ﷺ' : String.fromCodePoint(0x4e00 + at * 97),
    ).join('');
    const renamed = membership(there).set({ first_name: long, last_name: long });
    await expect(renamed.execute()).resolves.toBeDefined();
  });

  test('the address key follows the person’s address in every organization', async () => {
    const there = await organization();
    const key = async () =>
      (await getRow(here, 'memberships', ['email_key'], { user_id: there.boss })).email_key;
    const move = (email: string | null) =>
      database.sql.updateTable('users').set({ email }).where('id', '=', there.boss).execute();
    expect(await key()).toBe('');
    for (const email of ['a@b.example', 'c@d.example', null]) {
      await move(email);
      expect(await key()).toBe(email ?? '');
    }
    const user_id = await insertUser('joined@b.example');
    const row = {
      org_id: there.orgId,
      user_id,
      role_id: there.plain,
      status: 2,
      first_name: 'T',
      created_at: now,
    } as const;
    await database.sql.insertInto('memberships').values(row).execute();
    const { rows } = await sql`select email_key from memberships where user_id = ${user_id}`.execute(
      database.sql,
    );
    expect(rows).toEqual([{ email_key: 'joined@b.example' }]);
  });
});

test('an invitation’s link belongs to its membership and is deleted with it', async () => {
  const { orgId, boss } = await organization();
  const { id } = await getRow(here, 'memberships', ['id'], { org_id: orgId });
  const token = (purpose: 'invitation' | 'set-password', member_id: typeof id | null) =>
    database.sql
      .insertInto('one_time_tokens')
      .values({
        purpose,
        member_id,
        user_id: boss,
        subject: 'a@b.example',
        token_hash: Buffer.from(`${purpose} ${member_id}`),
        created_at: now,
        expires_at: now,
      })
      .execute();
  const wrong = { constraint: 'one_time_tokens_invitation' };
  await expect(token('invitation', null)).rejects.toMatchObject(wrong);
  await expect(token('set-password', id)).rejects.toMatchObject(wrong);
  await token('invitation', id);
  await database.sql.deleteFrom('memberships').where('id', '=', id).execute();
  expect(
    await database.sql.selectFrom('one_time_tokens').select('id').where('user_id', '=', boss).execute(),
  ).toEqual([]);
});

describe('the counts of members', () => {
  // Triggers count members on every statement: for one row or many, in one organization or several.

  const database = useServer(() => openTestDatabase());
  beforeAll(async () => {
    await database.exclusively((script) =>
      script(`
        insert into users (id, created_at) select n, now() from generate_series(1, 12) as n;
        insert into organizations (id, name, url_name, application_name, created_at)
          select n, 'O', 'o' || n, 'Portico', now() from generate_series(1, 2) as n;
        insert into roles (org_id, name, name_key, kind, is_admin, created_at)
          select org, 'Role ' || n, 'role ' || n, 'custom', false, now()
          from generate_series(1, 2) as org, generate_series(1, 2) as n;`),
    );
  });

  const change = (text: string) => database.exclusively((script) => script(text));
  const storedCounts = async () =>
    (
      await sql<{
        at: string;
      }>`select concat_ws('/', org_id, role_id, status, members) as at from member_counts
        where members > 0 order by org_id, role_id, status`.execute(database.sql)
    ).rows.map(({ at }) => at);
  const countedRows = async () =>
    (
      await sql<{
        at: string;
      }>`select concat_ws('/', org_id, role_id, status, count(*)) as at from memberships
        group by org_id, role_id, status order by org_id, role_id, status`.execute(database.sql)
    ).rows.map(({ at }) => at);

  // Each test continues from the one before. Organization 1 has roles 1 and 2, organization 2 roles 3 and 4.
  test.for<[what: string, statement: string, left: readonly string[]]>([
    [
      'people join two organizations at once',
      `insert into memberships (org_id, user_id, role_id, status, first_name, created_at)
        select 1 + n % 2, n, 1 + n % 2 * 2, case when n < 5 then 1 else 2 end, 'Maya', now() from generate_series(1, 12) as n`,
      ['1/1/1/2', '1/1/2/4', '2/3/1/2', '2/3/2/4'],
    ],
    [
      'all are renamed',
      `update memberships set first_name = 'Mia'`,
      ['1/1/1/2', '1/1/2/4', '2/3/1/2', '2/3/2/4'],
    ],
    [
      'one joins',
      'update memberships set status = 2 where user_id = 1',
      ['1/1/1/2', '1/1/2/4', '2/3/1/1', '2/3/2/5'],
    ],
    [
      'a role is handed on',
      'update memberships set role_id = 2 where role_id = 1',
      ['1/2/1/2', '1/2/2/4', '2/3/1/1', '2/3/2/5'],
    ],
    [
      'nobody is touched',
      'update memberships set role_id = 4 where user_id = 99',
      ['1/2/1/2', '1/2/2/4', '2/3/1/1', '2/3/2/5'],
    ],
    ['some go', 'delete from memberships where user_id in (2, 3, 12)', ['1/2/1/1', '1/2/2/3', '2/3/2/5']],
    ['a person is erased', 'delete from users where id = 4', ['1/2/2/3', '2/3/2/5']],
    ['an organization goes whole', 'delete from organizations where id = 2', ['1/2/2/3']],
  ])('%s', async ([, statement, counts]) => {
    await change(statement);
    expect(await storedCounts()).toEqual(counts);
    expect(await countedRows()).toEqual(counts);
  });
});
