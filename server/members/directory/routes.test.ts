import { beforeAll, describe, expect, test } from 'vitest';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { type Boss, colleague, customRole, founder, rolesOf } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

type Member = {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  role: string;
  status: number;
};
type Page = { members: Member[]; next: string | null; total: number; super_admins: number };

const app = useApp();
let boss: Boss;
let roles: Record<string, number>;

/** Names with accents, letters of other scripts and look-alikes, and twins that differ only by id. */
const people = [
  ['Éva', 'Ångström', 'Admin', 2],
  ['eva', 'Berg', 'Sales', 3],
  ['Ewa', 'Øster', 'Sales', 2],
  ['Иван', 'Йорданов', 'Sales', 4],
  ['Jo', 'Straße', 'Admin', 1],
  ['Jo', 'Straße', 'Admin', 1],
  ['Jo Anne', 'Müller', 'Sales', 2],
  ['Łukasz', 'Żak', 'Admin', 4],
  ['100% sure_', 'Mc\\Duck', 'Sales', 2],
  ['東京', '', 'Sales', 2],
] as const;

beforeAll(async () => {
  boss = await founder(app);
  await customRole(app, boss.orgId, 'Sales');
  roles = await rolesOf(boss);
  const { sql } = app.deps;
  for (const [at, [first_name, last_name, role, status]] of people.entries()) {
    const { id } = await sql
      .insertInto('users')
      .values({
        email: `${String.fromCodePoint(122 - at)}.${at}@northwind.example`,
        created_at: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql
      .insertInto('memberships')
      .values({
        org_id: boss.orgId as OrgId,
        user_id: id,
        role_id: roles[role] as RoleId,
        status,
        first_name,
        last_name,
        created_at: app.clock.now(),
      })
      .execute();
  }
  const other = await founder(app, 'Other');
  await colleague(app, other);
});

const ask = (query: object = {}, by = boss) =>
  by.visitor.get(`/api/orgusers?${new URLSearchParams({ org_id: String(boss.orgId), ...query }).toString()}`);
const list = async (query: object = {}) => responseOf<Page>(await ask(query));
const memberName = ({ first_name, last_name }: Member) => `${first_name} ${last_name}`.trim();
const names = async (query: object) => (await list(query)).members.map(memberName);
const first = ['Maya Lindqvist'];

/** All pages of a list, with `limit` rows each. */
async function pages(query: object, limit: number): Promise<Member[]> {
  const all: Member[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page: Page = await list({ ...query, limit, ...(after && { after }) });
    expect(page.total).toBe(people.length + 1);
    expect(page.members.length).toBeLessThanOrEqual(limit);
    all.push(...page.members);
    after = page.next;
  }
  return all;
}

test('lists everybody in the order of joining, with the total and the number of Super Admins', async () => {
  const page = await list();
  expect(page.members.map(memberName)).toEqual([...first, ...people.map(([a, b]) => `${a} ${b}`.trim())]);
  expect(page).toMatchObject({ next: null, total: people.length + 1, super_admins: 1 });
  expect(page.members[5]).toEqual({
    id: page.members[5]?.id,
    user_id: expect.any(Number) as number,
    first_name: 'Jo',
    last_name: 'Straße',
    email: 'v.4@northwind.example',
    role: 'Admin',
    role_id: roles['Admin'],
    designation: '',
    status: 1,
  });
});

describe('sorting, both ways, page by page', () => {
  const folded = (member: Member) =>
    memberName(member).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const plain = (text: string) => text.replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ł', 'l');
  const keys: Record<string, (member: Member) => string | number> = {
    joined: () => 0,
    name: (member) => plain(folded(member)),
    email: (member) => member.email,
    role: (member) => member.role.toLowerCase(),
    status: (member) => member.status,
  };
  const byKey = (key: (member: Member) => string | number) => (a: Member, b: Member) => {
    const [keyA, keyB] = [key(a), key(b)];
    return keyA === keyB ? a.id - b.id : keyA < keyB ? -1 : 1;
  };
  test.each(Object.entries(keys))('by %s', async (sort, key) => {
    const limit = 3;
    const query = sort === 'joined' ? {} : { sort };
    const all = await list();
    const sorted = all.members.toSorted(byKey(key));
    const ids = sorted.map(({ id }) => id);
    expect((await pages(query, limit)).map(({ id }) => id)).toEqual(ids);
    const back = await pages({ ...query, descending: 1 }, limit);
    expect(back.map(({ id }) => id)).toEqual(ids.toReversed());
  });
});

describe('filtering', () => {
  test('by status, role, both, and with a search', async () => {
    expect(await names({ status: 4 })).toEqual(['Иван Йорданов', 'Łukasz Żak']);
    expect(await names({ role_id: roles['Admin'] })).toEqual([
      'Éva Ångström',
      'Jo Straße',
      'Jo Straße',
      'Łukasz Żak',
    ]);
    expect(await names({ role_id: roles['Admin'], status: 4 })).toEqual(['Łukasz Żak']);
    expect(await names({ role_id: roles['Sales'], search: 'e', sort: 'role', limit: 3 })).toEqual([
      'eva Berg',
      'Ewa Øster',
      'Иван Йорданов',
    ]);
    expect(await names({ role_id: 999_999 })).toEqual([]);
    expect(await list({ status: 1, limit: 1 })).toMatchObject({ total: 2, super_admins: 1 });
  });

  test('by the second step that active members lack, also with a role and a search', async () => {
    const ewa = { email: 'x.2@northwind.example' };
    await updateRows(app, 'users', ewa, { mfa_enabled: true });
    expect(await names({ lacks_step: 'any', sort: 'name' })).not.toContain('Ewa Øster');
    const sales = { role_id: roles['Sales'], lacks_step: 'strong' };
    expect(await names({ ...sales, limit: 2 })).toEqual(['Ewa Øster', 'Jo Anne Müller']);
    expect(await list({ ...sales, lacks_step: 'any' })).toMatchObject({ total: 3 });
    expect(await list({ ...sales, search: 'ew' })).toMatchObject({ total: 1 });
    expect(await names({ ...sales, status: 3 })).toEqual([]);
    await updateRows(app, 'users', ewa, { mfa_enabled: false });
  });
});
