import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#server/clock.ts';
import { moved } from '#server/testing/addresses.ts';
import { invitationCalls, type MemberRow } from '#server/testing/invitation-calls.ts';
import {
  type Boss,
  colleague,
  confirmed,
  founder,
  idOf,
  invited,
  mailedDigest,
  newEmail,
  rolesOf,
} from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions, startApp } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
let boss: Boss;
let roles: Record<string, number>;
beforeAll(async () => {
  boss = await founder(app);
  roles = await rolesOf(boss);
});

const { codeOf, invite, lastActivity, read, resend } = invitationCalls(() => ({ app, boss, roles }));
const userOf = (email: string) =>
  app.deps.sql.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('POST /orgusers', () => {
  test('an unknown address gets an account without a password, a seat, a mail to choose a password, and a log row', async () => {
    const email = newEmail('new');
    const answer = await invite({
      email_id: email.toUpperCase(),
      last_name: 'Berg',
      designation: 'Clerk',
      role_id: roles['Super Admin'],
    });
    const member = responseOf<MemberRow>(answer);
    expect(member).toEqual({
      id: member.id,
      user_id: member.user_id,
      first_name: 'Tom',
      last_name: 'Berg',
      email,
      role: 'Super Admin',
      role_id: roles['Super Admin'],
      designation: 'Clerk',
      status: 1,
      invitation_expires: new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString(),
    });
    expect(await userOf(email)).toMatchObject({ first_name: 'Tom', confirmed_at: null });
    const [mail] = await app.mails(email);
    expect(mail?.subject).toBe('You are invited to Northwind Traders');
    expect(mail?.text).toContain('Maya Lindqvist invites you to join Northwind Traders');
    expect(mail?.text).toContain(`${app.url}/createpassword?digest=`);
    expect(await lastActivity()).toMatchObject({
      org_id: boss.orgId,
      user_id: boss.id,
      record_id: await idOf(app, email),
      information: {
        email: [null, email],
        first_name: [null, 'Tom'],
        last_name: [null, 'Berg'],
        designation: [null, 'Clerk'],
        role: [null, 'Super Admin'],
      },
    });
  });

  test('a known address gets the same answer, and a mail to join or decline', async () => {
    const person = await confirmed(app);
    const member = responseOf<MemberRow>(await invite({ email_id: person.email }));
    expect(member).toMatchObject({ status: 1, first_name: 'Tom' });
    expect(await lastActivity()).toMatchObject({ record_id: person.id });
    const mail = (await app.mails(person.email)).at(-1);
    expect(mail?.text).toContain(`${app.url}/invitation?digest=`);
    expect(mail?.text).toContain('Sign in with this address to join or decline.');
  });

  test('a person with a membership of any status cannot be invited again', async () => {
    const { email } = await invited(boss);
    for (const status of [1, 2, 3, 4] as const) {
      await updateRows(app, 'memberships', { email_key: email }, { status });
      const answer = await untouched(app, () => invite({ email_id: email }));
      expect(answer.code).toBe('user_present_in_org');
      expect(answer.body.error?.details).toBe('User already present in the Org');
    }
    expect(await codeOf(() => invite({ email_id: boss.email }))).toBe('user_present_in_org');
  });

  test('an expired invitation is sent again, with the names and role of the new one', async () => {
    const { id, email } = await invited(boss);
    const old = await mailedDigest(app, email);
    app.clock.forward(7 * DAY_MS);
    const again = responseOf<MemberRow>(
      await invite({ email_id: email, first_name: 'Thomas', role_id: roles['Super Admin'] }),
    );
    expect(again).toMatchObject({
      user_id: id,
      first_name: 'Thomas',
      last_name: '',
      role: 'Super Admin',
      status: 1,
    });
    expect((await lastActivity())?.information).toEqual({
      first_name: ['Tom', 'Thomas'],
      last_name: ['Berg', ''],
      role: ['Admin', 'Super Admin'],
    });
    expect((await read(old)).code).toBe('digest_invalid');
    expect(responseOf(await read(await mailedDigest(app, email)))).toMatchObject({ role: 'Super Admin' });
  });

  test('nobody gives a role with rights that they do not hold', async () => {
    const admin = await colleague(app, boss, 'Admin');
    expect(await codeOf(() => invite({ role_id: roles['Super Admin'] }, admin))).toBe('not_allowed');
    responseOf(await invite({ role_id: roles['Admin'] }, admin));
  });

  test('an admin cannot take over an expired invitation of a Super Admin', async () => {
    const admin = await colleague(app, boss, 'Admin');
    const { email } = await invited(boss, { role: 'Super Admin' });
    app.clock.forward(7 * DAY_MS);
    expect(await codeOf(() => invite({ email_id: email }, admin))).toBe('not_allowed');
    responseOf(await invite({ email_id: email }));
    app.clock.forward(7 * DAY_MS);
    responseOf(await invite({ email_id: email }, admin));
  });

  test('a foreign role or organization is not found, and the caller’s id comes from the session (G2, G3)', async () => {
    const other = await founder(app, 'Other');
    const foreign = (await rolesOf(other))['Admin'];
    expect(await codeOf(() => invite({ role_id: foreign }))).toBe('role_not_found');
    expect(await codeOf(() => invite({}, other))).toBe('org_not_found');
    expect(await codeOf(() => invite({ org_id: 999_999 }))).toBe('org_not_found');
  });

  test('one person sends five hundred an hour', async () => {
    responseOf(await invite());
    await app.deps.sql
      .updateTable('rate_limits')
      .set({ count: 500 })
      .where('key', 'like', 'invitationMailsHour:%')
      .execute();
    expect(await codeOf(() => invite())).toBe('too_many_requests');
    app.clock.forward(HOUR_MS);
    responseOf(await invite());
  });
});

