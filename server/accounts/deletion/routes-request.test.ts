import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTIVITY_TYPE } from '#contract/activity.ts';
import { errors } from '#contract/errors.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';
import { fieldText } from '#contract/text/fields.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { company, type Company, somebody, type Worker } from '#server/testing/company.ts';
import {
  confirmed,
  founder,
  mailedCode,
  mailedDigest,
  PASSWORD,
  type Person,
} from '#server/testing/people.ts';
import { activityOf, join, roleIdOf } from '#server/testing/staff.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const reason = 'I am moving on';
type Asking = Pick<Person, 'visitor'>;
const leave = ({ visitor }: Asking, more: object = { password: PASSWORD }) =>
  visitor.delete('/api/deleteaccount', { reason, ...more });
type Effects = {
  deleted_on: string;
  password_needed: number;
  images: number;
  organizations: { Id: number; OrgName: string; OrgUrlName: string; effect: string }[];
};
const effects = async ({ visitor }: Asking) => responseOf<Effects>(await visitor.get('/api/deleteaccount'));
const statusOf = async (orgId: number, id: number) =>
  (
    await app.deps.sql
      .selectFrom('memberships')
      .select('status')
      .where('org_id', '=', orgId as OrgId)
      .where('user_id', '=', id as UserId)
      .executeTakeFirst()
  )?.status;
const setStatus = ({ orgId }: Company, { id }: Pick<Worker, 'id'>, status: MemberStatus) =>
  app.deps.sql
    .updateTable('memberships')
    .set({ status })
    .where('org_id', '=', orgId)
    .where('user_id', '=', id)
    .execute();

