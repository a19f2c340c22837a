import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { tellOfRole } from '#server/members/actions.ts';
import { listAddresses, lockOrganization } from '#server/members/data.ts';
import { findRole } from '#server/members/standing/data.ts';

type Replaced = {
  readonly orgId: OrgId;
  readonly roleId: RoleId;
  readonly userIds: readonly UserId[];
};
const AT_ONCE = 200;

/** Tells the members of a deleted role their new role, in batches. */
export const tellReplaced = (tx: Tx, deps: Deps, payload: Replaced) =>
  enqueue(tx, deps, { kind: 'role-replaced', payload });

export const roleJobs: JobHandlers = {
  'role-replaced': (deps, { orgId, roleId, userIds }: Replaced) =>
    transaction(deps.sql, async (tx) => {
      // Serialised with role changes by the organization's lock, so everyone hears of their latest role last.
      const organization = await lockOrganization(tx, orgId);
      const role = await findRole(tx, orgId, roleId);
      if (!organization || !role) return;
      // Lists only members who still have this role. The others left, or were already told of a newer role.
      for (const person of await listAddresses(tx, orgId, roleId, userIds.slice(0, AT_ONCE)))
        await tellOfRole(tx, deps, person, { orgId, organization: organization.name, role });
      const rest = userIds.slice(AT_ONCE);
      if (rest.length > 0) await tellReplaced(tx, deps, { orgId, roleId, userIds: rest });
    }),
};
