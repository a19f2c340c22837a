import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { eraseDueAccounts } from '#server/accounts/deletion/jobs.ts';
import { DAY_MS } from '#server/clock.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { type Boss, colleague, deactivate, founder, mailedDigest, rolesOf } from '#server/testing/people.ts';
import { deleteRows, listRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// An organization's log about members whose accounts are deleted or restored.

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100', MAX_MEMBERS_PER_ORG: '3' });
let boss: Boss;
beforeAll(async () => {
  boss = await founder(app);
});

const { active, inactive } = MEMBER_STATUS;
const newestRow = async () => (await activityOf(app, boss.orgId))[0];
const restore = async ({ email }: Boss) =>
  responseOf(await app.visitor().post('/api/restoreaccount', { digest: await mailedDigest(app, email) }));

test('a pause, its end and the erasure each write a row with the old and new status', async () => {
  const tom = await colleague(app, boss);
  await deactivate(app, tom);
  const expected = {
    user_id: tom.id,
    module: MODULE.deleteAccount,
    activity_type: ACTIVITY_TYPE.deleteAccount,
  };
  expect(await newestRow()).toMatchObject({
    ...expected,
    action: ACTION.delete,
    information: { status: [active, inactive] },
  });
  await restore(tom);
  expect(await newestRow()).toMatchObject({
    ...expected,
    action: ACTION.change,
    information: { status: [inactive, active] },
  });

  await deactivate(app, tom);
  const role_id = (await rolesOf(boss))['Admin'];
  for (const email_id of ['a@seats.example', 'b@seats.example'])
    responseOf(
      await boss.visitor.post('/api/orgusers', { org_id: boss.orgId, role_id, first_name: 'A', email_id }),
    );
  await restore(tom);
  expect(await newestRow()).toMatchObject({
    ...expected,
    action: ACTION.change,
    information: { status: [inactive, inactive] },
  });

  await deactivate(app, tom);
  app.clock.forward(60 * DAY_MS);
  await eraseDueAccounts(app.deps);
  expect(await newestRow()).toMatchObject({
    ...expected,
    action: ACTION.delete,
    information: { status: [inactive, null] },
  });
  for await (const broken of brokenChains(app.deps)) expect.fail(JSON.stringify(broken));
});

test('an organization whose founder is erased keeps its name; its founding row is emptied, and its roles show a deleted user', async () => {
  const maya = await founder(app, 'Maya Organization');
  const next = await colleague(app, maya, 'Super Admin');
  await deactivate(app, maya);
  app.clock.forward(60 * DAY_MS);
  await eraseDueAccounts(app.deps);
  const log = await activityOf(app, maya.orgId);
  expect(log.find((row) => row.activity_type === 6 && row.action === 1)?.information).toEqual({});
  const init = await next.visitor.get(`/api/init?org_id=${maya.orgId}`);
  const { Roles } = responseOf<{ Roles: { created_by: string }[] }>(init);
  expect(Roles.map((role) => role.created_by)).toEqual(['Deleted user', 'Deleted user']);
  expect(await listRows(app, 'organizations', ['name'], { id: maya.orgId })).toEqual([
    { name: 'Maya Organization' },
  ]);
  for await (const broken of brokenChains(app.deps)) expect.fail(JSON.stringify(broken));
});

test('a log too long for one run is emptied in several runs, and the last run erases the account', async () => {
  const founderOfLong = await founder(app, 'Long');
  await sql`insert into activity (chain, position, org_id, user_id, created_at, module, activity_type, action,
      information, information_mac, mac, key_id)
    select chain, position + 1000 + n, org_id, user_id, created_at, module, activity_type, action,
      information, information_mac, mac, key_id
    from activity, generate_series(1, 6000) as n where org_id = ${founderOfLong.orgId} and position = 1`.execute(
    app.deps.sql,
  );
  await deactivate(app, founderOfLong);
  await deleteRows(app, 'jobs', { kind: 'erase-accounts' });
  app.clock.forward(60 * DAY_MS);
  const countUsers = async () => (await listRows(app, 'users', ['id'], { id: founderOfLong.id })).length;
  await eraseDueAccounts(app.deps);
  expect(await countUsers()).toBe(1);
  const counts = await jobCounts(app.deps.sql, app.clock);
  expect(counts.find(({ kind }) => kind === 'erase-accounts')).toMatchObject({ due: 1 });
  await eraseDueAccounts(app.deps);
  expect(await countUsers()).toBe(0);
  const texts = await activityOf(app, founderOfLong.orgId);
  expect(texts.filter(({ information }) => 'name' in information)).toEqual([]);
});
