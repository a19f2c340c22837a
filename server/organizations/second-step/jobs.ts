import type { OrgId, UserId } from '#contract/wire.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { lockOrganization } from '#server/members/data.ts';
import { getRule, listUnready } from './data.ts';
import { secondStepAskedMail } from './mail.ts';

/** `from` distinguishes the rule of this job from a later one. */
type Batch = { readonly orgId: OrgId; readonly from: number; readonly after: UserId };
const AT_ONCE = 200;

export const tellUnready = (tx: Tx, deps: Deps, payload: Batch) =>
  enqueue(tx, deps, { kind: 'second-step-asked', payload });

export const secondStepJobs: JobHandlers = {
  'second-step-asked': (deps, { orgId, from: expected, after }: Batch) =>
    transaction(deps.sql, async (tx) => {
      const organization = await lockOrganization(tx, orgId);
      if (!organization) return;
      const { rule, from } = await getRule(tx, orgId);
      // Somebody has set another rule meanwhile.
      if (rule === 'none' || from?.getTime() !== expected) return;
      const members = await listUnready(tx, orgId, rule, { after, limit: AT_ONCE });
      const details = { organization: organization.name };
      for (const { userId, email, timeZone } of members) {
        await notify(tx, deps, userId, { kind: 'second_step_asked', orgId, details });
        const content = secondStepAskedMail(deps.config.publicUrl, { ...details, rule, from, timeZone });
        if (email !== null) await queueMail(tx, deps, { userId, to: email, content });
      }
      const last = members.at(-1);
      if (last && members.length === AT_ONCE)
        await tellUnready(tx, deps, { orgId, from: expected, after: last.userId });
    }),
};
