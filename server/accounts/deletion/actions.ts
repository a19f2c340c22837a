// People delete their account here, and return within the time that they have for it.
import type { accountDeletion } from '#contract/accounts/deletion.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { DELETION_GRACE_DAYS } from '#contract/limits.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { fieldText } from '#words/field.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { findPending, storePending, takeUnproven } from '#server/accounts/addresses/data.ts';
import { type Account, findAccount, findPassword, lockAccount } from '#server/accounts/data.ts';
import { deleteDeletion, getDeletion, insertDeletion, listMemberships } from './data.ts';
import { restoredNotice, restoreMail } from './mail.ts';
import { effectOn } from './rules.ts';
import { mayMailLink } from '#server/accounts/mailboxes/limits.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { giveBackRequest, mailLink } from '#server/accounts/tokens/links.ts';
import { useToken, voidTokens } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { removeExport } from '#server/data-export/actions.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { countIcons } from '#server/drive/data.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { deleteJobsOf } from '#server/jobs/data.ts';
import { enqueue, enqueueAlone } from '#server/jobs/enqueue.ts';
import { hasSeat, keepASuperAdmin } from '#server/members/actions.ts';
import { hasOthers, lockOrganization } from '#server/members/data.ts';
import { endPause, listPausedMemberships, pauseMemberships } from '#server/members/joining/data.ts';
import { listTwoSuperAdmins } from '#server/members/standing/data.ts';
import type { Client } from '#server/origin.ts';
import type { ProvenOwner } from '#server/sessions/actions.ts';
import { deleteSessionsOf, hasSession } from '#server/sessions/data.ts';
import { isRecentlyProven } from '#server/access/data.ts';
import { deleteChallengesOf } from '#server/sign-in/challenge/data.ts';
import { forgetDevicesOf } from '#server/sign-in/devices/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { openDigest } from '#server/sign-in/recovery/actions.ts';
import { provePassword } from '#server/sign-in/step-up/actions.ts';

async function listEffects(sql: Db, userId: UserId) {
  const organizations = [];
  for (const { orgId, name, urlName, ...member } of await listMemberships(sql, userId)) {
    const stake = {
      ...member,
      hasOtherSuperAdmin: (await listTwoSuperAdmins(sql, orgId)).some((id) => id !== userId),
      hasOthers: await hasOthers(sql, orgId, userId),
    };
    organizations.push({ id: orgId, name, urlName, effect: effectOn(stake) });
  }
  return organizations;
}

export async function readEffects(deps: Deps, userId: UserId) {
  const organizations = await listEffects(deps.sql, userId);
  const deletedIds = organizations.filter(({ effect }) => effect === 'goes').map(({ id }) => id);
  return {
    deletedOn: fromNow(deps.clock, DELETION_GRACE_DAYS * DAY_MS),
    passwordNeeded: (await findPassword(deps.sql, userId)) !== undefined,
    images: await countIcons(deps.sql, deletedIds),
    organizations,
  };
}

export async function deleteAccount(
  deps: Deps,
  caller: ProvenOwner,
  network: string,
  { reason, password, going }: Input<typeof accountDeletion.request>,
) {
  const refusal = await proveSelf(deps, caller, network, password);
  if (refusal) return refusal;
  const { userId, sessionId } = caller;
  return transaction(deps.sql, async (tx) => {
    const lockedOrgs = new Set<OrgId>();
    for (const { orgId } of await listMemberships(tx, userId)) {
      const lastSuperAdmin = await keepASuperAdmin(tx, orgId, userId, { mayDeleteOrganization: true });
      if (lastSuperAdmin) return lastSuperAdmin;
      lockedOrgs.add(orgId);
    }
    // The others of an organization may have left since the caller saw the list.
    const effects = going ? await listEffects(tx, userId) : [];
    if (effects.some(({ id, effect }) => effect === 'goes' && !going?.includes(id)))
      return refuse('changed_meanwhile');
    // After the organizations: a reset may have ended the session, and one joined meanwhile is not locked.
    await lockAccount(tx, userId, deps.clock.now());
    if (!(await hasSession(tx, sessionId))) return refuse('not_signed_in');
    const memberships = await listMemberships(tx, userId);
    if (memberships.some(({ orgId }) => !lockedOrgs.has(orgId))) return refuse('unavailable');
    return { deletedOn: await scheduleDeletion(tx, deps, userId, reason) };
  });
}

/** The password must come with the call. A person without one needs a recent proof by a mailed code. */
async function proveSelf(deps: Deps, caller: ProvenOwner, network: string, password: string | undefined) {
  if (password !== undefined) return provePassword(deps, caller, password, network);
  if (await findPassword(deps.sql, caller.userId))
    return refuse('invalid_input', { fields: { password: fieldText.required } });
  return (await isRecentlyProven(deps.sql, deps, caller)) ? undefined : refuse('reauthentication_required');
}

