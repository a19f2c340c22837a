import { OPERATOR_ID } from '#contract/activity/calls.ts';
import { refuse } from '#contract/errors.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { refusalText } from '#words/refusal.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, findAccountById, lockAccount, insertRestriction } from '#server/accounts/data.ts';
import { cancelDeletion } from '#server/accounts/deletion/actions.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { rotateSigningKeys } from '#server/applications/keys.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteImages, listLostImages } from '#server/drive/data.ts';
import { retryFailed } from '#server/jobs/data.ts';
import { tellOfRole } from '#server/members/actions.ts';
import { findMember, lockOrganization, updateMember } from '#server/members/data.ts';
import { noMember } from '#server/members/rules.ts';
import { endAllAccess, findSuperAdminRole, liftRestrictions } from '#server/operator/data.ts';
import {
  liftedNotice,
  restrictedNotice,
  secondStepsResetNotice,
  sessionsEndedNotice,
} from '#server/operator/mail.ts';
import { queueNewAddressMail } from '#server/profile/contact/actions.ts';
import { type Operator, recordAct } from '#server/registry/actions.ts';
import { deleteSessionsOf } from '#server/sessions/data.ts';
import { deleteChallengesOf, forgetWrongCodes } from '#server/sign-in/challenge/data.ts';
import { listProviders } from '#server/sign-in/identities/data.ts';
import { setMfa, deleteFactors, findFactors } from '#server/sign-in/factors/data.ts';
import { invalidatePastCodes } from '#server/sign-in/factors/actions.ts';
import { hasWayIn } from '#server/sign-in/locks/locks.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';
import { deleteRemembered } from '#server/sign-in/remembered/data.ts';

/** Runs `act` under the account's lock, which sign-ins also take. */
const withAccount = <T>(deps: Deps, userId: UserId, act: (tx: Tx, account: Account) => Promise<T>) =>
  transaction(deps.sql, async (tx) => {
    const account = await lockAccount(tx, userId, deps.clock.now());
    return account ? act(tx, account) : refuse('user_not_found');
  });

async function endEverything(tx: Tx, userId: UserId) {
  const count = await deleteSessionsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
  await deleteCodesOf(tx, userId);
  return count;
}

export const endSessions = (deps: Deps, by: Operator, userId: UserId) =>
  withAccount(deps, userId, async (tx, account) => {
    const count = await endEverything(tx, userId);
    await recordAct(tx, deps, by, 'operator.signInDevice.delete', userId, { sessions: [count, 0] });
    await mailNotice(tx, deps, account, sessionsEndedNotice);
    return { ended: count };
  });

/** Password, provider or a mailed link then open the account. Ends every session, because a thief may have one. */
export const resetSecondSteps = (deps: Deps, by: Operator, userId: UserId) =>
  withAccount(deps, userId, async (tx, account) => {
    const { passkeys, hasApp, recoveryCodesLeft } = await findFactors(tx, userId);
    if (passkeys === 0 && !hasApp && recoveryCodesLeft === 0 && !account.mfa_enabled)
      return refuse('no_changes');
    const ways = { passkeys: 0, providers: await listProviders(tx, userId) };
    // A mailed link opens every account that has an address.
    if (account.email === null && !hasWayIn(deps, account, ways)) return refuse('last_way_in');
    await deleteFactors(tx, userId);
    await deleteRemembered(tx, userId);
    await setMfa(tx, userId, false);
    const count = await endEverything(tx, userId);
    await recordAct(tx, deps, by, 'operator.twoStep.change', userId, {
      mfa_enabled: [account.mfa_enabled, false],
      ...(passkeys > 0 && { passkey: [passkeys, 0] }),
      ...(recoveryCodesLeft > 0 && { left: [recoveryCodesLeft, 0] }),
      ...(count > 0 && { sessions: [count, 0] }),
    });
    await notify(tx, deps, userId, { kind: 'way_in_changed', details: { change: 'secondStepsReset' } });
    await mailNotice(tx, deps, account, secondStepsResetNotice);
    return { passkeys, hadApp: hasApp, ended: count };
  });

/** Closes an account until a given time and ends its sessions. A password reset does not open it. */
export const restrict = (deps: Deps, by: Operator, userId: UserId, until: Date) =>
  withAccount(deps, userId, async (tx, account) => {
    const now = deps.clock.now();
    if (until <= now) return refuse('invalid_input', { details: refusalText.endInPast });
    // The new end replaces the one before, even if it is earlier.
    await liftRestrictions(tx, userId, now);
    await insertRestriction(tx, userId, 'operator', now, until);
    const count = await endEverything(tx, userId);
    await recordAct(tx, deps, by, 'operator.signIn.change', userId, {
      restricted_until: [account.restricted_until, until],
      ...(count > 0 && { sessions: [count, 0] }),
    });
    await mailNotice(tx, deps, account, restrictedNotice(until));
    return { until };
  });

