import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { areaFieldText } from '#words/area-field.ts';
import { serverFieldText } from '#words/server-field.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { newestRow } from '#server/testing/addresses.ts';
import {
  confirmed,
  founder,
  mailedCode,
  mailedDigest,
  PASSWORD,
  signedUp,
  signIn,
  twoStepPerson,
} from '#server/testing/people.ts';
import { deleteRows, listRows } from '#server/testing/rows.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const NEW = 'a wholly other arch';
const change = (visitor: Visitor, current = PASSWORD, chosen = NEW) =>
  visitor.put('/api/changepassword', { current_password: current, new_password: chosen });
const isIn = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat')) !== null;

test('the new password opens the account and the old one does not; the change is logged and mailed', async () => {
  const { visitor, email, id } = await confirmed(app);
  expect(responseOf(await change(visitor))).toEqual({});
  responseOf(await signIn(app.visitor(), email, NEW));
  expect((await signIn(app.visitor(), email, PASSWORD)).code).toBe('invalid_credentials');
  const rows = await listRows(app, 'activity', ['module', 'activity_type', 'action', 'information'], {
    user_id: id,
    activity_type: 3,
  });
  expect(rows).toEqual([
    { module: MODULE.profile, activity_type: ACTIVITY_TYPE.password, action: ACTION.change, information: {} },
  ]);
  expect((await app.mails(email)).map(({ subject }) => subject)).toContain('Your password was changed');
});

test('every other session ends, and this one continues with a new cookie', async () => {
  const { visitor, email } = await confirmed(app);
  const other = app.visitor();
  responseOf(await signIn(other, email, PASSWORD));
  const before = visitor.session;
  responseOf(await change(visitor));
  expect(visitor.session).not.toBe(before);
  expect([await isIn(visitor), await isIn(other)]).toEqual([true, false]);
  const stolen = app.visitor();
  stolen.cookies.set('portico', before ?? '');
  expect(await isIn(stolen)).toBe(false);
});

test('a sign-in that waits for its code and a mailed reset end too', async () => {
  const { visitor, email } = await twoStepPerson(app);
  const halfway = app.visitor();
  const { contact } = responseOf<{ contact: string }>(await signIn(halfway, email, PASSWORD));
  const otp = await mailedCode(app, email);
  responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
  const digest = await mailedDigest(app, email);
  responseOf(await change(visitor));
  expect((await halfway.post('/api/verifyotp', { contact, otp, timezone: '' })).code).toBe('otp_expired');
  const choice = { digest, password: 'yet another arch', timezone: '' };
  expect((await app.visitor().put('/api/resetpassword', choice)).code).toBe('digest_invalid');
});

test('after five wrong passwords the wait begins, even for right ones', async () => {
  const { visitor } = await confirmed(app);
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await change(visitor, 'not the one at all');
    expect([answer.code, answer.body.error?.details]).toEqual([
      'invalid_credentials',
      'Invalid crendentials',
    ]);
  }
  responseOf(await visitor.get('/api/user'));
  await change(visitor, 'not the one at all');
  const blocked = await change(visitor);
  expect([blocked.status, Number(blocked.headers.get('retry-after'))]).toEqual([429, 1]);
  // Step-up shares the same counter.
  expect((await visitor.post('/api/reauthenticate', { password: PASSWORD })).code).toBe('too_many_requests');
  app.clock.forward(MINUTE_MS);
  responseOf(await change(visitor));
});

test.each<[chosen: string, message: string]>([
  ['short', 'Please use at least 8 characters.'],
  ['sturdy<arch 43', areaFieldText.generalText],
  ['password123', serverFieldText.commonPassword],
  ['Lindqvist 42', serverFieldText.guessablePassword],
])('the new password %j is refused with its reason', async (chosen, message) => {
  const { visitor } = await founder(app);
  const answer = await untouched(app, () => change(visitor, PASSWORD, chosen));
  expect([answer.status, answer.body.error?.fields]).toEqual([422, { new_password: message }]);
});

test('the same password is refused, however its letters are composed', async () => {
  const { visitor } = await confirmed(app);
  const composed = 'sturdy \u00e4rch 42';
  responseOf(await change(visitor, PASSWORD, composed));
  for (const password of [composed, 'sturdy a\u0308rch 42']) {
    const answer = await untouched(app, () => change(visitor, composed, password));
    expect([answer.status, answer.code]).toEqual([409, 'same_password']);
  }
});

test('a current password may contain characters that a new one may not', async () => {
  const visitor = app.visitor();
  const quoted = `it's "sturdy" <42>`;
  const email = `quoted.${process.pid}@northwind.example`;
  responseOf(await visitor.post('/api/signup', { emailId: email, password: quoted, timezone: '' }));
  expect(responseOf(await change(visitor, quoted))).toEqual({});
});

test('the notice goes only to a confirmed address', async () => {
  const { visitor, email } = await signedUp(app);
  responseOf(await change(visitor));
  expect((await app.mails(email)).map(({ subject }) => subject)).toEqual(['Confirm your email address']);
});

test('a person without a password gets the same refusal as for a wrong one', async () => {
  const { visitor, id } = await confirmed(app);
  await deleteRows(app, 'passwords', { user_id: id });
  const answer = await untouched(app, () => change(visitor));
  expect([answer.status, answer.code]).toEqual([403, 'invalid_credentials']);
  expect((await newestRow(app, id)).activity_type).not.toBe(3);
});
