import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { areaFieldText } from '#words/area-field.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';
import type { OrgId } from '#contract/wire.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { initialize } from './actions.ts';
import { colleague, confirmed, invited, type Person } from '#server/testing/people.ts';
import { activityOf, join, newRole, organizationOf, roleIdOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ MAX_ORGS_PER_USER: '1000', MAX_MEMBERS_PER_ORG: '7' });
let maya: Person;
let boss: Awaited<ReturnType<typeof organizationOf>>;
beforeAll(async () => {
  maya = await confirmed(app);
});
beforeEach(async () => {
  app.clock.forward(MINUTE_MS);
  boss = await organizationOf(maya, 'Northwind 2');
});

type Organization = { Id: number; isDefault: 0 | 1; OrgName: string };
const save = (body: object, who: Person = boss) =>
  who.visitor.put('/api/orgs', { org_id: boss.orgId, ...body });
const settings = async (who: Person = boss) =>
  responseOf<{ default_organizations: Organization }>(
    await who.visitor.get(`/api/settings?org_id=${boss.orgId}`),
  ).default_organizations;
const leave = (who: Person, org_id = boss.orgId) => who.visitor.post('/api/orgs/leave', { org_id });
const organizationsOf = async (who: Person) => responseOf<Organization[]>(await who.visitor.get('/api/orgs'));

describe('PUT /orgs', () => {
  const all = {
    name: 'Northwind Traders',
    description: 'We trade.',
    website: 'northwind.example',
    employee_count: 120,
  };
  test('changes the given fields, and the log has old and new values', async () => {
    const expected = {
      Id: boss.orgId,
      OrgName: 'Northwind Traders',
      OrgUrlName: boss.urlName,
      Description: 'We trade.',
      WebSite: 'northwind.example',
      EmployeeCount: 120,
      ApplicationName: PRODUCT_NAME,
      role: 'Super Admin',
    };
    expect(responseOf(await save(all))).toMatchObject(expected);
    expect(await settings()).toMatchObject(expected);
    expect((await activityOf(app, boss.orgId))[0]).toEqual({
      user_id: maya.id,
      activity_type: ACTIVITY_TYPE.organizationInformation,
      action: ACTION.update,
      module: MODULE.organization,
      record_id: boss.orgId,
      information: {
        name: ['Northwind 2', 'Northwind Traders'],
        description: ['', 'We trade.'],
        website: ['', 'northwind.example'],
        employee_count: [null, 120],
      },
    });
    expect((await save(all)).code).toBe('no_changes');
    expect(responseOf(await save({ description: '', website: '' }))).toMatchObject({
      OrgName: 'Northwind Traders',
      Description: '',
      WebSite: '',
      EmployeeCount: 120,
    });
  });

  test('renames the application, with its own row in the log', async () => {
    const answer = await save({ application_name: 'Signwell', description: 'Both at once' });
    expect(responseOf(answer)).toMatchObject({ ApplicationName: 'Signwell', Description: 'Both at once' });
    const [one, other] = await activityOf(app, boss.orgId);
    expect(one).toMatchObject({
      information: { application_name: [PRODUCT_NAME, 'Signwell'] },
    });
    expect(other).toMatchObject({
      information: { description: ['', 'Both at once'] },
    });
    expect((await save({ application_name: 'Signwell' })).code).toBe('no_changes');
  });

  test('an unchanged name may keep its digits, a changed one has letters only', async () => {
    expect(responseOf(await save({ name: 'Northwind 2', description: 'x' }))).toMatchObject({
      OrgName: 'Northwind 2',
    });
    const answer = await save({ name: 'Northwind 3' });
    expect([answer.status, answer.body.error?.fields]).toEqual([422, { name: areaFieldText.lettersOnly }]);
    expect(responseOf(await save({ name: '  Ærlig Øl ' }))).toMatchObject({ OrgName: 'Ærlig Øl' });
  });

  test.each([
    [{ website: 'javascript:alert(1)' }, { website: areaFieldText.website }],
    [{ application_name: 'Ninechars' }, { application_name: 'Please use at most 8 letters.' }],
    [{ is_default: 0 }, { is_default: fieldText.wrongType }],
    [
      { OrgUrlName: 'mine', Id: 1 },
      { OrgUrlName: serverFieldText.unknownField, Id: serverFieldText.unknownField },
    ],
  ])('refuses %o and changes nothing (G10)', async (body, fields) => {
    const before = await settings();
    const answer = await save(body);
    expect([answer.status, answer.body.error?.fields]).toEqual([422, fields]);
    expect(await settings()).toEqual(before);
  });

  test('is_default alone is a change, and changes only the caller’s own default', async () => {
    const admin = await staff(app, boss.orgId, 'Admin');
    const other = await organizationOf(admin);
    const defaults = async (who: Person) =>
      (await organizationsOf(who)).filter((one) => one.isDefault).map(({ Id }) => Id);
    expect(await defaults(admin)).toEqual([other.orgId]);
    const before = await defaults(maya);
    expect(responseOf(await save({ is_default: 1 }, admin))).toMatchObject({ isDefault: 1 });
    expect(await defaults(admin)).toEqual([boss.orgId]);
    expect(await defaults(maya)).toEqual(before);
    expect(responseOf(await admin.visitor.get('/api/init'))).toMatchObject({
      default_organizations: { Id: boss.orgId },
      other_organizations: [{ Id: other.orgId }],
    });
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      user_id: admin.id,
      information: { is_default: [false, true] },
    });
    expect((await save({ is_default: 1 }, admin)).code).toBe('no_changes');
  });
});

