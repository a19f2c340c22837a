import { expect, test } from 'vitest';
import { companyWithProvider, linkCompany, visitCompany } from '#server/testing/company-provider.ts';
import { scimClient } from '#server/testing/directories.ts';
import { confirmed, deactivate, founder, newEmail, signedUp } from '#server/testing/people.ts';
import { insertRow, listRows, updateRows } from '#server/testing/rows.ts';
import { activityOf, newRole, roleIdOf, staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, MAX_MEMBERS_PER_ORG: '3' });

/** An organization with a proven domain, by which people join so. */
async function world(joining: 'invitation' | 'ask' | 'click') {
  const boss = await founder(app);
  const { orgId } = boss;
  const domain = newEmail('x').replace(/@.*$/, '.example');
  const roleId = await newRole(boss.visitor, orgId, 'Sales');
  const now = app.clock.now();
  const role = joining === 'click' ? { role_id: roleId } : {};
  const proven = { proven_at: now, checked_at: now, created_at: now };
  await insertRow(app, 'company_domains', { org_id: orgId, domain, token: 't', joining, ...role, ...proven });
  const requests = async () =>
    responseOf<object[]>(await boss.visitor.get(`/api/joinrequests?org_id=${orgId}`));
  const subjects = async (email: string) =>
    (await app.mails(email)).map(({ subject }) => subject.replaceAll('\u200B', ''));
  return { boss, orgId, domain, roleId, requests, subjects };
}
type Offer = { readonly offer: null | { readonly offered_by: number; readonly asked_time: string | null } };
const offerTo = async (visitor: Visitor) => responseOf<Offer>(await visitor.get('/api/joinoffer')).offer;
const join = (visitor: Visitor, orgId: number) => visitor.post('/api/joinoffer', { offered_by: orgId });

test('a confirmed address of the domain joins by one click, with the role of the domain', async () => {
  const { boss, orgId, domain, roleId } = await world('click');
  const tom = await confirmed(app, `tom@${domain}`);
  expect(await offerTo(tom.visitor)).toMatchObject({
    offered_by: orgId,
    joining: 'click',
    OrgName: 'Northwind Traders',
  });
  expect(responseOf(await join(tom.visitor, orgId))).toEqual({ joined: 1, OrgUrlName: boss.urlName });
  const [member] = await listRows(app, 'memberships', ['role_id', 'status', 'is_default'], {
    user_id: tom.id,
  });
  expect(member).toEqual({ role_id: roleId, status: 2, is_default: true });
  expect((await activityOf(app, orgId))[0]).toMatchObject({ user_id: tom.id, record_id: tom.id });
  expect(await offerTo(tom.visitor)).toBe(null);
  expect((await join(tom.visitor, orgId)).code).toBe('not_found');
});

test('whom a directory has deactivated is offered nothing, and others only ask (U8)', async () => {
  const { boss, orgId, domain, roleId } = await world('click');
  const tom = await confirmed(app, `tom@${domain}`);
  const input = { org_id: orgId, role_id: roleId };
  const answer = await boss.visitor.post('/api/orgs/directory', input);
  const directory = scimClient(app, responseOf<{ token: string }>(answer).token);
  await directory.post('/Users', { userName: tom.email, active: false });
  expect([await offerTo(tom.visitor), (await join(tom.visitor, orgId)).code]).toEqual([null, 'not_found']);
  const ann = await confirmed(app, `ann@${domain}`);
  expect(responseOf(await join(ann.visitor, orgId))).toEqual({ joined: 0 });
});

test('only a confirmed address in exactly a proven domain is offered the organization (U3)', async () => {
  const { orgId, domain } = await world('ask');
  const offered = async (person: { visitor: Visitor }) => (await offerTo(person.visitor))?.offered_by;
  expect(await offered(await confirmed(app, `a@${domain}`))).toBe(orgId);
  const others = [
    await signedUp(app, `b@${domain}`),
    await confirmed(app, `c@sub.${domain}`),
    await confirmed(app, `d@x${domain}`),
    await confirmed(app),
    await confirmed(app, `e@${(await world('invitation')).domain}`),
  ];
  for (const person of others) {
    expect(await offered(person)).toBe(undefined);
    expect((await join(person.visitor, orgId)).code).toBe('not_found');
  }
  await updateRows(app, 'company_domains', { domain }, { proven_at: null });
  expect(await offered(await confirmed(app, `f@${domain}`))).toBe(undefined);
});