export const liftRestriction = (deps: Deps, by: Operator, userId: UserId) =>
  withAccount(deps, userId, async (tx, account) => {
    if (!account.restricted_until) return refuse('no_changes');
    await liftRestrictions(tx, userId, deps.clock.now());
    await forgetWrongCodes(tx, userId);
    await recordAct(tx, deps, by, 'operator.signIn.change', userId, {
      restricted_until: [account.restricted_until, null],
    });
    await mailNotice(tx, deps, account, liftedNotice);
    return { lifted: account.restricted_until };
  });

/** Mainly for a person without an address. A pending address gets its link again, perhaps their only way in. */
export const restoreAccountOf = (deps: Deps, by: Operator, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    const account = await findAccountById(tx, userId, deps.clock.now());
    if (!account) return refuse('user_not_found');
    const wasDueAt = await cancelDeletion(tx, deps, account);
    if (!wasDueAt) return refuse('no_changes');
    await recordAct(tx, deps, by, 'operator.deleteAccount.change', userId, { due_at: [wasDueAt, null] });
    if (account.email === null) await queueNewAddressMail(tx, deps, userId);
    return { wasDueAt };
  });

export const makeSuperAdmin = (deps: Deps, by: Operator, orgId: OrgId, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    const organization = await lockOrganization(tx, orgId);
    const member = await findMember(tx, orgId, userId);
    if (!organization) return refuse('org_not_found');
    if (!member) return refuse('user_not_found', noMember);
    if (member.status !== MEMBER_STATUS.active)
      return refuse('not_allowed', { details: refusalText.notActive });
    const account = await findAccountById(tx, userId, deps.clock.now());
    if (account?.deletion_due_at) return refuse('not_allowed', { details: refusalText.waitsForErasure });
    const role = await findSuperAdminRole(tx, orgId);
    if (member.roleId === role.id) return refuse('no_changes');
    await updateMember(tx, member.id, { role_id: role.id });
    await recordActivity(tx, deps, 'organization.invitedContact.update', {
      orgId,
      userId: OPERATOR_ID as UserId,
      recordId: userId,
      information: { role: [member.role, role.name], operator: by.name },
    });
    await tellOfRole(tx, deps, member, { orgId, organization: organization.name, role });
    return { organization: organization.name, was: member.role };
  });

export const recordBackup = (deps: Deps, by: Operator, file: string) =>
  transaction(deps.sql, (tx) =>
    recordAct(tx, deps, by, 'operator.auditLog.read', undefined, { backup: [null, file] }),
  );

/** Drops sessions, links, codes and mails, because they may have ended or been sent since the backup. */
export async function settleRestored(deps: Deps, by: Operator, file: string) {
  const lostImages = 'folder' in deps.config.storage ? await listLostImages(deps) : [];
  return transaction(deps.sql, async (tx) => {
    const sessions = await endAllAccess(tx, deps.clock.now());
    await invalidatePastCodes(tx, deps);
    await deleteImages(tx, lostImages);
    await recordAct(tx, deps, by, 'operator.auditLog.upload', undefined, {
      restore: [null, file],
      sessions: [sessions, 0],
      images: [lostImages.length, 0],
    });
    return { lostImages: lostImages.length };
  });
}

/** Retries one failed job or all of them. Expired jobs stay failed. */
export const retryJobs = (deps: Deps, by: Operator, jobId?: number) =>
  transaction(deps.sql, async (tx) => {
    const retried = await retryFailed(tx, deps.clock, jobId);
    for (const { id, kind, failed_at: failedAt } of retried)
      await recordAct(tx, deps, by, 'operator.auditLog.change', id, { [kind]: [failedAt, null] });
    return { retried: retried.map(({ id, kind }) => ({ id, kind })) };
  });

/** Publishes new signing keys for applications, and withdraws the others at once if they have leaked. */
export const rotateKeys = (deps: Deps, by: Operator, isAtOnce: boolean) =>
  transaction(deps.sql, async (tx) => {
    const rotated = await rotateSigningKeys(tx, deps, isAtOnce);
    await recordAct(tx, deps, by, 'operator.auditLog.change', undefined, {
      signing_keys: [isAtOnce ? rotated.former : null, rotated.kids],
    });
    return rotated;
  });