test('every member sees the application’s name and icons, with the seats used', async () => {
  const member = await staff(app, boss.orgId, await newRole(boss.visitor, boss.orgId, 'Sales'));
  const admin = await roleIdOf(app, boss.orgId, 'Admin');
  for (const status of [1, 3, 4] as const) await join(app, await confirmed(app), boss.orgId, admin, status);
  const path = `/api/orgsetting?org_id=${boss.orgId}`;
  expect(responseOf(await member.visitor.get(path))).toEqual({
    application_name: PRODUCT_NAME,
    app_dark_icon: '/icon-dark.svg',
    app_light_icon: '/icon-light.svg',
    icon_name: 'icon-dark.svg',
    limits: { members: 7, members_used: 4 },
  });
});

describe('POST /orgs/leave', () => {
  test('ends the membership at once; account, session and other organizations stay', async () => {
    const tom = await colleague(app, boss);
    const other = await organizationOf(tom);
    expect(responseOf(await leave(tom))).toEqual({});
    expect((await leave(tom)).code).toBe('org_not_found');
    expect((await tom.visitor.get(`/api/init?org_id=${boss.orgId}`)).code).toBe('org_not_found');
    expect((await organizationsOf(tom)).map(({ Id }) => Id)).toEqual([other.orgId]);
    expect((await activityOf(app, boss.orgId))[0]).toMatchObject({
      user_id: tom.id,
      record_id: tom.id,
      information: { email: [tom.email, null], role: ['Admin', null], status: [2, null] },
    });
  });

  test('the oldest remaining organization becomes the default one', async () => {
    const tom = await confirmed(app);
    const [first, second, third] = [
      await organizationOf(tom),
      await organizationOf(tom),
      await organizationOf(tom),
    ];
    for (const { orgId } of [first, second, third])
      await join(app, maya, orgId, await roleIdOf(app, orgId, 'Super Admin'));
    responseOf(await tom.visitor.put('/api/orgs', { org_id: third.orgId, is_default: 1 }));
    responseOf(await leave(tom, third.orgId));
    expect(await organizationsOf(tom)).toMatchObject([
      { Id: first.orgId, isDefault: 1 },
      { Id: second.orgId, isDefault: 0 },
    ]);
    responseOf(await leave(tom, second.orgId));
    expect(await organizationsOf(tom)).toMatchObject([{ Id: first.orgId, isDefault: 1 }]);
    responseOf(await leave(tom, first.orgId));
    expect(responseOf(await tom.visitor.get('/api/init'))).toMatchObject({ default_organizations: null });
  });

  test('the last active Super Admin cannot leave', async () => {
    const superAdmin = await roleIdOf(app, boss.orgId, 'Super Admin');
    await staff(app, boss.orgId, 'Admin');
    await join(app, await confirmed(app), boss.orgId, superAdmin, 3);
    const { status, code } = await leave(maya);
    expect([status, code]).toEqual([409, 'last_super_admin']);
    await staff(app, boss.orgId, superAdmin);
    expect((await leave(maya)).status).toBe(200);
  });
});

describe('init', () => {
  test('does not show an organization whose invitation is pending', async () => {
    const tom = await confirmed(app);
    await invited(boss, { email: tom.email });
    expect((await tom.visitor.get(`/api/init?org_id=${boss.orgId}`)).code).toBe('org_not_found');
    expect(responseOf(await tom.visitor.get('/api/init'))).toMatchObject({
      default_organizations: null,
      other_organizations: [],
    });
  });

  test('refuses a person who was erased during the call, so that the page signs them out', async () => {
    const scope = { orgId: boss.orgId as OrgId, roleId: 1 as never, rank: 'member' } as const;
    for (const opened of [scope, null])
      expect(
        await initialize(
          app.deps,
          {
            userId: 999_999 as never,
            sessionId: 0 as never,
            secondStep: null,
            proven: 'account',
            authenticatedAt: new Date(),
            entered: [],
            enteredWithStep: [],
          },
          opened,
        ),
      ).toMatchObject({ name: 'user_not_found' });
  });
});
