import { beforeEach, expect, test } from 'vitest';
import { ACTION } from '#contract/activity/calls.ts';
import { DELETION_GRACE_DAYS } from '#contract/limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { lockProfile, updateUser } from '#server/accounts/data.ts';
import { scheduleDeletion } from '#server/accounts/deletion/actions.ts';
import { eraseDueAccounts } from '#server/accounts/deletion/jobs.ts';
import { DAY_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { findMember, lockOrganization, renameMemberships } from './data.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { deleteMember } from '#server/members/ending/data.ts';
import { answerTakenAddress } from '#server/members/joining/actions.ts';
import {
  type Boss,
  colleague,
  confirmed,
  deactivate,
  founder,
  idOf,
  invited,
  mailedDigest,
} from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
let boss: Boss;
beforeEach(async () => {
  boss = await founder(app);
});

const memberOf = ({ orgId }: Boss, id: number) => findMember(app.deps.sql, orgId as OrgId, id as UserId);

/** A person with an account whom the boss has invited. */
async function invitee() {
  const person = await confirmed(app);
  await invited(boss, { email: person.email });
  const digest = await mailedDigest(app, person.email);
  return { ...person, accept: () => person.visitor.post('/api/invitation', { digest, accept: 1 }) };
}

test('a profile save does not delay calls that notify the person', async () => {
  const { accept } = await invitee();
  const answer = await transaction(app.deps.sql, async (tx) => {
    await lockProfile(tx, boss.id as UserId);
    return accept();
  });
  expect(answer.status).toBe(200);
});

test('an admin’s edit keeps a last name that the person saves meanwhile', async () => {
  const { id, roleId } = await colleague(app, boss);
  const userId = id as UserId;
  const names = { first_name: 'Tom', last_name: 'Sand' };
  const edit = { org_id: boss.orgId, user_id: id, first_name: 'Tommy', role_id: roleId };
  const answer = await whileWaiting(
    app,
    (tx) => lockProfile(tx, userId),
    () => boss.visitor.put('/api/orgusers', edit),
    async (tx) => {
      await updateUser(tx, userId, names);
      await renameMemberships(tx, userId, names);
    },
  );
  expect(answer.status).toBe(200);
  expect(await memberOf(boss, id)).toMatchObject({ firstName: 'Tommy', lastName: 'Sand' });
});

test('a person who deactivates their account meanwhile does not join', async () => {
  const { id, accept } = await invitee();
  const answer = await whileWaiting(
    app,
    (tx) => lockOrganization(tx, boss.orgId as OrgId),
    accept,
    (tx) => scheduleDeletion(tx, app.deps, id as UserId, 'I no longer need it'),
  );
  expect(answer.code).toBe('not_signed_in');
  expect((await memberOf(boss, id))?.status).toBe(MEMBER_STATUS.invited);
});

test('resending two invitations to a person does not deadlock with an admin of the second', async () => {
  const other = await founder(app);
  const { email } = await invited(boss);
  await invited(other, { email });
  const id = await idOf(app, email);
  await whileWaiting(
    app,
    (tx) => lockOrganization(tx, other.orgId as OrgId),
    () => answerTakenAddress(app.deps, email, '', true),
    // An admin there who edits or removes the person takes this lock too.
    (tx) => lockUser(tx, id),
  );
  expect(await app.mails(email)).toHaveLength(4);
});

test('a restore that waits for one organization does not delay people of another', async () => {
  const other = await founder(app);
  const [person, third] = [await colleague(app, boss), await colleague(app, boss)];
  await invited(other, { email: person.email });
  const invitation = await mailedDigest(app, person.email);
  responseOf(await person.visitor.post('/api/invitation', { digest: invitation, accept: 1 }));
  await deactivate(app, person);
  const digest = await mailedDigest(app, person.email);
  const answer = await whileWaiting(
    app,
    (tx) => lockOrganization(tx, other.orgId as OrgId),
    () => app.visitor().post('/api/restoreaccount', { digest }),
    async () => void responseOf(await third.visitor.put('/api/user', { first_name: 'Ada' })),
  );
  expect(responseOf(answer)).toEqual({});
});

test('a person who is removed during the restore of their account is not logged as a member again', async () => {
  const person = await colleague(app, boss);
  await deactivate(app, person);
  const digest = await mailedDigest(app, person.email);
  const member = await memberOf(boss, person.id);
  const answer = await whileWaiting(
    app,
    (tx) => lockOrganization(tx, boss.orgId as OrgId),
    () => app.visitor().post('/api/restoreaccount', { digest }),
    (tx) => deleteMember(tx, member as NonNullable<typeof member>),
  );
  expect(responseOf(answer)).toEqual({});
  const rows = await listRows(app, 'activity', ['action'], { org_id: boss.orgId, user_id: person.id }, 'id');
  expect(rows.at(-1)?.action).toBe(ACTION.delete);
});

test('an erasure locks the person’s organizations in the order of their ids', async () => {
  const [founded, joined] = [boss, await founder(app)];
  const [first, second] = [founded.orgId, joined.orgId].toSorted((a, b) => a - b);
  const other = await colleague(app, founded, 'Super Admin');
  responseOf(await other.visitor.delete('/api/orgusers', { org_id: founded.orgId, del_user_id: founded.id }));
  await invited(joined, { email: founded.email });
  const digest = await mailedDigest(app, founded.email);
  responseOf(await founded.visitor.post('/api/invitation', { digest, accept: 1 }));
  await deactivate(app, founded);
  app.clock.forward(DELETION_GRACE_DAYS * DAY_MS);
  await whileWaiting(
    app,
    (tx) => lockOrganization(tx, first as OrgId),
    () => eraseDueAccounts(app.deps),
    // A member of both organizations takes the locks in this order to restore or delete their account.
    (tx) => lockOrganization(tx, second as OrgId),
  );
  expect(await memberOf(joined, founded.id)).toBeUndefined();
});
