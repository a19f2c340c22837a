import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { type Company, company, type Worker } from '#server/testing/company.ts';
import { type Entry, insertLogged } from '#server/testing/logged.ts';
import { deleteRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

type Log = {
  id: number;
  date: string;
  time: string;
  created_at: string;
  created_by: string;
  user_id: number;
  record_id: number | null;
  module: number;
  activity_type: number;
  action: number;
  information: Record<string, unknown>;
};
type Names = Record<string, string>;
type Page = { audit: Log[]; user_names: Names; role_info: Names; next: string | null };

const app = useApp();
let here: Company;
let admin: Worker;
let member: Worker;
beforeEach(async () => {
  here = await company(app);
  [admin, member] = [await here.join('admin'), await here.join('sales')];
});

/** Adds one row per minute. */
async function plant(...entries: Entry[]) {
  for (const entry of entries) {
    await insertLogged(app, entry);
    app.clock.forward(MINUTE_MS);
  }
}
const ask = (by: Worker, query: Record<string, string | number> = {}, orgId: number | null = here.orgId) => {
  const params = { ...(orgId !== null && { org_id: String(orgId) }), ...query } as Record<string, string>;
  return by.visitor.get(`/api/auditlogs?${new URLSearchParams(params).toString()}`);
};
const read = async (...params: Parameters<typeof ask>) => responseOf<Page>(await ask(...params));
const marks = async (...params: Parameters<typeof ask>) =>
  (await read(...params)).audit.map(({ information }) => information['mark']);
const mark = (text: string) => ({ information: { mark: text } });

describe('the rows of a reader', () => {
  beforeEach(async () => {
    const there = await company(app);
    await plant(
      { orgId: here.orgId, by: member, ...mark('the member’s') },
      { orgId: here.orgId, by: admin, recordId: member.id, type: 8, ...mark('the admin’s, to the member') },
      { by: member, ...mark('the member’s own') },
      { by: admin, ...mark('the admin’s own') },
      { orgId: there.orgId, by: member, ...mark('the member’s elsewhere') },
    );
  });
  const organization = ['the admin’s, to the member', 'the member’s'];

  test('an admin sees the organization’s rows, and their own on request', async () => {
    expect(await marks(admin)).toEqual(organization);
    expect(await marks(admin, { scope: 'organization' })).toEqual(organization);
    expect(await marks(admin, { scope: 'mine' })).toEqual(['the admin’s own', 'the admin’s, to the member']);
  });

  test('other people see their own acts here, and their rows outside organizations', async () => {
    expect(await marks(member)).toEqual(['the member’s own', 'the member’s']);
    expect(await marks(member, { scope: 'mine' })).toEqual(['the member’s own', 'the member’s']);
    expect(await ask(member, { scope: 'organization' })).toMatchObject({ status: 403, code: 'not_allowed' });
  });

  test('without an organization there are only rows outside organizations', async () => {
    expect(await marks(member, {}, null)).toEqual(['the member’s own']);
    expect((await ask(admin, { scope: 'organization' }, null)).body.error?.fields).toHaveProperty('org_id');
  });

  test('admins can filter by any person, and everybody by themselves', async () => {
    expect(await marks(admin, { user_id: member.id })).toEqual(['the member’s']);
    expect(await marks(member, { user_id: member.id })).toEqual(['the member’s own', 'the member’s']);
    for (const scope of [{}, { scope: 'mine' }])
      expect(await ask(member, { ...scope, user_id: admin.id })).toMatchObject({ code: 'not_allowed' });
    expect(await ask(admin, { scope: 'mine', user_id: member.id })).toMatchObject({ code: 'not_allowed' });
  });
});

test('a row says when in UTC, who, what and about which record', async () => {
  await plant({ orgId: here.orgId, by: admin, recordId: admin.id, information: { name: ['a', 'b'] } });
  const [row] = (await read(admin)).audit;
  const moment = row?.created_at ?? '';
  expect(row).toEqual({
    id: expect.any(Number) as number,
    created_at: moment,
    date: moment.slice(0, 10),
    time: moment.slice(11),
    created_by: 'Ann',
    user_id: admin.id,
    record_id: admin.id,
    module: 2,
    activity_type: 1,
    action: 3,
    information: { name: ['a', 'b'] },
  });
});

describe('names', () => {
  const rename = (worker: Worker, first_name: string, last_name: string) =>
    updateRows(app, 'memberships', { user_id: worker.id }, { first_name, last_name });
  const invitationOf = (worker: Worker) =>
    plant({ orgId: here.orgId, by: admin, type: 8, recordId: worker.id, module: 1 });

  test('are those of the membership, or those logged at its end; the profile’s names are not shown', async () => {
    await rename(member, '愛子', '森');
    const [formerMember, unknown] = [await here.join('sales'), await here.join('sales')];
    for (const worker of [formerMember, unknown])
      await plant({ orgId: here.orgId, by: worker, type: 15, action: 1, recordId: worker.id, module: 1 });
    for (const worker of [member, formerMember, unknown]) await invitationOf(worker);
    const ended = { orgId: here.orgId, by: admin, type: 8, action: 4, recordId: formerMember.id };
    await plant({ ...ended, information: { name: ['Ann Then', null] } });
    for (const worker of [formerMember, unknown])
      await deleteRows(app, 'memberships', { user_id: worker.id });
    await app.deps.sql
      .updateTable('users')
      .set({ first_name: 'Zaphod' })
      .where('id', 'in', [formerMember.id, unknown.id])
      .execute();
    const { user_names: names } = await read(admin);
    expect(names).toEqual({
      [admin.id]: 'Ann',
      [member.id]: '森 愛子',
      [formerMember.id]: 'Ann Then',
      [unknown.id]: 'Former member',
    });
  });

  test('of erased people are “Deleted user”', async () => {
    const erased = await here.join('sales');
    await plant({ orgId: here.orgId, by: erased });
    await deleteRows(app, 'users', { id: erased.id });
    const page = await read(admin);
    expect(page.user_names).toEqual({ [erased.id]: 'Deleted user' });
    expect(page.audit[0]?.created_by).toBe('Deleted user');
  });

  test('of roles are shown while they exist, and only in their own organization', async () => {
    const there = await company(app);
    const [existing, deleted] = [await here.newRole(), await here.newRole()];
    for (const recordId of [existing, deleted, there.roles.sales, here.orgId])
      await plant({ orgId: here.orgId, by: admin, type: 7, module: 1, recordId });
    await deleteRows(app, 'roles', { id: deleted });
    expect(Object.keys((await read(admin)).role_info)).toEqual([String(existing)]);
  });
});

describe('filters', () => {
  const at = (minute: number) => new Date(Date.parse('2026-03-02T09:00:00.000Z') + minute * MINUTE_MS);
  let start: number;
  beforeEach(async () => {
    start = (app.clock.now().getTime() - at(0).getTime()) / MINUTE_MS;
    await plant(
      { orgId: here.orgId, by: admin, module: 1, type: 7, action: 1, ...mark('a') },
      { orgId: here.orgId, by: member, module: 2, type: 1, action: 3, ...mark('b') },
      { orgId: here.orgId, by: admin, module: 1, type: 7, action: 3, ...mark('c') },
      { orgId: here.orgId, by: member, module: 1, type: 15, action: 1, ...mark('d') },
      { orgId: here.orgId, by: admin, module: 1, type: 7, action: 1, ...mark('e') },
    );
  });
  const moment = (minute: number) => at(start + minute).toISOString();

  test.for<[query: () => Record<string, string | number>, expected: string]>([
    [() => ({}), 'edcba'],
    [() => ({ module: 1 }), 'edca'],
    [() => ({ action: 1, module: 1, activity_type: 15 }), 'd'],
    [() => ({ user_id: member.id, action: 1 }), 'd'],
    [() => ({ from: moment(1), to: moment(3) }), 'cb'],
    [() => ({ from: moment(1), activity_type: 7, action: 1, user_id: admin.id, module: 1 }), 'e'],
  ])('%#', async ([query, expected]) => {
    expect((await marks(admin, query())).join('')).toBe(expected);
  });

  test('a page continues where the page before ended, with every size and filter, even if rows are added meanwhile', async () => {
    for (const filter of [{}, { user_id: admin.id, action: 1 }]) {
      const whole = await marks(admin, filter);
      for (const limit of [1, 2]) {
        const pagedMarks: unknown[] = [];
        for (let after: string | null = ''; after !== null;) {
          const page = await read(admin, { ...filter, limit, ...(after && { after }) });
          expect(page.audit.length).toBeLessThanOrEqual(limit);
          pagedMarks.push(...page.audit.map(({ information }) => information['mark']));
          if (!after)
            await insertLogged(app, {
              orgId: here.orgId,
              by: admin,
              module: 1,
              type: 7,
              action: 1,
              ...mark('new'),
            });
          after = page.next;
        }
        expect(pagedMarks.filter((one) => one !== 'new')).toEqual(whole.filter((one) => one !== 'new'));
      }
    }
  });

  test('rows of one moment keep their order over pages, with and without an organization', async () => {
    for (const [at, orgId] of [here.orgId, null, here.orgId, null].entries())
      await insertLogged(app, { orgId, by: member, ...mark(String(at)) });
    const newest = (await marks(member)).slice(0, 4);
    expect(newest).toEqual(['3', '2', '1', '0']);
    const first = await read(member, { limit: 2 });
    expect(await marks(member, { limit: 2, after: first.next ?? '' })).toEqual(['1', '0']);
  });
});

test('a page has at most two hundred rows, which is also the default', async () => {
  for (let count = 0; count < 201; count += 1) await insertLogged(app, { orgId: here.orgId, by: admin });
  const page = await read(admin);
  expect(page.audit).toHaveLength(200);
  expect((await read(admin, { after: page.next ?? '' })).next).toBeNull();
});

test.for<[field: string, values: string[]]>([
  ['scope', ['Mine', '']],
  ['module', ['7', '01']],
  ['from', ['2026-01-01', '2026-02-30T00:00:00Z', '1969-12-31T23:59:59Z']],
  ['after', ['1-0', '1-x', '01-1', '100000000000000-1']],
])('%s: an invalid value is refused by the field’s name', async ([field, values]) => {
  for (const value of values)
    expect((await ask(admin, { [field]: value })).body.error?.fields).toHaveProperty(field);
});

test('a period that ends before it begins is refused', async () => {
  const answer = await ask(admin, { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' });
  expect([answer.status, Object.keys(answer.body.error?.fields ?? {})]).toEqual([422, ['to']]);
});
