import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { confirmed, type Person } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { join, newRole, organizationOf, roleIdOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// A page sends the values that it shows. The server refuses the change if they are outdated.

const app = useApp({ MAX_ORGS_PER_USER: '1000' });
let maya: Person;
let boss: Awaited<ReturnType<typeof organizationOf>>;
let sales: number;
let tom: Person;
beforeAll(async () => {
  maya = await confirmed(app);
});
beforeEach(async () => {
  boss = await organizationOf(maya);
  sales = await newRole(boss.visitor, boss.orgId, 'Sales');
  tom = await staff(app, boss.orgId, sales);
});

type Row = Record<string, unknown>;
const list = async (query = '') =>
  responseOf<{ members: Row[]; total: number }>(
    await boss.visitor.get(`/api/orgusers?org_id=${boss.orgId}${query}`),
  );
const rowOf = async ({ id }: Person) => (await list(`&user_id=${id}`)).members[0] ?? {};
/** The fields that a page sends to say which values it showed. */
const shownFields = (row: Row) => ({
  was_first_name: row['first_name'],
  was_last_name: row['last_name'],
  was_designation: row['designation'],
  was_role_id: row['role_id'],
  was_status: row['status'],
});
const edit = (change: object) =>
  boss.visitor.put('/api/orgusers', {
    org_id: boss.orgId,
    user_id: tom.id,
    first_name: 'Tom',
    role_id: sales,
    ...change,
  });
const remove = (person: Person, was: object) =>
  boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: person.id, ...was });

test('one member is found by their id', async () => {
  expect(await list(`&user_id=${tom.id}`)).toMatchObject({ members: [{ user_id: tom.id }], total: 1 });
  const stranger = await confirmed(app);
  expect(await list(`&user_id=${stranger.id}`)).toMatchObject({ members: [], total: 0, next: null });
});

describe('an edit', () => {
  test.each([
    ['made Admin', async () => ({ role_id: await roleIdOf(app, boss.orgId, 'Admin') })],
    ['renamed', async () => ({ first_name: 'Thomas' })],
  ])('of a member whom another admin has %s meanwhile changes nothing', async (_change, changeOf) => {
    const before = shownFields(await rowOf(tom));
    responseOf(await edit(await changeOf()));
    const changed = await rowOf(tom);
    const answer = await edit({ last_name: 'Berg', status: 2, ...before });
    expect([answer.status, answer.code]).toEqual([409, 'changed_meanwhile']);
    expect(await rowOf(tom)).toEqual(changed);
  });

  test('of a member who is as the page shows them is saved', async () => {
    const answer = await edit({ last_name: 'Berg', status: 2, ...shownFields(await rowOf(tom)) });
    expect(responseOf(answer)).toMatchObject({ last_name: 'Berg' });
  });
});

describe('a deletion', () => {
  test('of an invitation does not end the membership if the person has joined meanwhile', async () => {
    const guest = await confirmed(app);
    await join(app, guest, boss.orgId, sales, 1);
    const row = (await list(`&search=${guest.email}`)).members[0] ?? {};
    const invitation = { ...guest, id: row['user_id'] as number };
    const { was_status } = shownFields(row);
    expect(was_status).toBe(1);
    await updateRows(app, 'memberships', { user_id: guest.id }, { status: 2 });
    expect((await remove(invitation, { was_status })).code).toBe('changed_meanwhile');
    expect(await rowOf(invitation)).toMatchObject({ status: 2 });
    expect((await remove(invitation, { was_status: 2 })).status).toBe(200);
  });
});
