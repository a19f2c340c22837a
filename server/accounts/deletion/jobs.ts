import { ACTION } from '#contract/activity.ts';
import type { UserId } from '#contract/wire.ts';
import { deleteUser, holdAccount } from '#server/accounts/data.ts';
import { mailRestore, recordDeletion } from '#server/accounts/deletion/actions.ts';
import { listDue, listFounded, listMemberships, takeDue } from '#server/accounts/deletion/data.ts';
import { emptyTexts, type Told } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteIconsOf, deletePicturesOf } from '#server/drive/actions.ts';
import { dropJobsFor, enqueueAlone } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { hasOthers, lockOrganization } from '#server/members/data.ts';
import { deleteOrganization } from '#server/organizations/data.ts';

/** One transaction each, so many in one run. */
const ACCOUNTS_AT_ONCE = 20;
const TEXTS_AT_ONCE = 500;
/** As many texts as fit a job's minute many times over; what is left is the next one's. */
const STEPS_A_RUN = 10;

export const deletionJobs: JobHandlers = {
  'restore-mail': (deps, { email }: { email: string }) => mailRestore(deps, email),
  'erase-accounts': (deps, { after }: { after: number }) => eraseDueAccounts(deps, after),
};

/**
 * Erases the accounts whose time is over, after one id. Each is erased whole or stays for the next run, whatever becomes
 * of the others; one with a long log takes several runs.
 */
export async function eraseDueAccounts(deps: Deps, after = 0) {
  const due = await listDue(deps.sql, deps.clock.now(), after, ACCOUNTS_AT_ONCE);
  const goOnAfter = (id: number) => enqueueAlone(deps, { kind: 'erase-accounts', payload: { after: id } });
  for (const userId of due)
    try {
      if ((await eraseAccount(deps, userId)) === 'begun') await goOnAfter(userId - 1);
    } catch (error) {
      deps.log.error({ userId, reason: (error as Error).message }, 'an account could not be erased');
    }
  const last = due.at(-1);
  if (last !== undefined && due.length === ACCOUNTS_AT_ONCE) await goOnAfter(last);
}

/**
 * What is long goes first and bit by bit: who is interrupted goes on where they were, for the person's row goes last.
 * Whatever refers to it goes with it; audit rows stay, without their texts and under an id that is nobody's any more.
 * The deletion is held at each step: who finds it held leaves the person to whoever does.
 */
async function eraseAccount(deps: Deps, userId: UserId): Promise<'begun' | undefined> {
  let steps = 0;
  for (const told of await toldOf(deps, userId))
    for (;;) {
      const emptied = await emptySome(deps, userId, told);
      if (emptied === undefined) return undefined;
      if (emptied < TEXTS_AT_ONCE) break;
      steps += 1;
      if (steps === STEPS_A_RUN) return 'begun';
    }
  await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    if (!(await takeDue(tx, userId, now))) return;
    const memberships = await listMemberships(tx, userId);
    // Those that they began, too: as the person goes, each is told that nobody has.
    const known = [...memberships.map(({ orgId }) => orgId), ...(await listFounded(tx, userId))];
    for (const orgId of known.toSorted((a, b) => a - b)) await lockOrganization(tx, orgId);
    const left = [];
    for (const membership of memberships) {
      const { orgId } = membership;
      if (await hasOthers(tx, orgId, userId)) {
        left.push(membership);
        continue;
      }
      await deleteIconsOf(tx, deps, orgId);
      await deleteOrganization(tx, orgId);
    }
    const account = await holdAccount(tx, userId, now);
    if (account?.email) await dropJobsFor(tx, account.email);
    await deletePicturesOf(tx, deps, userId);
    await recordDeletion(tx, deps, userId, ACTION.delete, {});
    for (const { orgId, status } of left)
      await recordDeletion(tx, deps, userId, ACTION.delete, { status: [status, null] }, orgId);
    await deleteUser(tx, userId);
  });
  return undefined;
}

/** One step; nothing where the deletion is held by another run or was never due. */
const emptySome = (deps: Deps, userId: UserId, told: Told) =>
  transaction(deps.sql, async (tx) =>
    (await takeDue(tx, userId, deps.clock.now())) ? emptyTexts(tx, told, TEXTS_AT_ONCE) : undefined,
  );

/** Where something is told of the person: their own rows, how they began organizations, and the logs of organizations that go with them. */
async function toldOf(deps: Deps, userId: UserId): Promise<Told[]> {
  const told: Told[] = [{ ofPerson: userId }];
  for (const founded of await listFounded(deps.sql, userId)) told.push({ founder: userId, founded });
  for (const { orgId } of await listMemberships(deps.sql, userId))
    if (!(await hasOthers(deps.sql, orgId, userId))) told.push({ ofOrganization: orgId });
  return told;
}
