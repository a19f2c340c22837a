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

/** A mail to Super Admins. Its kind names the letter. */
export type News = { readonly kind: string; readonly words: Filled };

/**
 * Mails every Super Admin, unless a quiet time of the same kind of news runs: its end mails what happened meanwhile. Each
 * kind has its own, so that a harmless change hides no grave one.
 */
export async function tellSuperAdmins(
  tx: Tx,
  deps: Deps,
  { orgId, urlName }: { readonly orgId: OrgId; readonly urlName: string },
  { kind, words }: News,
  page: SuperAdminPage,
) {
  const lane = `super-admin-news:${orgId}:${kind}`;
  const job = { kind: 'super-admin-news', lane, payload: { orgId, kind } };
  if (!(await startQuiet(tx, deps, job, words))) return;
  const content = letterOf(words, new URL(`/${urlName}/${page}`, deps.config.publicUrl).href);
  for (const { userId, email } of await listSuperAdminAddresses(tx, orgId))
    await queueMail(tx, deps, { userId, to: email, content });
}

/** The job of an older process names no kind. */
export type QuietOfSuperAdmins = { readonly orgId: OrgId; readonly kind?: string };
/** Ends a quiet time. A mail about what happened meanwhile starts another one. */
export const endQuietOfSuperAdmins = (
  deps: Deps,
  { orgId, kind = 'several' }: QuietOfSuperAdmins,
  jobId: number,
) =>
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
    await tellSuperAdmins(tx, deps, { orgId, urlName }, { kind, words }, 'recentactivity');
  });
