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

/** Whose role was deleted learns which one they have now; of thousands, a few hundred at a time. */
export const tellReplaced = (tx: Tx, deps: Deps, payload: Replaced) =>
  enqueue(tx, deps, { kind: 'role-replaced', payload });

export const roleJobs: JobHandlers = {
  'role-replaced': (deps, { orgId, roleId, userIds }: Replaced) =>
    transaction(deps.sql, async (tx) => {
      // What changes a role meanwhile comes before this, or tells of it after.
      const organization = await lockOrganization(tx, orgId);
      const role = await findRole(tx, orgId, roleId);
      if (!organization || !role) return;
      // Who has left meanwhile has no role there, and whose role has changed again was told of that one.
      for (const person of await listAddresses(tx, orgId, roleId, userIds.slice(0, AT_ONCE)))
        await tellOfRole(tx, deps, person, { orgId, organization: organization.name, role: role.name });
      const rest = userIds.slice(AT_ONCE);
      if (rest.length > 0) await tellReplaced(tx, deps, { orgId, roleId, userIds: rest });
    }),
};
