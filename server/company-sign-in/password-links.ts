import { INVITATION_DAYS } from '#contract/limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { companyMailText } from '#words/company-mail.ts';
import { findAccountById } from '#server/accounts/data.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { mayMailLink } from '#server/accounts/mailboxes/limits.ts';
import { blockOf } from '#server/accounts/rules.ts';
import { lastTokenAt } from '#server/accounts/tokens/data.ts';
import { mailLink } from '#server/accounts/tokens/links.ts';
import { DAY_MS } from '#server/clock.ts';
import { listVouchedFor } from './data.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { mailOf } from '#server/mail/frame.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { listProviders } from '#server/sign-in/identities/data.ts';
import { hasWayIn } from '#server/sign-in/locks/locks.ts';
import { resetToken } from '#server/sign-in/recovery/actions.ts';

type Company = { readonly orgId: OrgId; readonly organization: string };
export type Ended = Company & { readonly endedAt: number; readonly userIds: readonly UserId[] };

/** Call it before a connection stops opening accounts, or those with addresses of a domain. */
export async function askForPasswordLinks(
  tx: Tx,
  deps: Deps,
  { orgId, organization }: Company,
  domain?: string,
) {
  const userIds = await listVouchedFor(tx, orgId, domain);
  const payload: Ended = { orgId, organization, endedAt: deps.clock.now().getTime(), userIds };
  if (userIds.length > 0) await enqueue(tx, deps, { kind: 'company-ended', payload });
}

/** Mails the people who have no other way into their account. A second run skips those who have a link. */
export async function mailPasswordLinks(deps: Deps, ended: Ended, progress: () => Promise<void>) {
  for (const userId of ended.userIds) {
    await progress();
    await mailPasswordLink(deps, userId, ended);
  }
}

/** The address of a person who has lost their only way in, unless they have a link already. */
async function findLocked(sql: Db, deps: Deps, userId: UserId, endedAt: number) {
  const account = await findAccountById(sql, userId, deps.clock.now());
  if (!account || blockOf(account)) return undefined;
  const { passkeys } = await findFactors(sql, userId);
  if (hasWayIn(deps, account, { passkeys, providers: await listProviders(sql, userId) })) return undefined;
  const last = await lastTokenAt(sql, userId, 'reset-password');
  return last && last.getTime() >= endedAt ? undefined : account.email;
}

async function mailPasswordLink(deps: Deps, userId: UserId, { orgId, organization, endedAt }: Ended) {
  const isLocked = await findLocked(deps.sql, deps, userId, endedAt);
  if (!isLocked || !(await mayMailLink(deps, 'reset', userId, `organization ${orgId}`))) return;
  await transaction(deps.sql, async (tx) => {
    await lockUser(tx, userId);
    const email = await findLocked(tx, deps, userId, endedAt);
    if (!email) return;
    const url = `${deps.config.publicUrl.origin}/resetpassword?digest={{digest}}`;
    const content = mailOf(companyMailText.passwordLink, { organization }, url);
    await mailLink(tx, deps, content, { ...resetToken(userId, email), lifeMs: INVITATION_DAYS * DAY_MS });
  });
}