/** Check first the person's proof and the last Super Admins. An account that is already deactivated stays unchanged. */
export async function scheduleDeletion(tx: Tx, deps: Deps, userId: UserId, reason: string): Promise<Date> {
  const now = deps.clock.now();
  const dueAt = fromNow(deps.clock, DELETION_GRACE_DAYS * DAY_MS);
  if (!(await insertDeletion(tx, { user_id: userId, reason, requested_at: now, due_at: dueAt })))
    return (await getDeletion(tx, userId)).due_at;
  // Lock the account before ending its sessions, so that a concurrent sign-in leaves none behind.
  const account = await lockAccount(tx, userId, now);
  await deleteSessionsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
  await deleteCodesOf(tx, userId);
  await forgetDevicesOf(tx, userId);
  await removeExport(tx, deps, { userId, orgId: null });
  await voidTokens(tx, userId, now);
  const paused = await pauseMemberships(tx, userId, now);
  const freedEmail = account?.email && (await freeUnproven(tx, deps, userId, account.email));
  await recordActivity(tx, deps, 'person.deleteAccount.delete', {
    userId,
    information: {
      reason: [null, reason],
      due_at: [null, dueAt],
      ...(freedEmail && { email: [maskEmail(freedEmail), null] }),
    },
  });
  const status = [MEMBER_STATUS.active, MEMBER_STATUS.inactive] as const;
  for (const orgId of paused.map((member) => member.orgId).toSorted((a, b) => a - b))
    await recordActivity(tx, deps, 'organization.deleteAccount.delete', {
      orgId,
      userId: userId,
      information: { status },
    });
  await enqueue(tx, deps, { kind: 'erase-accounts', payload: { after: userId - 1 }, runAt: dueAt });
  // The person reads this only after a restore, because the account is closed until then.
  await notify(tx, deps, userId, { kind: 'deletion_scheduled' });
  if (account && !freedEmail) await mailRestoreLink(tx, deps, account, dueAt);
  return dueAt;
}

/** The mailbox's owner must not wait 60 days for an unproven address. It becomes pending, in case of a restore. */
async function freeUnproven(tx: Tx, { clock }: Deps, userId: UserId, email: string) {
  if (!(await takeUnproven(tx, userId, email))) return undefined;
  await deleteJobsOf(tx, userId);
  if (!(await findPending(tx, userId))) await storePending(tx, userId, email, clock.now());
  return email;
}

export async function mailRestoreLink(
  tx: Tx,
  deps: Deps,
  { id, email, time_zone: zone }: Account,
  dueAt: Date,
  askedFrom?: string,
) {
  if (email === null) return;
  await mailLink(tx, deps, restoreMail(deps.config.publicUrl, dueAt, zone), {
    purpose: 'restore-account',
    userId: id,
    askedFrom,
    subject: email,
    lifeMs: dueAt.getTime() - deps.clock.now().getTime(),
  });
}

/** Cancels a deletion with the mailed digest. It opens no session, and the person gets a notice. */
export async function restoreAccount(deps: Deps, digest: string) {
  const token = await openDigest(deps, 'restore-account', digest);
  if (token instanceof Refusal) return token;
  const { user, tokenId } = token;
  const result = await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const wasDueAt = (await useToken(tx, tokenId, now)) && (await cancelDeletion(tx, deps, user));
    if (!wasDueAt) return refuse('digest_invalid');
    await recordActivity(tx, deps, 'person.deleteAccount.change', {
      userId: user.id,
      information: { due_at: [wasDueAt, null] },
    });
    return {};
  });
  if (!(result instanceof Refusal)) await giveBackRequest(deps, 'restore-account', token.askedFrom);
  return result;
}

/** Returns the date that was due. Check the person's proof first, and record the restore afterwards. */
export async function cancelDeletion(tx: Tx, deps: Deps, user: { id: UserId; email: string | null }) {
  const now = deps.clock.now();
  const deletion = await deleteDeletion(tx, user.id, now);
  if (!deletion) return undefined;
  // A sign-in concurrent with the deletion may have left a session, which no call accepted until now.
  await deleteSessionsOf(tx, user.id);
  await voidTokens(tx, user.id, now, ['restore-account']);
  await resumeMemberships(tx, deps, user.id, deletion.requested_at);
  await mailNotice(tx, deps, user, restoredNotice);
  return deletion.due_at;
}

/** Makes paused memberships Active again. A membership without a free seat stays Inactive. */
async function resumeMemberships(tx: Tx, deps: Deps, userId: UserId, pausedAt: Date) {
  const paused = await listPausedMemberships(tx, userId, pausedAt);
  // Lock all organizations first, so that a wait for one holds no membership and no log of another.
  for (const { org_id: orgId } of paused) await lockOrganization(tx, orgId);
  for (const { id, org_id: orgId } of paused) {
    const status = (await hasSeat(tx, deps, orgId)) ? MEMBER_STATUS.active : MEMBER_STATUS.inactive;
    // An admin may have changed or ended the membership during the wait for the locks.
    if (!(await endPause(tx, id, pausedAt, status))) continue;
    const information = { status: [MEMBER_STATUS.inactive, status] as const };
    await recordActivity(tx, deps, 'organization.deleteAccount.change', {
      orgId,
      userId: userId,
      information,
    });
  }
}

/** Requests the restore link again. A job looks the address up, so that the answer takes equally long for all. */
export async function resendRestore(deps: Deps, typed: string, client: Client) {
  const email = emailOrRefusal(typed, 'email_id');
  if (email instanceof Refusal) return email;
  const network = ipPrefix(client.ipAddress);
  const tooMany = await deps.limiter.take('restoreRequestsHour', network);
  if (tooMany) return tooMany;
  const job = { kind: 'restore-mail', payload: { email, by: network }, lane: `restore:${email}` };
  await enqueueAlone(deps, job);
  return {};
}

export async function mailRestore(deps: Deps, email: string, network: string) {
  const candidate = await findAccount(deps.sql, email, deps.clock.now());
  if (!candidate?.deletion_due_at) return;
  if (!(await mayMailLink(deps, 'restore', candidate.id, network))) return;
  await transaction(deps.sql, async (tx) => {
    const account = await lockAccount(tx, candidate.id, deps.clock.now());
    if (account?.email === email && account.deletion_due_at)
      await mailRestoreLink(tx, deps, account, account.deletion_due_at, network);
  });
}
