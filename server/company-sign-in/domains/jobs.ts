import type { DomainId } from '#contract/company-sign-in/domains.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { lookAgain } from './actions.ts';
import { listUnchecked } from './data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueueUnlessWaiting } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

const AT_ONCE = 1000;

export const domainJobs: JobHandlers = {
  'company-domain': (deps, { id }: { readonly id: DomainId }) => lookAgain(deps, id),
};

/** Asks for a look at each proven domain whose last answer is a day old. A silent one is asked again each hour. */
export async function askForDomainChecks(deps: Deps) {
  const due = await listUnchecked(deps.sql, fromNow(deps.clock, -DAY_MS), AT_ONCE);
  if (due.length === 0) return;
  const runAt = deps.clock.now();
  await transaction(deps.sql, async (tx) => {
    for (const { id } of due)
      await enqueueUnlessWaiting(tx, deps, {
        kind: 'company-domain',
        payload: { id },
        lane: `company-domain ${id}`,
        runAt,
      });
  });
}
