import { beforeEach, describe, expect, test } from 'vitest';
import { ACTION, DIRECTORY_ID } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { QUIET_MS } from '#server/jobs/quiet.ts';
import { company, type Company, somebody, type Worker } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import { mailedDigest } from '#server/testing/mailed.ts';
import { deactivate, PASSWORD } from '#server/testing/people.ts';
import { getRow, listRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const MOST = 8;
const app = useApp({ RATE_LIMIT_FACTOR: '100', MAX_MEMBERS_PER_ORG: String(MOST) });
let org: Company;
let boss: Worker;
let directory: Awaited<ReturnType<typeof companyDirectory>>;
let counter = 0;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  directory = await companyDirectory(app, org, boss);
});

const addressOf = (name: string) => `${name}${(counter += 1)}@${directory.domain}`;
const bodyOf = (userName: string, more: object = {}) => ({
  userName,
  externalId: userName,
  active: true,
  name: { formatted: 'Kim Akers', givenName: 'Kim', familyName: 'Akers' },
  emails: [{ primary: true, type: 'work', value: userName }],
  ...more,
});
const add = async (userName = addressOf('kim'), more: object = {}) => {
  const { status, body } = await directory.post('/Users', bodyOf(userName, more));
  expect([status, body['detail']]).toEqual([201, undefined]);
  return { id: body.id, userName, path: `/Users/${body.id}` };
};
/** A member from before the directory, whom it knows now. */
async function colleague(role: 'sales' | 'superAdmin' = 'sales', email = addressOf('lee')) {
  const worker = await somebody(app, { email });
  await org.add(worker, role);
  const { path, userName } = await add(email, { name: {}, title: 'Buyer' });
  return { ...worker, path, userName };
}
const memberOf = async ({ userName }: { userName: string }) => {
  const user = await app.deps.sql
    .selectFrom('users')
    .select('id')
    .where('email', '=', userName)
    .executeTakeFirst();
  const columns = [
    'status',
    'first_name',
    'last_name',
    'role_id',
    'designation',
    'invitation_expires_at',
  ] as const;
  const [member] = user
    ? await listRows(app, 'memberships', columns, { user_id: user.id, org_id: org.orgId })
    : [];
  return member;
};
const enter = async ({ visitor }: Worker) => (await visitor.get(`/api/init?org_id=${org.orgId}`)).code;
const setActive = (path: string, value: unknown) =>
  directory.patch(path, { op: 'Replace', path: 'active', value });
const subjectsTo = async (address: string) => (await app.mails(address)).map(({ subject }) => subject);

describe('adding', () => {
  test('a user becomes an invited person without expiry, who accepts by the mailed link', async () => {
    const userName = addressOf('Kim').replace('kim', 'Kim');
    const { status, body, headers } = await directory.post(
      '/Users',
      bodyOf(userName, { password: 'x', roles: ['Super Admin'] }),
    );
    expect([status, headers.get('content-type')]).toEqual([201, 'application/scim+json; charset=utf-8']);
    const now = app.clock.now().toISOString();
    const location = `${app.url}/api/scim/v2/Users/${body.id}`;
    expect(headers.get('location')).toBe(location);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: body.id,
      ...bodyOf(userName),
      meta: { resourceType: 'User', created: now, lastModified: now, location },
    });
    const address = userName.toLowerCase();
    expect(await memberOf({ userName: address })).toMatchObject({
      status: MEMBER_STATUS.invited,
      role_id: org.roles.sales,
      first_name: 'Kim',
      invitation_expires_at: null,
    });
    expect(await directory.find(`userName eq "${address.toUpperCase()}"`)).toEqual([body]);
    expect((await directory.get(`/Users/${body.id}`)).body).toEqual(body);
    app.clock.forward(300 * 86_400_000);
    const digest = await mailedDigest(app, address);
    expect(responseOf(await app.visitor().get(`/api/invitation?digest=${digest}`))).toMatchObject({
      invited_by: 'The company directory',
    });
    responseOf(await app.visitor().post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' }));
    expect(await memberOf({ userName: address })).toMatchObject({ status: MEMBER_STATUS.active });
  });

  test.each([
    ['a free mailbox', 'kim@mail.example'],
    ['a subdomain', 'kim@eu.DOMAIN'],
    ['no address', 'kim'],
  ])('only with an address of a proven domain (U6): not %s', async (_, name) => {
    const userName = name.replace('DOMAIN', directory.domain);
    const { status, body } = await directory.post('/Users', bodyOf(userName));
    expect([status, body['scimType'], body['status']]).toEqual([400, 'invalidValue', '400']);
    await updateRows(app, 'company_domains', { org_id: org.orgId }, { proven_at: null });
    expect((await directory.post('/Users', bodyOf(addressOf('kim')))).status).toBe(400);
  });

  test('a duplicate is a conflict; a deactivated user returns by POST with the same id', async () => {
    const { id, userName, path } = await add();
    const again = await directory.post('/Users', bodyOf(userName.toUpperCase()));
    expect([again.status, again.body['scimType']]).toEqual([409, 'uniqueness']);
    expect((await setActive(path, 'False')).body['active']).toBe(false);
    expect(await memberOf({ userName })).toBeUndefined();
    expect(await add(userName)).toMatchObject({ id });
    expect(await memberOf({ userName })).toMatchObject({ status: MEMBER_STATUS.invited });
  });

  test('a full organization says so, and so does one without a role for new people', async () => {
    for (let nth = 1; nth < MOST; nth += 1) await add();
    const full = await directory.post('/Users', bodyOf(addressOf('kim')));
    expect([full.status, full.body['detail']]).toEqual([403, 'The organization has no free seat.']);
    await updateRows(app, 'scim_tokens', { org_id: org.orgId }, { role_id: null });
    expect((await directory.post('/Users', bodyOf(addressOf('kim')))).status).toBe(403);
  });
});