describe('seats', () => {
  test('invited, active and disabled members hold one, inactive ones do not', async () => {
    const small = await startApp({ MAX_MEMBERS_PER_ORG: '3' });
    const owner = await founder(small);
    const ask = async () =>
      owner.visitor.post('/api/orgusers', {
        org_id: owner.orgId,
        role_id: (await rolesOf(owner))['Admin'],
        first_name: 'Tom',
        email_id: newEmail('tom'),
      });
    const first = responseOf<MemberRow>(await ask());
    responseOf(await ask());
    const full = async () => {
      const answer = await ask();
      expect([answer.status, answer.code]).toEqual([409, 'sign_max_users_reached']);
    };
    await full();
    const become = (status: 1 | 2 | 3 | 4) => updateRows(small, 'memberships', { id: first.id }, { status });
    await become(2);
    await full();
    await become(4);
    await full();
    expect(await listRows(small, 'users', ['id'])).toHaveLength(3);
    await become(3);
    responseOf(await ask());
    await full();
    await small.close();
  });
});

describe('POST /orgusers/resend', () => {
  test('mails a new link for another seven days, and the old link stops working', async () => {
    const { id, email } = await invited(boss);
    const old = await mailedDigest(app, email);
    app.clock.forward(6 * DAY_MS);
    const expires = new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString();
    expect(responseOf(await resend(id))).toMatchObject({
      user_id: id,
      status: 1,
      invitation_expires: expires,
    });
    expect(await lastActivity()).toMatchObject({
      record_id: await idOf(app, email),
    });
    const fresh = await mailedDigest(app, email);
    expect(await app.mails(email)).toHaveLength(2);
    expect((await read(old)).code).toBe('digest_invalid');
    app.clock.forward(7 * DAY_MS - 1);
    responseOf(await read(fresh));
    app.clock.forward(1);
    expect((await read(fresh)).code).toBe('digest_expired');
    responseOf(await resend(id));
    responseOf(await read(await mailedDigest(app, email)));
  });

  test('works only for unanswered invitations of this organization, by admins who could invite the person', async () => {
    const joined = await colleague(app, boss, 'Admin');
    const { id } = await invited(boss, { role: 'Super Admin' });
    const other = await founder(app, 'Other');
    const foreign = await invited(other);
    const answer = await untouched(app, () => resend(joined.id));
    expect(answer.code).toBe('not_allowed');
    expect(answer.body.error?.details).toBe('This person has joined already.');
    expect(await codeOf(() => resend(id, joined))).toBe('not_allowed');
    expect(await codeOf(() => resend(foreign.id))).toBe('user_not_found');
    expect(await codeOf(() => resend(id, other))).toBe('org_not_found');
  });
});

test('a person who is invited again at their current address gets all further mails there', async () => {
  const person = await confirmed(app);
  await invited(boss, { email: person.email });
  const next = await moved(app, person);
  app.clock.forward(7 * DAY_MS);
  const again = responseOf<MemberRow>(await invite({ email_id: next }));
  expect(again).toMatchObject({ email: next });
  expect((await lastActivity())?.record_id).toBe(person.id);
  expect((await lastActivity())?.information).toMatchObject({ email: [person.email, next] });
  const before = await app.mails(person.email);
  responseOf(await resend(again.user_id));
  expect(await app.mails(person.email)).toEqual(before);
  responseOf(await read(await mailedDigest(app, next)));
});

test('the link is only in the mail, not in answers, rows, the outbox or the log (H3)', async () => {
  const email = newEmail('secret');
  const answers = [await invite({ email_id: email })];
  const { user_id: id } = responseOf<MemberRow>(answers[0] as Answer);
  const jobs = await app.deps.sql.selectFrom('jobs').selectAll().execute();
  const digest = await mailedDigest(app, email);
  responseOf(await read(digest));
  answers.push(await resend(id));
  const later = await mailedDigest(app, email);
  for (const path of ['/api/orgusers', '/api/init'])
    answers.push(await boss.visitor.get(`${path}?org_id=${boss.orgId}`));
  const { sql } = app.deps;
  const rows = [
    jobs,
    await sql.selectFrom('jobs').selectAll().execute(),
    await sql.selectFrom('activity').selectAll().execute(),
    await sql.selectFrom('memberships').selectAll().execute(),
    await sql
      .selectFrom('one_time_tokens')
      .selectAll()
      .where('user_id', '=', await idOf(app, email))
      .execute(),
  ];
  const visible = JSON.stringify([answers.map((answer) => answer.body), rows, app.logLines]);
  expect(visible).toContain(email);
  for (const secret of [digest, later]) expect(visible).not.toContain(secret);
});