describe('DELETE /deleteaccount', () => {
  test('with reason and password deactivates, ends every session and clears the cookies', async () => {
    const person = await founder(app);
    const elsewhere = app.visitor();
    const credentials = { email_id: person.email, password: PASSWORD, timezone: '' };
    responseOf(await elsewhere.post('/api/signin', credentials));
    const answer = await leave(person);
    const until = new Date(app.clock.now().getTime() + 60 * DAY_MS).toISOString();
    expect(responseOf(answer)).toEqual({ deleted_on: until });
    expect([...person.visitor.cookies.keys()].filter((name) => name !== 'portico-method')).toEqual([]);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect((await elsewhere.get('/api/user')).code).toBe('not_signed_in');
    const signIn = await elsewhere.post('/api/signin', credentials);
    expect(signIn.body.error).toMatchObject({ code: 'account_is_disable', reason: 'deactivated', until });
    const mail = (await app.mails(person.email)).at(-1);
    expect(mail?.subject).toBe('Your account is deactivated');
    const rows = app.deps.sql.selectFrom('activity').select('information');
    const logged = await rows
      .where('user_id', '=', person.id as UserId)
      .where('activity_type', '=', ACTIVITY_TYPE.deleteAccount)
      .where('org_id', 'is', null)
      .execute();
    expect(logged).toEqual([{ information: { reason: [null, reason], due_at: [null, until] } }]);
    expect(app.logLines.join('')).not.toContain(PASSWORD);
    responseOf(
      await app.visitor().post('/api/restoreaccount', { digest: await mailedDigest(app, person.email) }),
    );
    responseOf(await elsewhere.post('/api/signin', credentials));
  });

  test.each([
    ['no reason', { reason: undefined }, { reason: fieldText.required }],
    ['an empty reason', { reason: '' }, { reason: fieldText.required }],
    ['a reason of spaces', { reason: '   ' }, { reason: fieldText.required }],
    ['a reason in quotes', { reason: 'I don"t' }, { reason: expect.any(String) as string }],
    ['a reason with a tag', { reason: '<b>' }, { reason: expect.any(String) as string }],
    ['a reason too long', { reason: 'x'.repeat(501) }, { reason: expect.any(String) as string }],
    ['no password', { password: undefined }, { password: fieldText.required }],
    ['an empty password', { password: '' }, { password: fieldText.required }],
    ['a key too many', { org_id: 1 }, { org_id: serverFieldText.unknownField }],
  ])('with %s names the field and does nothing', async (_what, more, fields) => {
    const person = await confirmed(app);
    const answer = await untouched(app, () => leave(person, { password: PASSWORD, ...more }));
    expect([answer.status, answer.body.error?.fields]).toEqual([422, fields]);
  });

  test('with a wrong password is refused, and such tries count with all other proofs', async () => {
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

  test('asks for the password whatever was proven a moment ago, and it needs no other proof', async () => {
    const person = await confirmed(app);
    responseOf(await person.visitor.post('/api/reauthenticate', { password: PASSWORD }));
    expect((await leave(person, {})).code).toBe('invalid_input');
    app.clock.forward(11 * MINUTE_MS);
    responseOf(await leave(person));
  });

  test('of somebody without a password needs a code by mail, given lately', async () => {
    const person = await somebody(app);
    app.clock.forward(11 * MINUTE_MS);
    expect((await leave(person, { password: PASSWORD })).code).toBe('invalid_credentials');
    const asked = await untouched(app, () => leave(person, {}));
    expect([asked.status, asked.code]).toEqual([403, 'reauthentication_required']);
    responseOf(await person.visitor.post('/api/reauthenticate/code', {}));
    const otp = await mailedCode(app, person.email);
    responseOf(await person.visitor.post('/api/reauthenticate', { otp }));
    responseOf(await leave(person, {}));
  });

  test('takes it back to no session: what was sent with the old cookie is refused', async () => {
    const person = await confirmed(app);
    const twice = await Promise.all([leave(person), leave(person)]);
    expect(twice.filter((answer) => answer.body.success)).toHaveLength(1);
    expect((await leave(person)).code).toBe('not_signed_in');
  });
});

describe('the last Super Admin', () => {
  const { invited, active, inactive, disabled } = MEMBER_STATUS;

  test.each([
    ['an active member', active, true],
    ['a paused member', inactive, true],
    ['somebody invited', invited, true],
    ['nobody but a disabled member', disabled, false],
  ] as const)('with %s is told so, in the guard’s words: %s', async (_who, status, blocks) => {
    const here = await company(app);
    const boss = await here.join('superAdmin');
    await setStatus(here, await here.join('sales'), status);
    expect((await effects(boss)).organizations).toMatchObject([{ effect: blocks ? 'blocks' : 'goes' }]);
    const answer = blocks ? await untouched(app, () => leave(boss, {})) : await leave(boss, {});
    expect([answer.status, answer.body.error?.details]).toEqual(
      blocks ? [409, errors.last_super_admin.text] : [200, undefined],
    );
    expect(await statusOf(here.orgId, boss.id)).toBe(blocks ? active : inactive);
  });

  test('may go once somebody else is Super Admin, and not when that one has left too', async () => {
    const here = await company(app);
    const [boss, other] = [await here.join('superAdmin'), await here.join('superAdmin')];
    await here.join('sales');
    responseOf(await leave(boss, {}));
    expect((await leave(other, {})).code).toBe('last_super_admin');
  });

  test('is not relieved by a Super Admin who has asked to be deleted, though an admin let them in again', async () => {
    const here = await company(app);
    const [gone, boss] = [await here.join('superAdmin'), await here.join('superAdmin')];
    responseOf(await leave(gone, {}));
    const again = { org_id: here.orgId, user_id: gone.id, first_name: 'Ann', role_id: here.roles.superAdmin };
    responseOf(await boss.visitor.put('/api/orgusers', { ...again, status: active }));
    expect(await statusOf(here.orgId, gone.id)).toBe(active);
    for (const answer of [
      await leave(boss, {}),
      await boss.visitor.post('/api/orgs/leave', { org_id: here.orgId }),
    ])
      expect(answer.code).toBe('last_super_admin');
  });

  test('of one organization among several is held back by that one, and all stay as they are', async () => {
    const [fine, blocked, own] = [await company(app), await company(app), await company(app)];
    const person = await fine.join('sales');
    await fine.join('superAdmin');
    await blocked.add(person, 'superAdmin');
    await blocked.join('admin');
    await own.add(person, 'superAdmin');
    expect((await untouched(app, () => leave(person, {}))).code).toBe('last_super_admin');
    expect((await effects(person)).organizations.map(({ Id, effect }) => [Id, effect])).toEqual([
      [fine.orgId, 'leaves'],
      [blocked.orgId, 'blocks'],
      [own.orgId, 'goes'],
    ]);
  });
});

describe('GET /deleteaccount', () => {
  test('tells the day, the proof it takes, and what goes along', async () => {
    const person = await founder(app, 'Northwind');
    expect(await effects(person)).toEqual({
      deleted_on: new Date(app.clock.now().getTime() + 60 * DAY_MS).toISOString(),
      password_needed: 1,
      images: 0,
      organizations: [{ Id: person.orgId, OrgName: 'Northwind', OrgUrlName: person.urlName, effect: 'goes' }],
    });
    const here = await company(app);
    await here.icon({ isShown: true });
    const boss = await here.join('superAdmin');
    expect(await effects(boss)).toMatchObject({ password_needed: 0, images: 1 });
    await here.join('superAdmin');
    expect(await effects(boss)).toMatchObject({ images: 0, organizations: [{ effect: 'leaves' }] });
  });

  test('of a plain member tells that they leave, and the organization’s log that their membership pauses', async () => {
    const boss = await founder(app);
    const member = await confirmed(app);
    await join(app, member, boss.orgId, await roleIdOf(app, boss.orgId, 'Admin'));
    const before = (await activityOf(app, boss.orgId)).length;
    expect((await effects(member)).organizations).toMatchObject([{ effect: 'leaves' }]);
    responseOf(await leave(member));
    expect(await activityOf(app, boss.orgId)).toHaveLength(before + 1);
    expect(await statusOf(boss.orgId, member.id)).toBe(MEMBER_STATUS.inactive);
  });
});
