import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { DAY_MS } from '#server/clock.ts';
import { requestAddress } from '#server/testing/addresses.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { act, linesOf } from '#server/testing/operator.ts';
import {
  confirmed,
  deactivate,
  founder,
  idOf,
  invited,
  mailedDigest,
  signedUp,
} from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();
type Person = { readonly id: number; readonly email: string };
const resend = ({ id }: Person, mail: string) => linesOf(app.deps, 'resend', { person: String(id), mail });
const isSent = (person: Person, mail: string) =>
  expect(resend(person, mail)).resolves.toContain(`The ${mail} mail is on its way.`);
const invitee = async () => {
  const { email } = await invited(await founder(app));
  return { email, id: await idOf(app, email) };
};

test('each mail that waits goes out again with a fresh link that serves', async () => {
  const [fresh, maya, gone, tom] = [
    await signedUp(app),
    await confirmed(app),
    await confirmed(app),
    await invitee(),
  ];
  const pages = {
    confirmation: [fresh, 'post', '/api/verifyemail'],
    reset: [maya, 'put', '/api/resetpassword'],
    restore: [gone, 'post', '/api/restoreaccount'],
    invitation: [tom, 'post', '/api/resetpassword'],
  } as const;
  await deactivate(app, gone);
  for (const [mail, [person, method, path]] of Object.entries(pages)) {
    const former = await mailedDigest(app, person.email);
    await isSent(person, mail);
    const digest = await mailedDigest(app, person.email);
    expect(digest).not.toBe(former);
    const password = path === '/api/resetpassword' && { password: 'another arch 43', timezone: '' };
    responseOf(await app.visitor()[method](path, { digest, ...password }));
  }
});

test('an address that waits for its link gets it again, and the account keeps its own', async () => {
  const person = await confirmed(app);
  const { email } = await requestAddress(app, person);
  await isSent(person, 'confirmation');
  expect(await app.mails(email)).toHaveLength(2);
});

test('where nothing waits the sentence says so, and nothing is mailed', async () => {
  const [maya, lost, closed] = [await confirmed(app), await confirmed(app), await confirmed(app)];
  await updateRows(app, 'users', { id: lost.id }, { email: null });
  await deactivate(app, closed);
  const count = (await app.mails(maya.email)).length;
  for (const [person, mail, sentence] of [
    [maya, 'confirmation', 'No address of this account waits for its confirmation.'],
    [maya, 'invitation', 'No invitation of this person waits for an answer.'],
    [maya, 'restore', 'This account does not wait for its erasure.'],
    [lost, 'reset', 'The account has no address for the link.'],
    [closed, 'reset', 'waiting to be erased'],
    [maya, 'password', 'takes confirmation, reset, invitation, restore.'],
  ] as const)
    expect(await resend(person, mail)).toEqual([expect.stringContaining(sentence)]);
  expect(await app.mails(maya.email)).toHaveLength(count);
  const late = await invitee();
  app.clock.forward(60 * DAY_MS);
  expect(await resend(late, 'invitation')).toEqual(['No invitation of this person waits for an answer.']);
});

test('it has the budgets of the person’s own requests, which strangers cannot use up (O11)', async () => {
  const maya = await confirmed(app);
  for (let count = 0; count < 5; count += 1)
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: maya.email }));
  for (let count = 0; count < 3; count += 1) await isSent(maya, 'reset');
  expect(await act(app.deps, 'resend', { person: String(maya.id), mail: 'reset' })).toMatchObject({
    name: 'too_many_requests',
    detail: { details: expect.stringContaining('in 60 minutes') },
  });
});

const operatorRow = () =>
  app.deps.sql
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', OPERATOR_ID as UserId)
    .orderBy('id', 'desc')
    .executeTakeFirst();

test('removing second steps ends every session; the owner is notified and signs in by password', async () => {
  const person = await confirmed(app);
  const userId = person.id as UserId;
  await setUpApp(app, person.visitor);
  await addPasskey(person.visitor, app.url);
  expect(await act(app.deps, 'reset-second-steps', { person: String(userId) })).toMatchObject({
    data: { passkeys: 1, hadApp: true, ended: 1 },
  });
  expect(await operatorRow()).toMatchObject({
    activity_type: ACTIVITY_TYPE.twoStep,
    action: ACTION.change,
    record_id: userId,
    information: { mfa_enabled: [true, false], passkey: [1, 0], left: [10, 0], operator: 'root' },
  });
  expect(await isSignedIn(person.visitor)).toBe(false);
  expect((await app.mails(person.email)).at(-1)?.subject).toBe('Your second steps were removed');
  expect(await firstStep(app.visitor(), person.email)).toEqual({ mfa_enabled: 0 });
  expect(await act(app.deps, 'reset-second-steps', { person: String(userId) })).toMatchObject({
    name: 'no_changes',
  });
});

test('a passkey stays if nothing else opens the account', async () => {
  const { id, visitor } = await confirmed(app);
  const userId = id as UserId;
  await addPasskey(visitor, app.url);
  await updateRows(app, 'users', { id: userId }, { email: null, confirmed_at: null });
  expect(await act(app.deps, 'reset-second-steps', { person: String(userId) })).toMatchObject({
    name: 'last_way_in',
  });
});
