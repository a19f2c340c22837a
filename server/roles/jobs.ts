import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { tellOfRole } from '#server/members/actions.ts';
import { listAddresses, lockOrganization } from '#server/members/data.ts';
import { findRole } from '#server/members/standing/data.ts';

type ReplacedRole = { readonly orgId: OrgId; readonly roleId: RoleId; readonly userIds: readonly UserId[] };
const AT_ONCE = 200;

export const tellReplaced = (tx: Tx, deps: Deps, payload: ReplacedRole) =>
  enqueue(tx, deps, { kind: 'role-replaced', payload });

export const roleJobs: JobHandlers = {
  'role-replaced': (deps, { orgId, roleId, userIds }: ReplacedRole) =>
    transaction(deps.sql, async (tx) => {
      // Serialized with role changes by the organization's lock, so the last news is of the current role.
      const organization = await lockOrganization(tx, orgId);
      const role = await findRole(tx, orgId, roleId);
      if (!organization || !role) return;
      // The others have left, or know of a newer role already.
      for (const person of await listAddresses(tx, orgId, roleId, userIds.slice(0, AT_ONCE)))
        await tellOfRole(tx, deps, person, { orgId, organization: organization.name, role });
      const remaining = userIds.slice(AT_ONCE);
      if (remaining.length > 0) await tellReplaced(tx, deps, { orgId, roleId, userIds: remaining });
    }),
};