describe('leaving (U8)', () => {
  test.each([
    ['Entra’s PATCH', (path: string) => setActive(path, 'False')],
    ['Okta’s PATCH', (path: string) => directory.patch(path, { op: 'replace', value: { active: false } })],
    [
      'PUT',
      async (path: string) => directory.put(path, { ...(await directory.get(path)).body, active: false }),
    ],
  ])('%s ends the sessions of a member, who becomes Inactive and returns', async (_, leave) => {
    const lee = await colleague();
    expect([await enter(lee), (await memberOf(lee))?.designation]).toEqual([undefined, 'Buyer']);
    const { status, body } = await leave(lee.path);
    expect([status, body['active']]).toEqual([200, false]);
    expect(await enter(lee)).toBe('not_signed_in');
    expect(await memberOf(lee)).toMatchObject({ status: MEMBER_STATUS.inactive });
    expect((await directory.get(lee.path)).status).toBe(200);
    // An admin cannot lift what the directory has set.
    const edit = {
      org_id: org.orgId,
      user_id: lee.id,
      first_name: 'Ann',
      role_id: org.roles.sales,
      status: 2,
    };
    expect((await boss.visitor.put('/api/orgusers', edit)).code).toBe('not_allowed');
    expect((await setActive(lee.path, true)).body['active']).toBe(true);
    expect(await memberOf(lee)).toMatchObject({ status: MEMBER_STATUS.active });
  });

  test('a user who is added as inactive is deactivated', async () => {
    const lee = await somebody(app, { email: addressOf('lee') });
    await org.add(lee, 'sales');
    expect((await add(lee.email, { active: false })).path).toBeDefined();
    expect([await enter(lee), (await memberOf({ userName: lee.email }))?.status]).toEqual([
      'not_signed_in',
      MEMBER_STATUS.inactive,
    ]);
  });

  test('sessions of an account with another address stay; the organization is closed', async () => {
    const lee = await colleague();
    await updateRows(app, 'users', { email: lee.email }, { email: `lee${(counter += 1)}@home.example` });
    await setActive(lee.path, false);
    expect(await enter(lee)).toBe('org_not_found');
    expect((await lee.visitor.get('/api/init')).code).toBeUndefined();
  });

  test('DELETE removes the membership, and the user is unknown', async () => {
    const lee = await colleague();
    expect((await directory.delete(lee.path)).status).toBe(204);
    expect([await enter(lee), await memberOf(lee)]).toEqual(['not_signed_in', undefined]);
    expect((await directory.get(lee.path)).status).toBe(404);
    const log = responseOf<{ audit: object[] }>(await boss.visitor.get(`/api/auditlogs?org_id=${org.orgId}`));
    expect(log.audit).toContainEqual(
      expect.objectContaining({
        user_id: DIRECTORY_ID,
        created_by: 'The company directory',
        action: ACTION.delete,
      }),
    );
  });

  test('the last Super Admin stays, and all hear of it', async () => {
    const email = addressOf('boss');
    await updateRows(app, 'users', { id: boss.id }, { email });
    const { path } = await add(email);
    app.clock.forward(QUIET_MS);
    await app.mails();
    for (const call of [setActive(path, false), directory.delete(path)])
      expect((await call).status).toBe(403);
    expect([await enter(boss), (await memberOf({ userName: email }))?.status]).toEqual([undefined, 2]);
    expect(await subjectsTo(email)).toContain(
      'The company directory wants to deactivate the last Super Admin of Northwind',
    );
    const lee = await colleague('superAdmin');
    expect((await setActive(lee.path, false)).status).toBe(200);
  });

  test('a member whose account is being deleted stays Inactive after its restoration', async () => {
    const lee = await colleague();
    await deactivate(app, lee);
    const digest = await mailedDigest(app, lee.email);
    await setActive(lee.path, false);
    responseOf(await app.visitor().post('/api/restoreaccount', { digest }));
    expect(await memberOf(lee)).toMatchObject({ status: MEMBER_STATUS.inactive });
  });

  test('a disabled member stays so, and a removed one is inactive until the directory adds them again', async () => {
    const lee = await colleague();
    const userId = lee.id;
    await updateRows(app, 'memberships', { user_id: userId }, { status: MEMBER_STATUS.disabled });
    expect((await setActive(lee.path, false)).status).toBe(200);
    expect((await setActive(lee.path, true)).status).toBe(403);
    responseOf(await boss.visitor.delete('/api/orgusers', { org_id: org.orgId, del_user_id: userId }));
    expect((await directory.get(lee.path)).body['active']).toBe(false);
    expect((await setActive(lee.path, true)).body['active']).toBe(true);
    expect(await memberOf(lee)).toMatchObject({ status: MEMBER_STATUS.invited });
  });
});
const idOf = async (email: string) => (await getRow(app, 'users', ['id'], { email })).id;