test('an admin lets in a person who asks, with a role that they may give', async () => {
  const { boss, orgId, domain, roleId, requests, subjects } = await world('ask');
  const tom = await confirmed(app, `tom@${domain}`);
  expect(responseOf(await join(tom.visitor, orgId))).toEqual({ joined: 0 });
  expect((await join(tom.visitor, orgId)).code).toBe('no_changes');
  expect(await offerTo(tom.visitor)).toMatchObject({ asked_time: expect.any(String) });
  expect((await subjects(boss.email)).at(-1)).toContain(tom.email);
  const admin = await staff(app, orgId, 'Admin');
  expect(await requests()).toMatchObject([{ user_id: tom.id, email: tom.email }]);
  const accept = (by: Visitor, role_id: number) =>
    by.post('/api/joinrequests', { org_id: orgId, user_id: tom.id, role_id });
  const superAdmin = await roleIdOf(app, orgId, 'Super Admin');
  expect((await accept(admin.visitor, superAdmin)).code).toBe('not_allowed');
  responseOf(await accept(admin.visitor, roleId));
  expect(await requests()).toEqual([]);
  expect((await subjects(tom.email)).at(-1)).toContain('member');
  expect((await accept(admin.visitor, roleId)).code).toBe('user_not_found');
});

test('a request can be withdrawn or declined, and asked again', async () => {
  const { boss, orgId, domain, requests, subjects } = await world('ask');
  const tom = await confirmed(app, `tom@${domain}`);
  responseOf(await join(tom.visitor, orgId));
  expect(responseOf(await tom.visitor.delete('/api/joinoffer', {}))).toEqual({ withdrawn: 1 });
  expect(responseOf(await tom.visitor.delete('/api/joinoffer', {}))).toEqual({ withdrawn: 0 });
  expect(await requests()).toEqual([]);
  responseOf(await join(tom.visitor, orgId));
  responseOf(await boss.visitor.delete('/api/joinrequests', { org_id: orgId, user_id: tom.id }));
  expect(await offerTo(tom.visitor)).toMatchObject({ asked_time: null });
  expect((await subjects(tom.email)).at(-1)).toContain('declined your request to join');
  const newest = `/api/auditlogs?org_id=${orgId}&activity_type=29&limit=1`;
  const log = responseOf<{ audit: { record_id: number }[]; user_names: object }>(
    await boss.visitor.get(newest),
  );
  // He never joined, so the row has a stand-in for his id.
  const whom = log.audit[0]?.record_id;
  expect(whom).not.toBe(tom.id);
  expect(log.user_names).toMatchObject({ [String(whom)]: tom.email });
});

test('a request of a person who lost the address, or whose account ends, counts no more (U4)', async () => {
  const { boss, orgId, domain, roleId, requests } = await world('ask');
  const moved = await confirmed(app, `moved@${domain}`);
  const leaving = await confirmed(app, `leaving@${domain}`);
  for (const { visitor } of [moved, leaving]) responseOf(await join(visitor, orgId));
  expect(await requests()).toHaveLength(2);
  await updateRows(app, 'users', { id: moved.id }, { email: newEmail() });
  await deactivate(app, leaving);
  expect(await requests()).toEqual([]);
  const input = { org_id: orgId, user_id: moved.id, role_id: roleId };
  expect((await boss.visitor.post('/api/joinrequests', input)).code).toBe('user_not_found');
});

test('the last seat goes to one of two who join by a click at the same time', async () => {
  const { orgId, domain } = await world('click');
  const people = [await confirmed(app, `a@${domain}`), await confirmed(app, `b@${domain}`)];
  await staff(app, orgId, 'Admin');
  const answers = await Promise.all(people.map(({ visitor }) => join(visitor, orgId)));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['sign_max_users_reached', undefined]));
});

test('a visit that makes a person a member ends their request', async () => {
  const company = await companyWithProvider(app);
  const ann = await confirmed(app, `ann@${company.domain}`);
  const asked = { org_id: company.orgId, user_id: ann.id };
  await insertRow(app, 'join_requests', { ...asked, created_at: app.clock.now() });
  await visitCompany(app, company, ann.visitor, { sub: 'ann', email: ann.email });
  responseOf(await linkCompany(ann.visitor));
  expect(await listRows(app, 'memberships', ['status'], asked)).toEqual([{ status: 2 }]);
  expect(await listRows(app, 'join_requests', ['user_id'], asked)).toEqual([]);
  await company.close();
});

test('a person joins while the organization of their choice has them Inactive', async () => {
  const { orgId, domain } = await world('click');
  const tom = await founder(app);
  await updateRows(app, 'users', { id: tom.id }, { email: `tom@${domain}` });
  await updateRows(app, 'memberships', { user_id: tom.id }, { status: 3 });
  expect(responseOf(await join(tom.visitor, orgId))).toMatchObject({ joined: 1 });
});
