import { describe, expect, test } from 'vitest';
import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { fieldText } from '#words/field.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { company, type Company, somebody, type Worker } from '#server/testing/company.ts';
import { confirmed, founder, mailedCode, PASSWORD, type Person } from '#server/testing/people.ts';
import { getRow, listRows, updateRows } from '#server/testing/rows.ts';
import { join, roleIdOf } from '#server/testing/staff.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const reason = 'I am moving on';
type Requester = Pick<Person, 'visitor'>;
const leave = ({ visitor }: Requester, more: object = { password: PASSWORD }) =>
  visitor.delete('/api/deleteaccount', { reason, ...more });
type Effects = {
  deleted_on: string;
  password_needed: number;
  images: number;
  organizations: { Id: number; OrgName: string; OrgUrlName: string; effect: string }[];
};
const effects = async ({ visitor }: Requester) =>
  responseOf<Effects>(await visitor.get('/api/deleteaccount'));
const statusOf = async (orgId: number, id: number) =>
  (await getRow(app, 'memberships', ['status'], { org_id: orgId, user_id: id })).status;
const setStatus = ({ orgId }: Company, { id }: Pick<Worker, 'id'>, status: MemberStatus) =>
  updateRows(app, 'memberships', { org_id: orgId, user_id: id }, { status });

describe('DELETE /deleteaccount', () => {
  test('deletes no organization that the page did not list', async () => {
    const person = await founder(app);
    const tom = await confirmed(app);
    const superAdmin = await roleIdOf(app, person.orgId, 'Super Admin');
    await join(app, tom, person.orgId, superAdmin);
    const deletedOrganizations = (await effects(person)).organizations.filter(
      ({ effect }) => effect === 'goes',
    );
    expect(deletedOrganizations).toEqual([]);
    expect((await tom.visitor.post('/api/orgs/leave', { org_id: person.orgId })).status).toBe(200);
    const answer = await leave(person, { password: PASSWORD, going: [] });
    expect([answer.status, answer.code]).toEqual([409, 'changed_meanwhile']);
    expect(await statusOf(person.orgId, person.id)).toBe(MEMBER_STATUS.active);
    expect((await effects(person)).organizations).toMatchObject([{ Id: person.orgId, effect: 'goes' }]);
    expect((await leave(person, { password: PASSWORD, going: [person.orgId] })).status).toBe(200);
  });

  test('with reason and password deactivates, ends every session and clears the cookies', async () => {
    const person = await founder(app);
    const elsewhere = app.visitor();
    const credentials = { email_id: person.email, password: PASSWORD, timezone: '' };
    responseOf(await elsewhere.post('/api/signin', credentials));
    const answer = await leave(person);
    const until = new Date(app.clock.now().getTime() + 60 * DAY_MS).toISOString();
    expect(responseOf(answer)).toEqual({ deleted_on: until });
    expect([...person.visitor.cookies.keys()].toSorted()).toEqual(['portico-language', 'portico-method']);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect((await elsewhere.get('/api/user')).code).toBe('not_signed_in');
    const logged = await listRows(app, 'activity', ['information'], {
      user_id: person.id,
      activity_type: ACTIVITY_TYPE.deleteAccount,
      org_id: null,
    });
    expect(logged).toEqual([{ information: { reason: [null, reason], due_at: [null, until] } }]);
    expect(app.logLines.join('')).not.toContain(PASSWORD);
  });

  test.each([
    ['an empty reason', { reason: '' }, { reason: fieldText.required }],
    ['no password', { password: undefined }, { password: fieldText.required }],
  ])('with %s: the refusal names the field, and nothing changes', async (_what, more, fields) => {
    const person = await confirmed(app);
    const answer = await untouched(app, () => leave(person, { password: PASSWORD, ...more }));
    expect([answer.status, answer.body.error?.fields]).toEqual([422, fields]);
  });

  test('refuses a wrong password, and counts it together with all other proofs', async () => {
    const person = await confirmed(app);
    for (let round = 0; round < 3; round += 1) {
      const answer = await untouched(app, () => leave(person, { password: 'wrong arch 99' }));
      expect([answer.status, answer.code]).toEqual([403, 'invalid_credentials']);
    }
    for (let round = 0; round < 2; round += 1)
      await person.visitor.post('/api/reauthenticate', { password: 'wrong arch 99' });
    const answer = await untouched(app, () => leave(person));
    expect([answer.status, answer.code]).toEqual([429, 'too_many_requests']);
  });

  test('asks for the password even right after a step-up, and needs nothing else', async () => {
    const person = await confirmed(app);
    responseOf(await person.visitor.post('/api/reauthenticate', { password: PASSWORD }));
    expect((await leave(person, {})).code).toBe('invalid_input');
    app.clock.forward(11 * MINUTE_MS);
    responseOf(await leave(person));
  });

  test('asks a person without a password for a recent proof by a mailed code', async () => {
    const person = await somebody(app);
    app.clock.forward(11 * MINUTE_MS);
    expect((await leave(person, { password: PASSWORD })).code).toBe('invalid_credentials');
    const answer = await untouched(app, () => leave(person, {}));
    expect([answer.status, answer.code]).toEqual([403, 'reauthentication_required']);
    responseOf(await person.visitor.post('/api/reauthenticate/code', {}));
    const otp = await mailedCode(app, person.email);
    responseOf(await person.visitor.post('/api/reauthenticate', { otp }));
    responseOf(await leave(person, {}));
  });
});

