import { jobText } from '#words/job.ts';
import type { OrgId } from '#contract/wire.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { endQuiet, startQuiet } from '#server/jobs/quiet.ts';
import { type Filled, letterOf } from '#server/mail/frame.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { lockOrganization } from '#server/members/data.ts';
import { listSuperAdminAddresses } from '#server/members/standing/data.ts';

export type RegistryPage = 'organization/applications' | 'organization/webhooks';
export type SuperAdminPage =
  | 'recentactivity'
  | 'organization'
  | 'organization/signin'
  | RegistryPage
  | `${RegistryPage}/${number}`;

/**
 * Mails every Super Admin, unless a quiet time runs: its end mails what happened meanwhile. An alarm waits for no other
 * news; its quiet time keeps it to one mail.
 */
export async function tellSuperAdmins(
  tx: Tx,
  deps: Deps,
  { orgId, urlName }: { readonly orgId: OrgId; readonly urlName: string },
  words: Filled,
  page: SuperAdminPage,
  alarm?: string,
) {
  const kind = 'super-admin-news';
  const lane = alarm === undefined ? `${kind}:${orgId}` : `${kind}:${orgId}:${alarm}`;
  const job = { kind, lane, payload: { orgId } };
  if (!(await startQuiet(tx, deps, job, alarm === undefined ? words : undefined))) return;
  const content = letterOf(words, new URL(`/${urlName}/${page}`, deps.config.publicUrl).href);
  for (const { userId, email } of await listSuperAdminAddresses(tx, orgId))
    await queueMail(tx, deps, { userId, to: email, content });
}

/** Ends a quiet time. A mail about what happened meanwhile starts another one. */
export const endQuietOfSuperAdmins = (deps: Deps, orgId: OrgId, jobId: number) =>
  transaction(deps.sql, async (tx) => {
    const organization = await lockOrganization(tx, orgId);
    const news = await endQuiet(tx, jobId, () => jobText.severalChanges);
    if (!organization || !news) return;
    const { name, urlName } = organization;
    const words = () => ({
      ...news(),
      button: jobText.button,
      footer: jobText.footer({ organization: name }),
    });
    await tellSuperAdmins(tx, deps, { orgId, urlName }, words, 'recentactivity');
  });
