import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { resendTo } from './actions.ts';
import { lockProfile, updateUser } from './data.ts';
import { cancelDeletion, mailRestore, scheduleDeletion } from '#server/accounts/deletion/actions.ts';
import { storePending } from '#server/accounts/addresses/data.ts';
import type { Tx } from '#server/db/connect.ts';
import { mailReset } from '#server/sign-in/recovery/actions.ts';
import {
  confirmed,
  deactivate,
  mailedDigest,
  newEmail,
  PASSWORD,
  type Person,
  signedUp,
} from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });

/** The result of work that waits for the lock of an account while something happens to the account. */
const whileLocked = <T>(
  { id }: Person,
  work: () => Promise<T>,
  event: (tx: Tx, id: UserId) => Promise<unknown>,
) =>
  whileWaiting(
    app,
    (tx) => lockProfile(tx, id as UserId),
    work,
    (tx) => event(tx, id as UserId),
  );
const scheduleOwnDeletion = (tx: Tx, id: UserId) => scheduleDeletion(tx, app.deps, id, 'I am moving on');

/** The purposes of the person's unused links. */
const linksOf = async ({ id }: Person) => {
  return (await listRows(app, 'one_time_tokens', ['purpose'], { used_at: null, user_id: id })).map(
    ({ purpose }) => purpose,
  );
};

test('no confirmation link is mailed to an account that is deactivated meanwhile', async () => {
  const person = await signedUp(app);
  app.clock.forward(60_000);
  await whileLocked(person, () => resendTo(app.deps, person.email, ''), scheduleOwnDeletion);
  expect(await linksOf(person)).toEqual([]);
});

test('no reset link is mailed to an account that is deactivated meanwhile', async () => {
  const person = await confirmed(app);
  await whileLocked(person, () => mailReset(app.deps, person.email, ''), scheduleOwnDeletion);
  expect(await linksOf(person)).toEqual(['restore-account']);
});

test('no restore link is mailed to an account that is restored meanwhile', async () => {
  const person = await confirmed(app);
  await deactivate(app, person);
  await whileLocked(
    person,
    () => mailRestore(app.deps, person.email, ''),
    (tx, id) => cancelDeletion(tx, app.deps, { id, email: person.email }),
  );
  expect(await linksOf(person)).toEqual(['not-me']);
});

test('an address that becomes pending meanwhile gets one link', async () => {
  const person = await confirmed(app);
  const email = newEmail('next');
  const answer = await whileLocked(
    person,
    () => person.visitor.put('/api/user', { email }),
    (tx, id) => storePending(tx, id, email, app.clock.now()),
  );
  expect(answer.code).toBe('no_changes');
  expect(await linksOf(person)).toEqual([]);
});

test('a reset link does not work once the account has lost the address', async () => {
  const person = await signedUp(app);
  await person.visitor.post('/api/forgotpassword', { email_id: person.email });
  const digest = await mailedDigest(app, person.email);
  const answer = await whileLocked(
    person,
    () => app.visitor().put('/api/resetpassword', { digest, password: `${PASSWORD} anew`, timezone: '' }),
    (tx, id) => updateUser(tx, id, { email: null }),
  );
  expect(answer.code).toBe('digest_invalid');
  expect(await listRows(app, 'sessions', ['id'], { user_id: person.id })).toHaveLength(1);
});
