import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { DELETION_GRACE_DAYS } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, findAccount, findAccountById, holdAccount } from '#server/accounts/data.ts';
import { issueToken, useToken, voidTokens } from '#server/accounts/tokens/data.ts';
import { deleteDeletion, getDeletion, insertDeletion } from '#server/accounts/deletion/data.ts';
import { restoredNotice, restoreMail } from '#server/accounts/deletion/mail.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { enqueue } from '#server/jobs/jobs.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { hasSeat } from '#server/members/actions.ts';
import {
  listPausedMemberships,
  lockOrganization,
  pauseMemberships,
  resumeMembership,
} from '#server/members/data.ts';
import type { Place } from '#server/sessions/actions.ts';
import { deleteSessionsOf } from '#server/sessions/data.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { forgetDevicesOf } from '#server/sign-in/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { openDigest } from '#server/sign-in/recovery/actions.ts';

/**
 * Deactivates an account until it is erased, and returns when that is: everything open ends, active memberships
 * pause, and a mail holds the way back. Whoever calls has proof of who asks, and that no organization loses its last
 * Super Admin. An account that is deactivated already stays as it is.
 */
export async function scheduleDeletion(tx: Tx, deps: Deps, userId: UserId, reason: string): Promise<Date> {
  const now = deps.clock.now();
  const dueAt = fromNow(deps.clock, DELETION_GRACE_DAYS * DAY_MS);
  if (!(await insertDeletion(tx, { userId, reason, requestedAt: now, dueAt })))
    return (await getDeletion(tx, userId)).due_at;
  // Held first: a sign-in under way comes before this, or finds what this did.
  await holdAccount(tx, userId, now);
  await deleteSessionsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
  await deleteCodesOf(tx, userId);
  await forgetDevicesOf(tx, userId);
  await voidTokens(tx, userId, now);
  await pauseMemberships(tx, userId, now);
  await recordDeletion(tx, deps, userId, ACTION.delete, { reason: [null, reason], due_at: [null, dueAt] });
  // Read once the account is restored, if ever: until then nobody is signed in.
  await notify(tx, deps, userId, { kind: 'deletion_scheduled' });
  const account = await findAccountById(tx, userId, now);
  if (account) await mailRestoreLink(tx, deps, account, dueAt);
  return dueAt;
}

const recordDeletion = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  action: typeof ACTION.delete | typeof ACTION.change,
  information: Record<string, [unknown, unknown]>,
) =>
  recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.deleteAccount,
    type: ACTIVITY_TYPE.deleteAccount,
    action,
    information,
  });

/** Mails the link that restores the account, good until it is erased; the link before it no longer serves. */
async function mailRestoreLink(tx: Tx, deps: Deps, { id, email, time_zone: zone }: Account, dueAt: Date) {
  if (email === null) return;
  const { seed, expiresAt } = await issueToken(tx, deps, {
    purpose: 'restore-account',
    userId: id,
    subject: email,
    lifeMs: dueAt.getTime() - deps.clock.now().getTime(),
  });
  await queueMail(tx, deps, {
    to: email,
    content: restoreMail(deps.config.publicUrl, dueAt, zone),
    digest: seed,
    expiresAt,
  });
}

/** Cancels a deletion with the mailed digest; nobody is signed in by it, and the owner is told. */
export async function restoreAccount(deps: Deps, digest: string) {
  const opened = await openDigest(deps, 'restore-account', digest);
  if (opened instanceof Refusal) return opened;
  const { user, tokenId } = opened;
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const cancelled = (await useToken(tx, tokenId, now)) && (await deleteDeletion(tx, user.id, now));
    if (!cancelled) return refuse('digest_invalid');
    // A sign-in that was half-way when the account closed may have left one, which served nothing until now.
    await deleteSessionsOf(tx, user.id);
    await resumeMemberships(tx, deps, user.id, cancelled.requested_at);
    await recordDeletion(tx, deps, user.id, ACTION.change, { due_at: [cancelled.due_at, null] });
    await mailNotice(tx, deps, user, restoredNotice);
    return {};
  });
}

/** Back to Active, one organization after the other; where no seat is free the membership stays Inactive. */
async function resumeMemberships(tx: Tx, deps: Deps, userId: UserId, pausedAt: Date) {
  for (const { id, org_id: orgId } of await listPausedMemberships(tx, userId, pausedAt)) {
    await lockOrganization(tx, orgId);
    if (await hasSeat(tx, deps, orgId)) await resumeMembership(tx, id);
  }
}

/** Asks for the link once more; a job looks the address up, so the answer takes as long whatever becomes of it. */
export async function resendRestore(deps: Deps, typed: string, place: Place) {
  const email = emailOrRefusal(typed, 'email_id');
  if (email instanceof Refusal) return email;
  const tooMany = await deps.limiter.take('restoreRequestsHour', ipPrefix(place.ipAddress));
  if (tooMany) return tooMany;
  await enqueue(deps.sql, deps, { kind: 'restore-mail', payload: { email }, lane: `restore:${email}` });
  return {};
}

/** Mails the link again if there is an account to restore, three times an hour at most. */
export async function mailRestore(deps: Deps, email: string) {
  const account = await findAccount(deps.sql, email, deps.clock.now());
  const dueAt = account?.deletion_due_at;
  if (!account || !dueAt) return;
  if (await deps.limiter.take('restoreMailsHour', String(account.id))) return;
  await transaction(deps.sql, (tx) => mailRestoreLink(tx, deps, account, dueAt));
}
