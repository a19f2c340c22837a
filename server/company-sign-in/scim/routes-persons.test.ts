import { beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, DIRECTORY_ID } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { company, type Company, somebody, type Worker } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import { getRow, listRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// A user of the directory is found by `externalId` or by an address that nobody else has proven, and is named in the log.

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let org: Company;
let boss: Worker;
let directory: Awaited<ReturnType<typeof companyDirectory>>;
let address: string;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  directory = await companyDirectory(app, org, boss);
  address = `john@${directory.domain}`;
});

const add = (externalId: string, more: object = {}) =>
  directory.post('/Users', { userName: address, externalId, active: true, ...more });
const setActive = (id: string, active: boolean, more: object = {}) =>
  directory.patch(`/Users/${id}`, { op: 'replace', value: { active, ...more } });
/** A person of the company, known to the directory as `one`, with the role Lead by a group. */
async function lead() {
  const worker = await somebody(app, { email: address });
  await org.add(worker, 'sales');
  const { id } = (await add('one')).body;
  const { body: group } = await directory.post('/Groups', { displayName: 'Leads', members: [{ value: id }] });
  const given = { org_id: org.orgId, group_id: group.id, role_id: org.roles.lead };
  responseOf(await boss.visitor.put('/api/orgs/directory', given));
  const membership = async () =>
    (await listRows(app, 'memberships', ['role_id', 'status'], { org_id: org.orgId, user_id: worker.id }))[0];
  expect(await membership()).toEqual({ role_id: org.roles.lead, status: MEMBER_STATUS.active });
  return { ...worker, scimId: id, groupPath: `/Groups/${group.id}`, membership };
}

describe('the externalId names the person', () => {
  test('a newcomer with the name and address of a leaver gets neither their id, groups nor role', async () => {
    const john = await lead();
    await setActive(john.scimId, false);
    // By POST, and by PUT or PATCH of a client that found the former user by name.
    for (const call of [
      add('two'),
      setActive(john.scimId, true, { externalId: 'two' }),
      directory.put(`/Users/${john.scimId}`, { userName: address, externalId: 'two', active: true }),
      setActive(john.scimId, false, { externalId: 'two' }),
    ])
      expect(await call).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(await john.membership()).toEqual({ role_id: org.roles.lead, status: MEMBER_STATUS.inactive });

    // The same person, or one without an id, returns.
    expect((await add('one')).body).toMatchObject({ id: john.scimId, active: true });
    await setActive(john.scimId, false);
    expect((await directory.post('/Users', { userName: address })).body.id).toBe(john.scimId);
    expect(await john.membership()).toEqual({ role_id: org.roles.lead, status: MEMBER_STATUS.active });

    // Once a Super Admin has removed the leaver, the newcomer is somebody new.
    await setActive(john.scimId, false);
    const removal = { org_id: org.orgId, del_user_id: john.id };
    responseOf(await boss.visitor.delete('/api/orgusers', removal));
    const { status, body } = await add('two');
    expect([status, body.id === john.scimId]).toEqual([201, false]);
    expect(await john.membership()).toEqual({ role_id: org.roles.sales, status: MEMBER_STATUS.invited });
    expect((await directory.get(john.groupPath)).body['members']).toEqual([]);
    expect((await directory.get(`/Users/${john.scimId}`)).status).toBe(404);
  });

  test('a newcomer whom a client writes over a former user loses the groups', async () => {
    const john = await lead();
    await setActive(john.scimId, false);
    responseOf(await boss.visitor.delete('/api/orgusers', { org_id: org.orgId, del_user_id: john.id }));
    expect((await setActive(john.scimId, true, { externalId: 'two' })).status).toBe(200);
    expect((await directory.get(john.groupPath)).body['members']).toEqual([]);
    expect(await getRow(app, 'scim_groups', ['size'], { org_id: org.orgId })).toEqual({ size: 0 });
    expect(await john.membership()).toEqual({ role_id: org.roles.sales, status: MEMBER_STATUS.invited });
  });

  test('two users never share one, and the same one under another name is the same person', async () => {
    const { id } = (await add('one')).body;
    const other = { userName: `jane@${directory.domain}`, externalId: 'one' };
    expect(await directory.post('/Users', other)).toMatchObject({
      status: 409,
      body: { detail: 'A user has this externalId already.' },
    });
    const { body: bo } = await directory.post('/Users', { userName: `bo@${directory.domain}` });
    expect((await setActive(bo.id, true, { externalId: 'one' })).status).toBe(409);
    await setActive(id, false);
    expect((await directory.post('/Users', other)).body).toMatchObject({ id, userName: other.userName });
    expect(await directory.find('externalId eq "one"')).toHaveLength(1);
  });
});

