import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { UserId } from '#contract/wire.ts';
import { deleteUser, holdAccount } from '#server/accounts/data.ts';
import { mailRestore } from '#server/accounts/deletion/actions.ts';
import { listDue, listMemberships, takeDue } from '#server/accounts/deletion/data.ts';
import { emptyTexts, recordActivity, type Told } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteIconsOf, deletePicturesOf } from '#server/drive/actions.ts';
import { dropJobsFor, enqueue, type JobHandlers } from '#server/jobs/jobs.ts';
import { hasOthers, lockOrganization } from '#server/members/data.ts';
import { deleteOrganization } from '#server/organizations/data.ts';

/** One transaction each, so many in one run. */
const ACCOUNTS_AT_ONCE = 20;
const TEXTS_AT_ONCE = 500;

export const deletionJobs: JobHandlers = {
  'restore-mail': (deps, { email }: { email: string }) => mailRestore(deps, email),
  'erase-accounts': (deps, { after }: { after: number }) => eraseDueAccounts(deps, after),
};

/**
 * Erases the accounts whose time is over, after one id. Each is erased whole or stays for the next run, whatever becomes
 * of the others.
 */
export async function eraseDueAccounts(deps: Deps, after = 0) {
  const due = await listDue(deps.sql, deps.clock.now(), after, ACCOUNTS_AT_ONCE);
  for (const userId of due)
    try {
      await eraseAccount(deps, userId);
    } catch (error) {
      deps.log.error({ userId, reason: (error as Error).message }, 'an account could not be erased');
    }
  const last = due.at(-1);
  if (last !== undefined && due.length === ACCOUNTS_AT_ONCE)
    await enqueue(deps.sql, deps, { kind: 'erase-accounts', payload: { after: last } });
}

/**
 * What is long goes first and bit by bit: who is interrupted goes on where they were, for the person's row goes last.
 * Whatever refers to it goes with it; audit rows stay, without their texts and under an id that is nobody's any more.
 */
async function eraseAccount(deps: Deps, userId: UserId) {
  for (const told of await toldOf(deps, userId))
    while ((await emptyTexts(deps.sql, told, TEXTS_AT_ONCE)) === TEXTS_AT_ONCE);
  await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    if (!(await takeDue(tx, userId, now))) return;
    for (const { orgId } of await listMemberships(tx, userId)) {
      await lockOrganization(tx, orgId);
      if (await hasOthers(tx, orgId, userId)) continue;
      await deleteIconsOf(tx, deps, orgId);
      await deleteOrganization(tx, orgId);
    }
    const account = await holdAccount(tx, userId, now);
    if (account?.email) await dropJobsFor(tx, account.email);
    await deletePicturesOf(tx, deps, userId);
    await recordActivity(tx, deps, {
      orgId: null,
      userId,
      module: MODULE.deleteAccount,
      type: ACTIVITY_TYPE.deleteAccount,
      action: ACTION.delete,
    });
    await deleteUser(tx, userId);
  });
}

/** Where something is told of the person: their own rows, and the logs of organizations that go with them. */
async function toldOf(deps: Deps, userId: UserId): Promise<Told[]> {
  const told: Told[] = [{ ofPerson: userId }];
  for (const { orgId } of await listMemberships(deps.sql, userId))
    if (!(await hasOthers(deps.sql, orgId, userId))) told.push({ ofOrganization: orgId });
  return told;
}
