import { expect, test } from 'vitest';
import { confirmed, founder, invited, mailedDigest, type Person } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// The names of people who join without having given their own.

const app = useApp();

const join = ({ visitor }: Pick<Person, 'visitor'>, digest: string) =>
  visitor.post('/api/invitation', { digest, accept: 1 });

test('a person without a name takes the name of the invitation, and others keep theirs', async () => {
  const boss = await founder(app);
  const nameless = await confirmed(app);
  await invited(boss, { email: nameless.email });
  const before = await founder(app, 'Own House');
  await invited(boss, { email: before.email });
  const digest = await mailedDigest(app, before.email);
  const userOf = async ({ visitor }: Pick<Person, 'visitor'>) =>
    responseOf<{ user_information: object }>(await visitor.get('/api/init')).user_information;
  expect(await userOf(nameless)).toMatchObject({ full_name: nameless.email });
  responseOf(await join(nameless, await mailedDigest(app, nameless.email)));
  expect(await userOf(nameless)).toMatchObject({ full_name: 'Tom Berg', last_name: 'Berg' });
  const rows = await listRows(app, 'activity', ['org_id', 'information'], {
    user_id: nameless.id,
    activity_type: 1,
    action: 3,
  });
  expect(rows).toEqual([{ org_id: null, information: { first_name: ['', 'Tom'], last_name: ['', 'Berg'] } }]);
  responseOf(await join(before, digest));
  expect(await userOf(before)).toMatchObject({ full_name: 'Maya Lindqvist' });
});
