import type { UserId } from '#contract/wire.ts';
import { listAddresses } from '#server/accounts/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue, type JobHandlers } from '#server/jobs/jobs.ts';
import { mailRoleChange } from '#server/members/actions.ts';

type Replaced = {
  readonly organization: string;
  readonly role: string;
  readonly userIds: readonly UserId[];
};
const AT_ONCE = 200;

/** Whose role was deleted learns which one they have now; of thousands, a few hundred at a time. */
export const tellReplaced = (tx: Tx, deps: Deps, payload: Replaced) =>
  enqueue(tx, deps, { kind: 'role-replaced', payload });

export const roleJobs: JobHandlers = {
  'role-replaced': (deps, { organization, role, userIds }: Replaced) =>
    transaction(deps.sql, async (tx) => {
      for (const email of await listAddresses(tx, userIds.slice(0, AT_ONCE)))
        await mailRoleChange(tx, deps, email, organization, role);
      const rest = userIds.slice(AT_ONCE);
      if (rest.length > 0) await tellReplaced(tx, deps, { organization, role, userIds: rest });
    }),
};
