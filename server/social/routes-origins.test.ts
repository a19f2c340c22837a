import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { confirmed } from '#server/testing/people.ts';
import { comeWithGoogle, newSubject, linkGoogle, startSocialApp, whoIs } from '#server/testing/social-app.ts';
import { useServer } from '#server/testing/use-app.ts';

const app = useServer(startSocialApp);

/** The person's activity rows, with the IP address each came from. A sign-in row has the address in its information. */
const rowsOf = (id: number) =>
  app.deps.sql
    .selectFrom('activity')
    .leftJoin('activity_origins', 'activity_origins.activity_id', 'activity.id')
    .select(['activity_type as type', 'action', 'activity_origins.ip_address as from'])
    .where('activity.user_id', '=', id as UserId)
    .orderBy('activity.id')
    .execute();

test('the row of an account that a return creates has its IP address', async () => {
  const { visitor } = await comeWithGoogle(app, newSubject());
  const [first] = await rowsOf((await whoIs(visitor))?.id ?? 0);
  expect(first).toEqual({ type: ACTIVITY_TYPE.profileInformation, action: ACTION.create, from: '127.0.0.1' });
});

test('the row of a link has its IP address', async () => {
  const person = await confirmed(app);
  await linkGoogle(app, person.visitor);
  expect((await rowsOf(person.id)).at(-1)).toEqual({
    type: ACTIVITY_TYPE.signIn,
    action: ACTION.update,
    from: '127.0.0.1',
  });
});
