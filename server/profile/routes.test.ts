import { expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { UserId } from '#contract/wire.ts';
import { founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const rowsOf = (userId: number) =>
  app.deps.sql
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', userId as UserId)
    .orderBy('id', 'desc')
    .execute();

test('changed fields are stored, omitted ones stay, and the log has old and new', async () => {
  const { visitor, id, orgId } = await founder(app);
  const answer = await visitor.put('/api/user', {
    first_name: 'Maj',
    designation: 'Head of Operations',
    org_id: orgId,
  });
  const user = {
    first_name: 'Maj',
    last_name: 'Lindqvist',
    full_name: 'Maj Lindqvist',
    designation: 'Head of Operations',
    user_role: 'Super Admin',
  };
  expect(responseOf(answer)).toMatchObject(user);
  expect(responseOf(await visitor.get(`/api/user?org_id=${orgId}`))).toMatchObject(user);
  expect((await rowsOf(id))[0]).toMatchObject({
    org_id: orgId,
    module: MODULE.profile,
    activity_type: ACTIVITY_TYPE.profileInformation,
    action: ACTION.update,
    record_id: id,
    information: { first_name: ['Maya', 'Maj'], designation: ['', 'Head of Operations'] },
  });
});

test('a change of names reaches every membership', async () => {
  const { visitor } = await founder(app);
  responseOf(await visitor.put('/api/user', { first_name: 'Maj', last_name: '', designation: 'Lead' }));
  expect(responseOf(await visitor.get('/api/init'))).toMatchObject({
    organizations_users: [{ first_name: 'Maj', last_name: '', designation: 'Lead' }],
  });
});

test('equal values are no change and write nothing', async () => {
  const { visitor, id } = await founder(app);
  const before = (await rowsOf(id)).length;
  const answer = await visitor.put('/api/user', { first_name: ' Maya ', last_name: 'Lindqvist' });
  expect([answer.status, answer.code, answer.body.error?.details]).toEqual([409, 'no_changes', 'No changes']);
  expect(await rowsOf(id)).toHaveLength(before);
});
