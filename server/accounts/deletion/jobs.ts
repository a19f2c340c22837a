import type { UserId } from '#contract/wire.ts';
import { deleteUser, lockAccount } from '#server/accounts/data.ts';
import { mailRestore } from './actions.ts';
import { listDue, listFounded, listMemberships, takeDue } from './data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { emptyTexts, type ErasureTarget } from '#server/activity/erasure/data.ts';
import { removeExport } from '#server/data-export/actions.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteIconsOf, deletePicturesOf } from '#server/drive/actions.ts';
import { deleteFailedRequests, deleteJobsOf } from '#server/jobs/data.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { hasOthers, lockOrganization } from '#server/members/data.ts';
import { endMembership } from '#server/members/ending/membership.ts';
import { deleteOrganization } from '#server/organizations/data.ts';
import { emptyEvents } from '#server/webhooks/deliveries/data.ts';

/** Each account takes one transaction, so a run handles several. */
const ACCOUNTS_AT_ONCE = 20;
const TEXTS_AT_ONCE = 500;
/** Keeps a run far below a job's limit of one minute. The next run does the rest. */
const STEPS_A_RUN = 10;

type MailRequest = { readonly email: string; readonly by: string };

export const deletionJobs: JobHandlers = {
  'restore-mail': (deps, { email, by }: MailRequest) => mailRestore(deps, email, by),
  'erase-accounts': (deps, { after }: { after: number }) => eraseDueAccounts(deps, after),
};

/** Each account above `after` is erased whole or left to the next run. A long log takes several runs. */
export async function eraseDueAccounts(deps: Deps, after = 0) {
  const userIds = await listDue(deps.sql, deps.clock.now(), after, ACCOUNTS_AT_ONCE);
  const goOnAfter = (id: number) => enqueueAlone(deps, { kind: 'erase-accounts', payload: { after: id } });
  for (const userId of userIds)
    try {
      if ((await eraseAccount(deps, userId)) === 'unfinished') await goOnAfter(userId - 1);
    } catch (error) {
      deps.log.error({ userId, reason: (error as Error).message }, 'an account could not be erased');
    }
  const last = userIds.at(-1);
  if (last !== undefined && userIds.length === ACCOUNTS_AT_ONCE) await goOnAfter(last);
}

/** Long logs first, in steps; the person's row last, so an interrupted run resumes. Audit rows stay without texts. */
async function eraseAccount(deps: Deps, userId: UserId): Promise<'unfinished' | undefined> {
  let steps = 0;
  for (const target of await targetsOf(deps, userId))
    for (;;) {
      const emptied = await emptySome(deps, userId, target);
      if (emptied === undefined) return undefined;
      if (emptied < TEXTS_AT_ONCE) break;
      steps += 1;
      if (steps === STEPS_A_RUN) return 'unfinished';
    }
  await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    if (!(await takeDue(tx, userId, now))) return;
    const memberships = await listMemberships(tx, userId);
    // Include the organizations they founded, because deleting the person clears their `created_by`.
    const organizations = [...memberships.map(({ orgId }) => orgId), ...(await listFounded(tx, userId))];
    for (const orgId of organizations.toSorted((a, b) => a - b)) await lockOrganization(tx, orgId);
    const remaining = [];
    for (const membership of memberships) {
      const { orgId } = membership;
      if (await hasOthers(tx, orgId, userId)) {
        remaining.push(membership);
        continue;
      }
      await deleteIconsOf(tx, deps, orgId);
      await removeExport(tx, deps, { userId: null, orgId });
      await deleteOrganization(tx, orgId, now);
    }
    const account = await lockAccount(tx, userId, now);
    await deleteJobsOf(tx, userId);
    await emptyEvents(tx, userId);
    if (account?.email) await deleteFailedRequests(tx, account.email);
    await deletePicturesOf(tx, deps, userId);
    await recordActivity(tx, deps, 'person.deleteAccount.delete', { userId });
    for (const { id, orgId, status } of remaining)
      await endMembership(tx, deps, 'erased', { id, userId, status }, { orgId, by: userId });
    await deleteUser(tx, userId);
  });
  return undefined;
}

/** Runs one step. Returns undefined if another run holds the deletion or it is not due. */
const emptySome = (deps: Deps, userId: UserId, target: ErasureTarget) =>
  transaction(deps.sql, async (tx) =>
    (await takeDue(tx, userId, deps.clock.now())) ? emptyTexts(tx, target, TEXTS_AT_ONCE) : undefined,
  );

/** The person's own rows, the founding rows of their organizations, and logs of organizations that go with them. */
async function targetsOf(deps: Deps, userId: UserId): Promise<ErasureTarget[]> {
  const targets: ErasureTarget[] = [{ ofPerson: userId }];
  for (const orgId of await listFounded(deps.sql, userId)) targets.push({ founder: userId, founded: orgId });
  for (const { orgId } of await listMemberships(deps.sql, userId))
    if (!(await hasOthers(deps.sql, orgId, userId))) targets.push({ ofOrganization: orgId });
  return targets;
}
