import { ACTION, ACTIVITY_TYPE, type Act, MODULE, OPERATOR_ID } from '#contract/activity.ts';
import { refuse } from '#contract/errors.ts';
import { MEMBER_STATUS } from '#contract/members.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { mailNotice } from '#server/accounts/actions.ts';
import { type Account, findAccountById, holdAccount, insertRestriction } from '#server/accounts/data.ts';
import { cancelDeletion } from '#server/accounts/deletion/actions.ts';
import { type NewActivity, recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteImages, listLostImages } from '#server/drive/data.ts';
import { retryFailed } from '#server/jobs/jobs.ts';
import { tellOfRole } from '#server/members/actions.ts';
import { findMember, lockOrganization, updateMember } from '#server/members/data.ts';
import { noMember } from '#server/members/rules.ts';
import { closeAll, findSuperAdminRole, liftRestrictions } from '#server/operator/data.ts';
import { liftedNotice, restrictedNotice, sessionsEndedNotice } from '#server/operator/mail.ts';
import { askForMail } from '#server/profile/contact/actions.ts';
import { deleteSessionsOf } from '#server/sessions/data.ts';
import { deleteChallengesOf, forgetWrongCodes } from '#server/sign-in/challenge/data.ts';
import { deleteCodesOf } from '#server/sign-in/onward/data.ts';

/** Who acts: nobody of the portal, so the rows say 0 and the name by which the machine knows them. */
export type Operator = { readonly name: string };

type Row = Act & Pick<NewActivity, 'module' | 'recordId' | 'information'>;
const record = (tx: Tx, deps: Deps, { name }: Operator, row: Row, orgId: OrgId | null = null) =>
  recordActivity(tx, deps, {
    ...row,
    orgId,
    userId: OPERATOR_ID as UserId,
    information: { ...row.information, operator: name },
  });

/** Does something to an account that is held meanwhile, as a sign-in under way would hold it. */
const toAccount = <T>(deps: Deps, userId: UserId, act: (tx: Tx, account: Account) => Promise<T>) =>
  transaction(deps.sql, async (tx) => {
    const account = await holdAccount(tx, userId, deps.clock.now());
    return account ? act(tx, account) : refuse('user_not_found');
  });

/** Ends every session, and what is half-way in; tells how many sessions there were. */
async function endAll(tx: Tx, userId: UserId) {
  const ended = await deleteSessionsOf(tx, userId);
  await deleteChallengesOf(tx, userId);
  await deleteCodesOf(tx, userId);
  return Number(ended.reduce((sum, { numDeletedRows }) => sum + numDeletedRows, 0n));
}

/** Signs somebody out everywhere, and tells them. */
export const endSessions = (deps: Deps, by: Operator, userId: UserId) =>
  toAccount(deps, userId, async (tx, account) => {
    const count = await endAll(tx, userId);
    await record(tx, deps, by, {
      module: MODULE.signInDevice,
      type: ACTIVITY_TYPE.signInDevice,
      action: ACTION.delete,
      recordId: userId,
      information: { sessions: [count, 0] },
    });
    await mailNotice(tx, deps, account, sessionsEndedNotice);
    return { ended: count };
  });

/** Closes an account until a time and ends its sessions; a reset does not open it. */
export const restrict = (deps: Deps, by: Operator, userId: UserId, until: Date) =>
  toAccount(deps, userId, async (tx, account) => {
    const now = deps.clock.now();
    if (until <= now) return refuse('invalid_input', { details: 'The end lies in the past.' });
    // What is said is what holds: an end that comes earlier than the one before counts too.
    await liftRestrictions(tx, userId, now);
    await insertRestriction(tx, userId, 'operator', now, until);
    const count = await endAll(tx, userId);
    await recordRestriction(tx, deps, by, userId, {
      restricted_until: [account.restricted_until, until],
      ...(count > 0 && { sessions: [count, 0] }),
    });
    await mailNotice(tx, deps, account, restrictedNotice(until));
    return { until };
  });

/** Opens an account again, whatever restricted it. */
export const lift = (deps: Deps, by: Operator, userId: UserId) =>
  toAccount(deps, userId, async (tx, account) => {
    if (!account.restricted_until) return refuse('no_changes');
    await liftRestrictions(tx, userId, deps.clock.now());
    await forgetWrongCodes(tx, userId);
    await recordRestriction(tx, deps, by, userId, { restricted_until: [account.restricted_until, null] });
    await mailNotice(tx, deps, account, liftedNotice);
    return { lifted: account.restricted_until };
  });

