import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { act } from '#server/testing/operator.ts';
import { confirmed } from '#server/testing/people.ts';
import { firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { updateRows } from '#server/testing/rows.ts';

const app = useApp();
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
