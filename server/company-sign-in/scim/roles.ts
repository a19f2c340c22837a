import { setImmediate as turn } from 'node:timers/promises';
import { Refusal } from '#contract/errors.ts';
import type { OrgId } from '#contract/wire.ts';
import { findScimUser, listTokens } from './data.ts';
import { clearDue, clearDueGroup, findDue, findDueGroup, findGroupRole, markDue } from './data-members.ts';
import { asDirectory, change, memberOf } from './people.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { leaveLane } from '#server/jobs/data.ts';
import { enqueueUnlessWaiting } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { lockOrganization } from '#server/members/data.ts';
import { wakeAfterCommit } from '#server/waking.ts';

// Roles follow groups one person at a time, each in a transaction of its own. A group of thousands so holds up nobody
// else, also on the embedded database, which runs one transaction at a time.

type OfOrganization = { readonly orgId: OrgId };
const KIND = 'directory-roles';

/** Makes sure that the roles follow although the process ends. Needs the organization's lock. */
export async function followLater(tx: Tx, deps: Deps, orgId: OrgId) {
  const lane = `${KIND} ${orgId}`;
  await enqueueUnlessWaiting(tx, deps, { kind: KIND, payload: { orgId }, lane, runAt: deps.clock.now() });
  wakeAfterCommit(tx);
}

/** So many people have their role when the call is answered; the job gives it to the others. */
const AT_ONCE = 25;
/** Lets the roles of people follow the groups that have changed. */
export async function followGroups(
  deps: Deps,
  orgId: OrgId,
  { most = AT_ONCE, progress }: { most?: number; progress?: () => Promise<void> } = {},
) {
  while (await markGroup(deps, orgId)) await progress?.();
  for (let done = 0; done < most && (await followOne(deps, orgId)); done += 1) {
    await turn();
    await progress?.();
  }
}

/** Marks the members of one group whose role has changed, in portions. Returns false if there is none. */
async function markGroup(deps: Deps, orgId: OrgId) {
  const group = await findDueGroup(deps.sql, orgId);
  if (!group) return false;
  let last: string | undefined;
  do {
    const after = last;
    last = await transaction(deps.sql, async (tx) => {
      await lockOrganization(tx, orgId);
      const end = await markDue(tx, group.id, after);
      if (end === undefined) await clearDueGroup(tx, group.id, group.changes);
      return end;
    });
    await turn();
  } while (last !== undefined);
  return true;
}

/** Gives one person the role of their groups, or the usual one. Returns false if nobody's is due. */
async function followOne(deps: Deps, orgId: OrgId) {
  const due = await findDue(deps.sql, orgId);
  if (!due) return false;
  const done = await asDirectory(deps, { orgId, roleId: null }, async (tx, author) => {
    const user = await findScimUser(tx, orgId, due.id);
    const member = user && (await memberOf(tx, orgId, user));
    const roleId = (await findGroupRole(tx, due.id)) ?? (await listTokens(tx, orgId))[0]?.roleId;
    await clearDue(tx, due.id);
    return member && change(tx, deps, author, member, { roleId });
  });
  if (done instanceof Refusal && done.name !== 'org_not_found')
    throw new Error(`a role could not be given: ${done.name}`);
  return true;
}

/** After so many people other organizations have their turn. */
const IN_TURN = 50;
export const directoryJobs: JobHandlers = {
  [KIND]: {
    slots: 2,
    run: async (deps, { orgId }: OfOrganization, jobId, progress) => {
      await followGroups(deps, orgId, { most: IN_TURN, progress });
      await handOver(deps, orgId, jobId);
    },
  },
};

/** Asks for another job if anybody is left. A change that comes after this finds the lane empty, and asks itself. */
const handOver = (deps: Deps, orgId: OrgId, jobId: number) =>
  transaction(deps.sql, async (tx) => {
    await lockOrganization(tx, orgId);
    await leaveLane(tx, jobId);
    if ((await findDueGroup(tx, orgId)) ?? (await findDue(tx, orgId))) await followLater(tx, deps, orgId);
  });
