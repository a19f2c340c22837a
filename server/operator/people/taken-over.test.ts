import { expect, test } from 'vitest';
import { maskEmail } from '#contract/accounts/mask.ts';
import { ACTIVITY_TYPE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { moved, newestRow, requestAddress } from '#server/testing/addresses.ts';
import { acted, linesOf, outcomeOf } from '#server/testing/operator.ts';
import {
  confirmed,
  deactivate,
  mailedDigest,
  newEmail,
  PASSWORD,
  type Person,
  resetByMail,
  signedUp,
} from '#server/testing/people.ts';
import { startReceiver } from '#server/testing/webhooks.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

const on = ({ id }: Pick<Person, 'id'>, more: object = {}) => ({ person: String(id), ...more });
const signIn = (email: string, password = PASSWORD) =>
  app.visitor().post('/api/signin', { email_id: email, password, timezone: '' });
const lastMail = async (email: string) => (await app.mails(email)).at(-1);
/** The owner sets a password with the newest mailed link. */
const chooseAnew = async (email: string, password = 'only the owner has it') => {
  const digest = await mailedDigest(app, email);
  responseOf(await app.visitor().put('/api/resetpassword', { digest, password, timezone: '' }));
  return password;
};
const isDisabled = { code: 'account_is_disable', reason: 'restricted' };

test('an account that a thief moved to their own address comes back to its owner (A19)', async () => {
  const owner = await confirmed(app);
  const theirs = await moved(app, owner);
  await resetByMail(app, theirs, 'only the thief has it');
  const thief = app.visitor();
  responseOf(
    await thief.post('/api/signin', { email_id: theirs, password: 'only the thief has it', timezone: '' }),
  );
  const next = await requestAddress(app, { visitor: thief });

  // Restricted until lifted: nobody signs in, and the pending address stays pending.
  expect(await linesOf(app.deps, 'restrict', { person: owner.email, until: 'lifted' })).toContain(
    'Restricted until lifted.',
  );
  expect(responseOf(await thief.get('/api/ustat'))).toBeNull();
  const refusal = (await signIn(theirs, 'only the thief has it')).body.error;
  expect(refusal).toMatchObject(isDisabled);
  expect(refusal).not.toHaveProperty('until');
  const link = { digest: next.digest, password: 'only the thief has it' };
  expect((await app.visitor().post('/api/verifyemail', link)).code).toBe('digest_invalid');
  expect((await lastMail(theirs))?.text).toContain('until they lift the restriction');

  const found = (await linesOf(app.deps, 'find', { words: owner.email })).join('\n');
  expect(found).toContain(theirs);
  expect(found).toContain(`had ${owner.email} before`);
  expect(found).toContain('restricted until lifted');
  const { devices, acts } = await acted<{ devices: object[]; acts: { what: string; origin: string }[] }>(
    app.deps,
    'activity',
    on(owner),
  );
  expect(devices).toEqual([]);
  expect(acts.map(({ what }) => what)).toContainEqual(expect.stringMatching(/signed in/));
  expect(acts.find(({ what }) => /password/.test(what))?.origin).toContain('127.0.0.1');

  const receiver = await startReceiver();
  await acted(app.deps, 'webhooks add', { url: receiver.url, event: ['person.changed'] });
  expect(await acted(app.deps, 'restore-address', on(owner, { address: owner.email.toUpperCase() }))).toEqual(
    {
      user_id: owner.id,
      address: owner.email,
      ended: 0,
    },
  );
  receiver.close();
  expect(await listRows(app, 'webhook_deliveries', ['event'])).toEqual([{ event: 'person.changed' }]);
  expect((await newestRow(app, owner.id)).information).toEqual({ email: [theirs, owner.email] });
  expect(await newestRow(app, OPERATOR_ID)).toMatchObject({
    activity_type: ACTIVITY_TYPE.contactInformation,
    record_id: owner.id,
    information: { email: [maskEmail(theirs), maskEmail(owner.email)], act: 'restore-address' },
  });
  expect((await lastMail(theirs))?.subject).toBe('You can no longer sign in with this address');
  expect((await lastMail(owner.email))?.subject).toBe('Your account has this address again');
  // The link that the thief's own request for another address mailed to them.
  const wayBack = (await app.mails(theirs)).flatMap(
    ({ text }) => /restoreemail\?digest=([\w-]+)/.exec(text)?.[1] ?? [],
  );
  expect(wayBack).toHaveLength(1);
  expect((await app.visitor().post('/api/restoreemail', { digest: wayBack[0] })).code).toBe('digest_invalid');
  const password = await chooseAnew(owner.email);
  // The operator's restriction outlasts the new password.
  expect((await signIn(owner.email, password)).body.error).toMatchObject(isDisabled);
  await acted(app.deps, 'lift', on(owner));
  responseOf(await signIn(owner.email, password));
  expect((await signIn(theirs, 'only the thief has it')).code).toBe('invalid_credentials');
});

test('a password is useless from the act on, and the owner chooses another one with the mailed link (A19)', async () => {
  const person = await confirmed(app);
  expect(await acted(app.deps, 'reset-password', on(person, { reason: 'Phished' }))).toEqual({
    user_id: person.id,
    ended: 1,
  });
  expect(responseOf(await person.visitor.get('/api/ustat'))).toBeNull();
  expect((await signIn(person.email)).code).toBe('invalid_credentials');
  expect(await newestRow(app, OPERATOR_ID)).toMatchObject({
    activity_type: ACTIVITY_TYPE.password,
    record_id: person.id,
    information: { sessions: [1, 0], act: 'reset-password', reason: 'Phished' },
  });
  const mail = await lastMail(person.email);
  expect(mail?.text).toContain('has invalidated the password of your account');
  expect(mail?.text).toContain('/resetpassword?digest=');
  responseOf(await signIn(person.email, await chooseAnew(person.email)));

  await updateRows(app, 'users', { id: person.id }, { email: null });
  expect(await outcomeOf(app.deps, 'reset-password', on(person))).toBe('not_allowed');
  const leaving = await confirmed(app);
  await deactivate(app, leaving);
  expect(await outcomeOf(app.deps, 'reset-password', on(leaving))).toBe('not_allowed');
  responseOf(
    await app.visitor().post('/api/restoreaccount', { digest: await mailedDigest(app, leaving.email) }),
  );
  responseOf(await signIn(leaving.email));
});

test('only an address that this account was the last to leave comes back (A19)', async () => {
  const [first, second] = [await confirmed(app), await confirmed(app)];
  const shared = first.email;
  await moved(app, first);
  const back = (person: Person, address: string) =>
    outcomeOf(app.deps, 'restore-address', on(person, { address }));
  const now = async ({ id }: Person) =>
    (
      await app.deps.sql
        .selectFrom('users')
        .select('email')
        .where('id', '=', id as UserId)
        .executeTakeFirst()
    )?.email;
  expect(await back(first, (await now(first)) ?? '')).toBe('no_changes');
  expect(await back(first, newEmail())).toBe('not_allowed');
  expect(await back(first, 'nowhere')).toBe('invalid_input');
  expect(await back(second, shared)).toBe('not_allowed');
  // Pending, but never proven.
  const pending = await requestAddress(app, second);
  expect(await back(second, pending.email)).toBe('not_allowed');

  await moved(app, second, shared);
  expect(await back(first, shared)).toBe('email_id_exist');
  await moved(app, second);
  expect(await back(first, shared)).toBe('not_allowed');
  expect(await back(second, shared)).toBe('done');

  // An account that never proved the address loses it.
  const third = await confirmed(app);
  const left = third.email;
  await moved(app, third);
  const squatter = await signedUp(app, left);
  await deactivate(app, third);
  expect(await back(third, left)).toBe('not_allowed');
  expect(await outcomeOf(app.deps, 'restore-account', on(third))).toBe('done');
  expect(await back(third, left)).toBe('done');
  expect([await now(third), await now(squatter)]).toEqual([left, null]);
});
