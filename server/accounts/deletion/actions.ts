import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { accountDeletion } from '#contract/account-deletion.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { DELETION_GRACE_DAYS } from '#contract/limits.ts';
import { maskEmail } from '#contract/mask.ts';
import { fieldText } from '#contract/text/fields.ts';
import { MEMBER_STATUS } from '#contract/members.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, findAccount, findPassword, holdAccount } from '#server/accounts/data.ts';
import { findPending, storePending, takeUnproven } from '#server/accounts/addresses/data.ts';
import { issueToken, useToken, voidTokens } from '#server/accounts/tokens/data.ts';
import {
  deleteDeletion,
  getDeletion,
  insertDeletion,
  listMemberships,
} from '#server/accounts/deletion/data.ts';
import { restoredNotice, restoreMail } from '#server/accounts/deletion/mail.ts';
import { effectOn } from '#server/accounts/deletion/rules.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { countIcons } from '#server/drive/data.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { dropJobsFor, enqueue, enqueueAlone } from '#server/jobs/enqueue.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { hasSeat, keepASuperAdmin } from '#server/members/actions.ts';
import { activeSuperAdmins, hasOthers, lockOrganization } from '#server/members/data.ts';
import { endPause, listPausedMemberships, pauseMemberships } from '#server/members/joining/data.ts';
import type { Place } from '#server/sessions/actions.ts';
import { deleteSessionsOf, hasSession } from '#server/sessions/data.ts';
import { isRecentProof } from '#server/sessions/rules.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { forgetDevicesOf } from '#server/sign-in/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { provePassword } from '#server/sign-in/step-up/actions.ts';
import { openDigest } from '#server/sign-in/recovery/actions.ts';

type Caller = { readonly userId: UserId; readonly sessionId: SessionId; readonly authenticatedAt: Date };

const hasOtherSuperAdmin = async (sql: Db, orgId: OrgId, userId: UserId) => {
  const others = activeSuperAdmins(sql, orgId).where('memberships.user_id', '<>', userId);
  return (await others.select('memberships.id').limit(1).execute()).length > 0;
};

/** What deleting the account would do as things stand. */
export async function readEffects(deps: Deps, userId: UserId) {
  const organizations = [];
  for (const { orgId, name, urlName, ...member } of await listMemberships(deps.sql, userId)) {
    const stake = {
      ...member,
      hasOtherSuperAdmin: await hasOtherSuperAdmin(deps.sql, orgId, userId),
      hasOthers: await hasOthers(deps.sql, orgId, userId),
    };
    organizations.push({ id: orgId, name, urlName, effect: effectOn(stake) });
  }
  const going = organizations.filter(({ effect }) => effect === 'goes').map(({ id }) => id);
  return {
    deletedOn: fromNow(deps.clock, DELETION_GRACE_DAYS * DAY_MS),
    passwordNeeded: (await findPassword(deps.sql, userId)) !== undefined,
    images: await countIcons(deps.sql, going),
    organizations,
  };
}

