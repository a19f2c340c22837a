import { describe, expect, test } from 'vitest';
import { dayIn } from '#contract/dates.ts';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import {
  confirmed,
  deactivate,
  mailedDigest,
  newEmail,
  PASSWORD,
  type Person,
} from '#server/testing/people.ts';
import { insertRow, listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const signIn = (email: string, visitor: Visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
const restore = (digest: string) => app.visitor().post('/api/restoreaccount', { digest });
const resend = (email: string) => app.visitor().post('/api/restoreaccount/resend', { email_id: email });
const subjects = async (email: string) => (await app.mails(email)).map((mail) => mail.subject);

async function deactivated(): Promise<Person & { digest: string; until: Date }> {
  const person = await confirmed(app);
  const until = await deactivate(app, person);
  return { ...person, until, digest: await mailedDigest(app, person.email) };
}

const activityOf = ({ id }: Person) =>
  listRows(
    app,
    'activity',
    ['org_id', 'module', 'action', 'information'],
    { user_id: id, activity_type: ACTIVITY_TYPE.deleteAccount },
    'id',
  );

describe('a scheduled deletion', () => {
  test('mails the restore link and refuses every sign-in for 60 days', async () => {
    const person = await confirmed(app);
    const browser = app.visitor();
    responseOf(await signIn(person.email, browser));
    const until = await deactivate(app, person);
    expect(until.getTime() - app.clock.now().getTime()).toBe(60 * DAY_MS);
    for (const visitor of [person.visitor, browser]) {
      expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
      expect(responseOf(await visitor.get('/api/ustat'))).toBeNull();
    }
    const answer = await signIn(person.email, browser);
    expect([answer.status, answer.body.error]).toEqual([
      403,
      {
        code: 'account_is_disable',
        details: 'This account is disabled.',
        reason: 'deactivated',
        until: until.toISOString(),
      },
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const mail = (await app.mails(person.email)).at(-1);
    expect(mail?.subject).toBe('Your account is deactivated');
    expect(mail?.text).toContain(`${app.url}/restoreaccount?digest=`);
    expect(mail?.text).toContain(`On ${dayIn('Europe/Stockholm')(until)} it is erased for good.`);
  });

  test('voids pending links and codes and forgets the known browsers', async () => {
    const person = await confirmed(app);
    responseOf(await signIn(person.email));
    responseOf(await person.visitor.put('/api/mfa', { mfa_enabled: 1 }));
    const challenged = app.visitor();
    expect(responseOf(await signIn(person.email, challenged))).toMatchObject({ mfa_enabled: 1 });
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: person.email }));
    const reset = await mailedDigest(app, person.email);
    await deactivate(app, person);
    const newPassword = { digest: reset, password: 'fresh arch 77', timezone: '' };
    expect((await app.visitor().put('/api/resetpassword', newPassword)).code).toBe('digest_invalid');
    expect((await challenged.post('/api/otp', {})).code).toBe('otp_expired');
    expect(await listRows(app, 'known_devices', ['user_id'], { user_id: person.id })).toEqual([]);
  });

  test('stays unchanged when requested twice', async () => {
    const person = await deactivated();
    app.clock.forward(DAY_MS);
    expect(await deactivate(app, person)).toEqual(person.until);
    expect(
      (await subjects(person.email)).filter((name) => name === 'Your account is deactivated'),
    ).toHaveLength(1);
    expect(await activityOf(person)).toHaveLength(1);
    responseOf(await restore(person.digest));
  });

  test('refuses a session that a concurrent sign-in opened after it, and a restore ends that session', async () => {
    const person = await confirmed(app);
    const browser = app.visitor();
    responseOf(await signIn(person.email, browser));
    const row = await app.deps.sql
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', person.id as never)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    await deactivate(app, person);
    const { id: _, ...session } = row;
    await insertRow(app, 'sessions', { ...session, device_hash: null });
    expect((await browser.get('/api/user')).code).toBe('not_signed_in');
    responseOf(await restore(await mailedDigest(app, person.email)));
    expect((await browser.get('/api/user')).code).toBe('not_signed_in');
  });
});

describe('POST /restoreaccount', () => {
  test('cancels the deletion, signs nobody in, notifies the owner and is logged', async () => {
    const person = await deactivated();
    const answer = await restore(person.digest);
    expect(responseOf(answer)).toEqual({});
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await person.visitor.get('/api/user')).code).toBe('not_signed_in');
    responseOf(await signIn(person.email));
    expect(await subjects(person.email)).toContain('Your account is back');
    const until = person.until.toISOString();
    expect(await activityOf(person)).toEqual([
      {
        org_id: null,
        module: MODULE.deleteAccount,
        action: ACTION.delete,
        information: { reason: [null, 'I am moving on'], due_at: [null, until] },
      },
      {
        org_id: null,
        module: MODULE.deleteAccount,
        action: ACTION.change,
        information: { due_at: [until, null] },
      },
    ]);
  });

  test('works once, and a later deletion stays in force', async () => {
    const person = await deactivated();
    responseOf(await restore(person.digest));
    expect((await restore(person.digest)).code).toBe('digest_invalid');
    await deactivate(app, person);
    expect((await restore(person.digest)).code).toBe('digest_invalid');
    expect((await signIn(person.email)).code).toBe('account_is_disable');
  });
});

describe('POST /restoreaccount/resend', () => {
  test('mails another link; both work until one is used', async () => {
    const person = await deactivated();
    app.clock.forward(50 * DAY_MS);
    expect(responseOf(await resend(person.email.toUpperCase()))).toEqual({});
    const fresh = await mailedDigest(app, person.email);
    app.clock.forward(10 * DAY_MS - SECOND_MS);
    responseOf(await restore(person.digest));
    expect((await restore(fresh)).code).toBe('digest_invalid');
  });

  test('gives the same answer for any other address and mails nothing', async () => {
    const restored = await deactivated();
    responseOf(await restore(restored.digest));
    const expired = await deactivated();
    app.clock.forward(60 * DAY_MS);
    const before = (await app.mails()).length;
    const { email: active } = await confirmed(app);
    const mails = (await app.mails()).length;
    for (const email of [newEmail('nobody'), active, restored.email, expired.email]) {
      const answer = await resend(email);
      expect([answer.status, answer.body]).toEqual([200, { success: true, response: {} }]);
    }
    expect(mails).toBeGreaterThan(before);
    expect(await app.mails()).toHaveLength(mails);
  });

  test('mails three an hour and one more every ten minutes, with the same answers', async () => {
    const { email } = await deactivated();
    const before = (await subjects(email)).length;
    for (const mails of [1, 2, 3, 4, 4, 4]) {
      expect(responseOf(await resend(email))).toEqual({});
      expect((await subjects(email)).length - before).toBe(mails);
    }
    app.clock.forward(HOUR_MS);
    responseOf(await resend(email));
    expect((await subjects(email)).length - before).toBe(5);
  });
});