describe('a new address', () => {
  const holdInvitation = async (email: string) => {
    const other = await company(app);
    const chief = await other.join('superAdmin');
    const kim = { first_name: 'Kim', email_id: email, role_id: other.roles.sales, org_id: other.orgId };
    responseOf(await chief.visitor.post('/api/orgusers', kim));
    return async (id: number) =>
      listRows(app, 'memberships', ['status'], { org_id: other.orgId, user_id: id });
  };

  const holdSignUp = async (email: string) => {
    await somebody(app, { email, confirmed: false });
    return async () => [];
  };
  test.each([
    ['an unconfirmed sign-up', []],
    ['an invitation of another organization', [{ status: MEMBER_STATUS.invited }]],
  ])('passes from %s, whose mailbox nobody has proven', async (what, after) => {
    const rosa = await somebody(app, { email: address });
    await org.add(rosa, 'sales');
    const { id } = (await add('one')).body;
    const email = `rosa${what.length}@${directory.domain}`;
    const membership =
      what === 'an unconfirmed sign-up' ? await holdSignUp(email) : await holdInvitation(email);
    const moved = await directory.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: email });
    expect(moved).toMatchObject({ status: 200, body: { userName: email } });
    expect((await getRow(app, 'users', ['id'], { email })).id).toBe(rosa.id);
    expect(await membership(rosa.id)).toEqual(after);
  });

  test('stays with an account that has confirmed it', async () => {
    const rosa = await somebody(app, { email: address });
    await org.add(rosa, 'sales');
    const { id } = (await add('one')).body;
    const { email } = await somebody(app, { email: `taken@${directory.domain}` });
    const moved = await directory.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: email });
    expect(moved).toMatchObject({ status: 409, body: { detail: 'Another account has this address.' } });
    expect((await getRow(app, 'users', ['email'], { id: rosa.id })).email).toBe(address);
  });
});

test('a name without parts is taken apart, and a user without an address says so', async () => {
  await add('one', { displayName: 'Odell, Fiona' });
  expect(await getRow(app, 'memberships', ['first_name', 'last_name'], { email_key: address })).toEqual({
    first_name: 'Fiona',
    last_name: 'Odell',
  });
  const formatted = { userName: `kim@${directory.domain}`, name: { formatted: 'Kim Akers' } };
  expect((await directory.post('/Users', formatted)).body['name']).toEqual({ formatted: 'Kim Akers' });
  const { body } = await directory.post('/Users', { userName: 'nomail' });
  expect(body['detail']).toBe('The user has no email address.');
});

test('changes of groups and of people without a membership are in the log', async () => {
  const { id } = (await add('one', { active: false })).body;
  await setActive(id, false, { title: 'Buyer' });
  await setActive(id, false, { title: 'Buyer' });
  const { body: group } = await directory.post('/Groups', { displayName: 'Staff', members: [{ value: id }] });
  await directory.patch(`/Groups/${group.id}`, { op: 'replace', value: { displayName: 'EU' } });
  await directory.delete(`/Users/${id}`);
  await directory.delete(`/Groups/${group.id}`);
  const rows = (await activityOf(app, org.orgId)).filter((row) => row.user_id === DIRECTORY_ID);
  const of = (type: number) =>
    rows
      .filter((row) => row.activity_type === type)
      .map(({ action, information }) => [action, information])
      .toReversed();
  expect(of(ACTIVITY_TYPE.directoryUser)).toEqual([
    [ACTION.create, { directory_user: address }],
    [ACTION.update, { directory_user: address, designation: ['', 'Buyer'] }],
    [ACTION.delete, { directory_user: address }],
  ]);
  expect(of(ACTIVITY_TYPE.directoryGroup)).toEqual([
    [ACTION.create, { directory_group: 'Staff' }],
    [ACTION.update, { directory_group: 'Staff', directory_members: [0, 1] }],
    [ACTION.update, { directory_group: ['Staff', 'EU'] }],
    [ACTION.delete, { directory_group: 'EU' }],
  ]);
});