/** Deactivates the caller's account until it is erased. */
export async function deleteAccount(
  deps: Deps,
  caller: Caller,
  prefix: string,
  { reason, password }: Input<typeof accountDeletion.request>,
) {
  const unproven = await proveSelf(deps, caller, prefix, password);
  if (unproven) return unproven;
  const { userId, sessionId } = caller;
  return transaction(deps.sql, async (tx) => {
    const held = new Set<OrgId>();
    for (const { orgId } of await listMemberships(tx, userId)) {
      const last = await keepASuperAdmin(tx, orgId, userId, { mayGoWhole: true });
      if (last) return last;
      held.add(orgId);
    }
    // A reset under way comes before this, or finds what this did; an organization joined meanwhile has to be asked too.
    await holdAccount(tx, userId, deps.clock.now());
    if (!(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    const joined = (await listMemberships(tx, userId)).some(({ orgId }) => !held.has(orgId));
    if (joined) return refuse('unavailable');
    return { deletedOn: await scheduleDeletion(tx, deps, userId, reason) };
  });
}

/** The password proves it here and now; who has none proves it by a mailed code before. */
async function proveSelf(deps: Deps, caller: Caller, prefix: string, password: string | undefined) {
  if (password !== undefined) return provePassword(deps, caller, password, prefix);
  if (await findPassword(deps.sql, caller.userId))
    return refuse('invalid_input', { fields: { password: fieldText.required } });
  return isRecentProof(caller.authenticatedAt, deps.clock.now(), deps.config.reauthWindowMinutes)
    ? undefined
    : refuse('reauthentication_required');
}

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
  const account = await holdAccount(tx, userId, now);
  await deleteSessionsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
  await deleteCodesOf(tx, userId);
  await forgetDevicesOf(tx, userId);
  await voidTokens(tx, userId, now);
  const paused = await pauseMemberships(tx, userId, now);
  const freed = account?.email && (await freeUnproven(tx, deps, userId, account.email));
  await recordDeletion(tx, deps, userId, ACTION.delete, {
    reason: [null, reason],
    due_at: [null, dueAt],
    ...(freed && { email: [maskEmail(freed), null] }),
  });
  const status = [MEMBER_STATUS.active, MEMBER_STATUS.inactive] as const;
  for (const orgId of paused.map((member) => member.orgId).toSorted((a, b) => a - b))
    await recordDeletion(tx, deps, userId, ACTION.delete, { status }, orgId);
  await enqueue(tx, deps, { kind: 'erase-accounts', payload: { after: userId - 1 }, runAt: dueAt });
  // Read once the account is restored, if ever: until then nobody is signed in.
  await notify(tx, deps, userId, { kind: 'deletion_scheduled' });
  if (account && !freed) await mailRestoreLink(tx, deps, account, dueAt);
  return dueAt;
}

/**
 * A mailbox that the account never proved is its owner's: they are not to wait 60 days for what a stranger typed, nor to
 * be mailed a way into it. The address goes on waiting for its proof, should the account come back.
 */
async function freeUnproven(tx: Tx, { clock }: Deps, userId: UserId, email: string) {
  if (!(await takeUnproven(tx, email))) return undefined;
  await dropJobsFor(tx, email);
  if (!(await findPending(tx, userId))) await storePending(tx, userId, email, clock.now());
  return email;
}

/** In the person's own log, or in an organization's what it did to their membership there. */
export const recordDeletion = (
  tx: Tx,
  deps: Deps,
  userId: UserId,
  action: typeof ACTION.delete | typeof ACTION.change,
  information: Record<string, readonly [unknown, unknown]>,
  orgId: OrgId | null = null,
) =>
  recordActivity(tx, deps, {
    orgId,
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
    const wasDueAt = (await useToken(tx, tokenId, now)) && (await cancelDeletion(tx, deps, user));
    if (!wasDueAt) return refuse('digest_invalid');
    await recordDeletion(tx, deps, user.id, ACTION.change, { due_at: [wasDueAt, null] });
    return {};
  });
}

/** Ends a deactivation while its days last and returns when they would have ended; whoever calls has proof, and records it. */
export async function cancelDeletion(tx: Tx, deps: Deps, user: { id: UserId; email: string | null }) {
  const now = deps.clock.now();
  const cancelled = await deleteDeletion(tx, user.id, now);
  if (!cancelled) return undefined;
  // A sign-in that was half-way when the account closed may have left one, which served nothing until now.
  await deleteSessionsOf(tx, user.id);
  await voidTokens(tx, user.id, now, ['restore-account']);
  await endPauses(tx, deps, user.id, cancelled.requested_at);
  await mailNotice(tx, deps, user, restoredNotice);
  return cancelled.due_at;
}

/** Back to Active in one organization after the other; where no seat is free the membership stays Inactive. */
async function endPauses(tx: Tx, deps: Deps, userId: UserId, pausedAt: Date) {
  const paused = await listPausedMemberships(tx, userId, pausedAt);
  // All of them first: who waits for one holds no member and no log of another.
  for (const { org_id: orgId } of paused) await lockOrganization(tx, orgId);
  for (const { id, org_id: orgId } of paused) {
    const status = (await hasSeat(tx, deps, orgId)) ? MEMBER_STATUS.active : MEMBER_STATUS.inactive;
    // An admin may have ended or changed it while the organizations were waited for.
    if (!(await endPause(tx, id, pausedAt, status))) continue;
    const information = { status: [MEMBER_STATUS.inactive, status] as const };
    await recordDeletion(tx, deps, userId, ACTION.change, information, orgId);
  }
}

/** Asks for the link once more; a job looks the address up, so the answer takes as long whatever becomes of it. */
export async function resendRestore(deps: Deps, typed: string, place: Place) {
  const email = emailOrRefusal(typed, 'email_id');
  if (email instanceof Refusal) return email;
  const tooMany = await deps.limiter.take('restoreRequestsHour', ipPrefix(place.ipAddress));
  if (tooMany) return tooMany;
  const job = { kind: 'restore-mail', payload: { email }, lane: `restore:${email}` };
  await enqueueAlone(deps, job);
  return {};
}

/** Mails the link again if there is an account to restore, three times an hour at most. */
export async function mailRestore(deps: Deps, email: string) {
  const found = await findAccount(deps.sql, email, deps.clock.now());
  if (!found?.deletion_due_at) return;
  if (await deps.limiter.take('restoreMailsHour', String(found.id))) return;
  await transaction(deps.sql, async (tx) => {
    const account = await holdAccount(tx, found.id, deps.clock.now());
    if (account?.email === email && account.deletion_due_at)
      await mailRestoreLink(tx, deps, account, account.deletion_due_at);
  });
}
