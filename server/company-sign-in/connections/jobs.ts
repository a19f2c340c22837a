import { DAY_MS, fromNow } from '#server/clock.ts';
import { companyNews, tellOf } from '#server/company-sign-in/changes.ts';
import { listEndingSecrets, updateConnection } from './data.ts';
import { dueNotice } from './rules.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

const FIRST_NOTICE_DAYS = 60;

/** Mails the Super Admins before the secret of their connection ends, because then nobody gets in. */
export async function tellOfEndingSecrets(deps: Deps) {
  const ending = await listEndingSecrets(deps.sql, fromNow(deps.clock, FIRST_NOTICE_DAYS * DAY_MS));
  for (const { id, orgId, secretEnds, toldDays } of ending) {
    const days = secretEnds && dueNotice(secretEnds, toldDays, deps.clock.now());
    if (!days) continue;
    await transaction(deps.sql, async (tx) => {
      await tellOf(tx, deps, orgId, (organization) => companyNews('secretEnds', { organization, days }));
      await updateConnection(tx, id, { told_days: days });
    });
  }
}