describe('changing', () => {
  test('names and title reach the membership alone, and pages keep them', async () => {
    const lee = await colleague();
    const { body } = await directory.patch(lee.path, {
      op: 'replace',
      value: { 'name.givenName': "Le'e", 'name.familyName': '<Berg>', title: 'x'.repeat(100) },
    });
    expect(body['name']).toMatchObject({ givenName: "Le'e", familyName: '<Berg>' });
    expect(await memberOf(lee)).toMatchObject({
      first_name: 'Le’e',
      last_name: 'Berg',
      designation: 'x'.repeat(80),
    });
    expect(await getRow(app, 'users', ['first_name'], { email: lee.email })).toEqual({ first_name: 'Ann' });
    const edit = { org_id: org.orgId, user_id: lee.id, role_id: org.roles.sales };
    const renamed = await boss.visitor.put('/api/orgusers', { ...edit, first_name: 'Bo' });
    expect(renamed.body.error?.details).toBe('The company directory manages this. Change it there.');
    responseOf(
      await boss.visitor.put('/api/orgusers', { ...edit, first_name: 'Le’e', role_id: org.roles.admin }),
    );
  });

  test('an account’s address moves between proven domains, if free, and both mailboxes hear of it (U6)', async () => {
    const lee = await colleague();
    const other = await somebody(app, { email: addressOf('taken') });
    const move = (value: string) =>
      directory.patch(lee.path, { op: 'Add', path: 'emails[type eq "work"].value', value });
    for (const [value, status] of [
      [other.email, 409],
      ['lee@home.example', 400],
    ] as const)
      expect((await move(value)).status).toBe(status);
    const email = addressOf('new');
    expect((await move(email)).body['emails']).toMatchObject([{ value: email }]);
    expect((await getRow(app, 'users', ['email'], { id: lee.id })).email).toBe(email);
    for (const to of [lee.email, email]) expect(await subjectsTo(to)).toContain('Your address has changed');

    await updateRows(app, 'users', { email }, { email: `private${counter}@home.example` });
    expect((await move(addressOf('again'))).status).toBe(200);
    expect(await idOf(`private${counter - 1}@home.example`)).toBeDefined();
  });

  test('an invitation moves to the new address', async () => {
    const kim = await add();
    const userName = addressOf('new');
    await directory.put(kim.path, bodyOf(userName));
    expect([await memberOf(kim), (await memberOf({ userName }))?.status]).toEqual([
      undefined,
      MEMBER_STATUS.invited,
    ]);
    expect(await subjectsTo(userName)).toEqual(['You are invited to Northwind']);
  });

  test('a PATCH is all or nothing', async () => {
    const kim = await add();
    const { status } = await directory.patch(
      kim.path,
      { op: 'replace', path: 'title', value: 'x' },
      { op: 'remove' },
    );
    expect([status, (await directory.get(kim.path)).body['title']]).toEqual([400, undefined]);
  });
});