const recordRestriction = (
  tx: Tx,
  deps: Deps,
  by: Operator,
  userId: UserId,
  information: Record<string, unknown>,
) =>
  record(tx, deps, by, {
    module: MODULE.profile,
    type: ACTIVITY_TYPE.signIn,
    action: ACTION.change,
    recordId: userId,
    information,
  });

/**
 * Cancels somebody's deletion, above all for whom no mailed link can: those without an address. An address they have is
 * told; one that waits for its proof gets its link anew, for else it may be that nothing signs them in.
 */
export const restoreAccountOf = (deps: Deps, by: Operator, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    const account = await findAccountById(tx, userId, deps.clock.now());
    if (!account) return refuse('user_not_found');
    const wasDueAt = await cancelDeletion(tx, deps, account);
    if (!wasDueAt) return refuse('no_changes');
    await record(tx, deps, by, {
      module: MODULE.deleteAccount,
      type: ACTIVITY_TYPE.deleteAccount,
      action: ACTION.change,
      recordId: userId,
      information: { due_at: [wasDueAt, null] },
    });
    if (account.email === null) await askForMail(tx, deps, userId);
    return { wasDueAt };
  });

/** Makes an active member Super Admin, for an organization whose own can't be reached; they and the log are told. */
export const makeSuperAdmin = (deps: Deps, by: Operator, orgId: OrgId, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    const organization = await lockOrganization(tx, orgId);
    const member = await findMember(tx, orgId, userId);
    if (!organization) return refuse('org_not_found');
    if (!member) return refuse('user_not_found', noMember);
    if (member.status !== MEMBER_STATUS.active)
      return refuse('not_allowed', { details: 'Only an active member can become Super Admin.' });
    const account = await findAccountById(tx, userId, deps.clock.now());
    if (account?.deletion_due_at)
      return refuse('not_allowed', { details: 'Their account waits for its erasure: restore it first.' });
    const role = await findSuperAdminRole(tx, orgId);
    if (member.roleId === role.id) return refuse('no_changes');
    await updateMember(tx, member.id, { role_id: role.id });
    const row = {
      module: MODULE.organization,
      type: ACTIVITY_TYPE.invitedContact,
      action: ACTION.update,
      recordId: userId,
      information: { role: [member.role, role.name] },
    };
    await record(tx, deps, by, row, orgId);
    await tellOfRole(tx, deps, member, { orgId, organization: organization.name, role: role.name });
    return { organization: organization.name, was: member.role };
  });

/** Notes that all there is was copied out of the portal, and where to. */
export const recordCopy = (deps: Deps, by: Operator, file: string) =>
  transaction(deps.sql, (tx) =>
    record(tx, deps, by, {
      module: MODULE.recentActivity,
      type: ACTIVITY_TYPE.auditLog,
      action: ACTION.read,
      information: { backup: [null, file] },
    }),
  );

/**
 * What was open or waited when a backup was made may have been ended since, and a mail may have left: none of it comes
 * back. What is waiting besides mails the hourly sweeps find anew. Images without their file are left out.
 */
export async function settleRestored(deps: Deps, by: Operator, file: string) {
  const lost = 'folder' in deps.config.storage ? await listLostImages(deps) : [];
  return transaction(deps.sql, async (tx) => {
    const sessions = await closeAll(tx, deps.clock.now());
    await deleteImages(tx, lost);
    await record(tx, deps, by, {
      module: MODULE.recentActivity,
      type: ACTIVITY_TYPE.auditLog,
      action: ACTION.upload,
      information: { restore: [null, file], sessions: [sessions, 0], images: [lost.length, 0] },
    });
    return { lostImages: lost.length };
  });
}

/** Has failed jobs done once more, one or all; those whose time is over stay as they are. */
export const retryJobs = (deps: Deps, by: Operator, jobId?: number) =>
  transaction(deps.sql, async (tx) => {
    const retried = await retryFailed(tx, deps.clock, jobId);
    for (const { id, kind, failed_at: failedAt } of retried)
      await record(tx, deps, by, {
        module: MODULE.recentActivity,
        type: ACTIVITY_TYPE.auditLog,
        action: ACTION.change,
        recordId: id,
        information: { [kind]: [failedAt, null] },
      });
    return { retried: retried.map(({ id, kind }) => ({ id, kind })) };
  });