describe('the last Super Admin', () => {
  const { active } = MEMBER_STATUS;

  test('does not count a Super Admin whose account is to be deleted, even with an active membership', async () => {
    const org = await company(app);
    const [leaver, boss] = [await org.join('superAdmin'), await org.join('superAdmin')];
    responseOf(await leave(leaver, {}));
    const membership = {
      org_id: org.orgId,
      user_id: leaver.id,
      first_name: 'Ann',
      role_id: org.roles.superAdmin,
    };
    responseOf(await boss.visitor.put('/api/orgusers', { ...membership, status: active }));
    expect(await statusOf(org.orgId, leaver.id)).toBe(active);
    for (const answer of [
      await leave(boss, {}),
      await boss.visitor.post('/api/orgs/leave', { org_id: org.orgId }),
    ])
      expect(answer.code).toBe('last_super_admin');
  });

  test('of one among several organizations is refused, and all organizations stay unchanged', async () => {
    const [spared, blocked, alone] = [await company(app), await company(app), await company(app)];
    const person = await spared.join('sales');
    await spared.join('superAdmin');
    await blocked.add(person, 'superAdmin');
    await blocked.join('admin');
    await alone.add(person, 'superAdmin');
    await setStatus(alone, await alone.join('sales'), MEMBER_STATUS.disabled);
    expect((await untouched(app, () => leave(person, {}))).code).toBe('last_super_admin');
    const listed = (await effects(person)).organizations.map(({ Id, effect }) => [Id, effect] as const);
    expect(new Map(listed)).toEqual(
      new Map([
        [spared.orgId, 'leaves'],
        [blocked.orgId, 'blocks'],
        [alone.orgId, 'goes'],
      ]),
    );
  });
});

describe('GET /deleteaccount', () => {
  test('answers the day, the needed proof and the effects', async () => {
    const person = await founder(app, 'Northwind');
    expect(await effects(person)).toEqual({
      deleted_on: new Date(app.clock.now().getTime() + 60 * DAY_MS).toISOString(),
      password_needed: 1,
      images: 0,
      organizations: [{ Id: person.orgId, OrgName: 'Northwind', OrgUrlName: person.urlName, effect: 'goes' }],
    });
    const org = await company(app);
    await org.icon({ isShown: true });
    const boss = await org.join('superAdmin');
    expect(await effects(boss)).toMatchObject({ password_needed: 0, images: 1 });
    await org.join('superAdmin');
    expect(await effects(boss)).toMatchObject({ images: 0, organizations: [{ effect: 'leaves' }] });
  });
});
