// Invited people read and answer their invitations here, or get lost links again.
import { whyNot } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { MEMBER_STATUS, type members } from '#contract/members/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import { activityValuesText } from '#words/activity-values.ts';
import { fieldText } from '#words/field.ts';
import type { MemberId, SessionId, UserId } from '#contract/wire.ts';
import { mailAccountExists } from '#server/accounts/actions.ts';
import { confirmUser, findUserByEmail, lockProfile, updateUser } from '#server/accounts/data.ts';
import { countFirstMail } from '#server/accounts/mailboxes/limits.ts';
import { voidInvitation } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { afterCommit, type Db, type Tx, transaction } from '#server/db/connect.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import type { Deps } from '#server/deps.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { findMember, lockOrganization } from '#server/members/data.ts';
import { endMembership } from '#server/members/ending/membership.ts';
import { mailInvitation } from '#server/members/invitations/actions.ts';
import { hasOpenedAccount } from '#server/members/invitations/data.ts';
import { activateMember, findInvitation, type Invitation, type InvitationKey, listPending } from './data.ts';
import { declinedMail } from './mail.ts';
import {
  invitationGone,
  hasAccount,
  linkNeeded,
  needsLink,
  notYours,
  invitationExpired,
  stateOf,
} from './rules.ts';
import { findCaller, findRole } from '#server/members/standing/data.ts';
import { hasSession } from '#server/sessions/data.ts';
import type { Session } from '#contract/access/facts.ts';
import type { FirstPasswordPort } from '#server/sign-in/recovery/actions.ts';

type InvitationReader = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly confirmed: boolean;
};

/** Answered, sent again, expired, of an address the person has lost, or of a role its inviter could not give today. */
async function whyInvalid(sql: Db, deps: Deps, invitation: Invitation) {
  const { orgId, invitedBy, isOfDirectory } = invitation;
  const isPending = invitation.status === MEMBER_STATUS.invited && invitation.usedAt === null;
  if (!isPending || invitation.subject !== invitation.email) return refuse('digest_invalid', invitationGone);
  if (invitation.expiresAt <= deps.clock.now()) return refuse('digest_expired', invitationExpired);
  const inviter = invitedBy === null ? undefined : await findCaller(sql, orgId, invitedBy);
  const role = await findRole(sql, orgId, invitation.roleId);
  // A company directory may give every role but Super Admin.
  const mayGrant = isOfDirectory
    ? role && role.rank !== 'superAdmin'
    : inviter && role && !whyNot(inviter, { to: 'grant', power: role });
  return mayGrant ? undefined : refuse('digest_invalid', invitationGone);
}

/** Locks an invitation's organization and person, then reads the invitation. */
async function lockInvitation(tx: Tx, key: InvitationKey) {
  const unlocked = await findInvitation(tx, key);
  if (!unlocked) return undefined;
  await lockOrganization(tx, unlocked.orgId);
  await lockUser(tx, unlocked.userId);
  return findInvitation(tx, key);
}

const inviterOf = ({ invitedBy, isOfDirectory, first_name, last_name, inviterEmail }: Invitation) =>
  isOfDirectory && invitedBy === null
    ? activityValuesText.directory
    : personName(first_name ?? '', last_name ?? '', inviterEmail);

export async function readInvitation(deps: Deps, digest: string, callerId: UserId | undefined) {
  const invitation = await findInvitation(deps.sql, { digest });
  if (!invitation) return refuse('digest_invalid', invitationGone);
  const refusal = await whyInvalid(deps.sql, deps, invitation);
  if (refusal) return refusal;
  const { userId, organization, role, subject } = invitation;
  return {
    organization,
    role,
    invitedBy: inviterOf(invitation),
    email: callerId === userId ? subject : maskEmail(subject),
    state: stateOf({ userId, hasOpenedAccount: await hasOpenedAccount(deps.sql, userId) }, callerId),
  };
}

export async function listInvitations(
  deps: Deps,
  { userId, confirmed }: Omit<InvitationReader, 'sessionId'>,
) {
  const invitations = confirmed ? await listPending(deps.sql, userId) : [];
  const valid = [];
  for (const invitation of invitations)
    if (!(await whyInvalid(deps.sql, deps, invitation))) valid.push(invitation);
  return valid.map((invitation) => ({
    id: invitation.memberId,
    organization: invitation.organization,
    role: invitation.role,
    invitedBy: inviterOf(invitation),
    expires: invitation.expiresAt,
    ...(needsLink(invitation) && { linkNeeded: true }),
  }));
}

/** An invited person may have lost the mail, so they get their links again, with the same expiry, within the limits. */
export async function answerTakenAddress(deps: Deps, email: string, by: string, disclosed: boolean) {
  const allowedMails = await countAllowedMails(deps, email, by);
  await transaction(deps.sql, async (tx) => {
    const person = await findUserByEmail(tx, email);
    if (!person) return;
    const isNew = !(await hasOpenedAccount(tx, person.id));
    // Only people who have never opened their account get them again.
    const invitations = isNew ? (await listPending(tx, person.id)).slice(0, allowedMails) : [];
    const isMailed = await mailPending(tx, deps, invitations);
    if (!disclosed && !isMailed) await mailAccountExists(tx, deps, person.id, email);
  });
}

/** How many invitations may be mailed again. Limits count before the transaction, like for all first mails. */
async function countAllowedMails(deps: Deps, email: string, by: string) {
  const person = await findUserByEmail(deps.sql, email);
  if (!person || (await hasOpenedAccount(deps.sql, person.id))) return 0;
  const { length } = await listPending(deps.sql, person.id);
  for (let mails = 0; mails < length; mails += 1) if (await countFirstMail(deps, email, by)) return mails;
  return length;
}

/** Mails invitations again, with the same expiry; returns whether one still holds. */
export async function mailPending(tx: Tx, deps: Deps, invitations: readonly Invitation[]) {
  // Lock all organizations in order first, because the first invitation below also locks the person.
  for (const { orgId } of invitations.toSorted((a, b) => a.orgId - b.orgId))
    await lockOrganization(tx, orgId);
  let isMailed = false;
  for (const { memberId } of invitations) if (await mailAgain(tx, deps, memberId)) isMailed = true;
  return isMailed;
}

async function mailAgain(tx: Tx, deps: Deps, memberId: MemberId) {
  const invitation = await lockInvitation(tx, { memberId });
  if (!invitation || (await whyInvalid(tx, deps, invitation))) return false;
  const { organization, role, language, userId, subject, expiresAt } = invitation;
  const words = { organization, role, language, email: subject };
  const isOpened = await hasOpenedAccount(tx, userId);
  const mail = { ...words, hasOpenedAccount: isOpened, member: { id: memberId, userId } };
  await mailInvitation(tx, deps, { fullName: inviterOf(invitation) }, mail, expiresAt);
  return true;
}

/** Joins or declines. Only for the invited person, with a confirmed address. */
export async function answerInvitation(
  deps: Deps,
  caller: InvitationReader & Pick<Session, 'proven' | 'entered'>,
  input: Input<typeof members.answer>,
) {
  const { digest, id, accept } = input;
  if ((digest === undefined) === (id === undefined))
    return refuse('invalid_input', { fields: { digest: fieldText.required } });
  return transaction(deps.sql, async (tx) => {
    const key = digest === undefined ? { memberId: id as NonNullable<typeof id> } : { digest };
    const invitation = await lockInvitation(tx, key);
    // The session may have ended while this call waited for the locks.
    if (!(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    const isTheirs = invitation?.userId === caller.userId;
    if (!invitation || (!isTheirs && digest === undefined))
      return refuse(digest === undefined ? 'not_found' : 'digest_invalid', invitationGone);
    if (!isTheirs) return refuse('not_allowed', notYours);
    if (!caller.confirmed) return refuse('account_not_confirmed');
    // A company speaks for the person in its own organization only.
    if (caller.proven !== 'account' && !caller.entered.includes(invitation.orgId))
      return refuse('reauthentication_required');
    const refusal = await whyInvalid(tx, deps, invitation);
    if (refusal) return refusal;
    if (accept && digest === undefined && needsLink(invitation)) return refuse('not_allowed', linkNeeded);
    if (digest !== undefined) await confirmUser(tx, invitation.userId, invitation.mailedAt);
    return accept ? join(tx, deps, invitation) : decline(tx, deps, invitation);
  });
}

/** A company's provider vouches for the invited person, who joins. False if the invitation is no longer valid. */
export async function acceptInvitation(tx: Tx, deps: Deps, memberId: MemberId): Promise<boolean> {
  const invitation = await findInvitation(tx, { memberId });
  if (!invitation || (await whyInvalid(tx, deps, invitation))) return false;
  await join(tx, deps, invitation);
  return true;
}

async function join(tx: Tx, deps: Deps, invitation: Invitation) {
  const { memberId, orgId, userId, role, invitedBy } = invitation;
  await voidInvitation(tx, memberId, deps.clock.now());
  await activateMember(tx, memberId, userId);
  await takeNames(tx, deps, invitation);
  await recordActivity(tx, deps, 'organization.invitationAnswer.create', {
    orgId,
    userId,
    recordId: userId,
    information: { status: [MEMBER_STATUS.invited, MEMBER_STATUS.active], role },
  });
  await tellInviter(tx, deps, invitation, true);
  if (invitedBy !== null) afterCommit(tx, () => giveBackInvitation(deps, invitedBy));
  return { urlName: invitation.urlName };
}

/** An accepted invitation was no abuse, so its inviter may send another. */
const giveBackInvitation = ({ limiter, log }: Deps, invitedBy: UserId) =>
  void limiter.giveBack([['invitationMailsHour', String(invitedBy)]]).catch((error: unknown) => {
    log.warn({ reason: reasonOf(error) }, 'an accepted invitation still counts');
  });

/** A person without a name of their own takes the names of the membership. */
async function takeNames(tx: Tx, deps: Deps, { orgId, userId }: Invitation) {
  const before = await lockProfile(tx, userId);
  const member = await findMember(tx, orgId, userId);
  if (!member || before.first_name !== '' || before.last_name !== '') return;
  const names = {
    first_name: member.firstName,
    last_name: member.lastName,
    designation: before.designation || member.designation,
  };
  await updateUser(tx, userId, names);
  await recordActivity(tx, deps, 'person.profileInformation.update', {
    userId,
    recordId: userId,
    information: changes(before, names),
  });
}

async function decline(tx: Tx, deps: Deps, invitation: Invitation) {
  const { memberId: id, orgId, userId, subject: email } = invitation;
  await endMembership(tx, deps, 'declined', { ...invitation, id, email }, { orgId, by: userId });
  await tellInviter(tx, deps, invitation, false);
  const { invitedBy, inviterEmail, organization } = invitation;
  if (invitedBy !== null && inviterEmail !== null)
    await queueMail(tx, deps, {
      userId: invitedBy,
      to: inviterEmail,
      content: declinedMail(organization, invitedName(invitation)),
    });
  return {};
}

/** The invited person's name, as the inviter wrote it. */
const invitedName = ({ firstName, lastName, subject }: Invitation) =>
  personName(firstName, lastName, subject);

async function tellInviter(tx: Tx, deps: Deps, invitation: Invitation, accepted: boolean) {
  const { orgId, organization, invitedBy, userId: aboutId } = invitation;
  if (invitedBy === null) return;
  const details = { name: invitedName(invitation), organization, accepted: accepted ? 'yes' : 'no' };
  await notify(tx, deps, invitedBy, { kind: 'invitation_answered', orgId, aboutId, details });
}

/** With an invitation, a person who never opened their account sets a first password and joins. */
export const firstPasswordPort = (deps: Deps): FirstPasswordPort => ({
  async open(digest) {
    const invitation = await findInvitation(deps.sql, { digest });
    if (!invitation) return undefined;
    const refusal = await whyNoFirstPassword(deps.sql, deps, invitation);
    const { userId, mailedAt: provenAt } = invitation;
    return refusal ?? { userId, provenAt };
  },
  async use(tx, digest) {
    const invitation = await lockInvitation(tx, { digest });
    if (!invitation) return refuse('digest_invalid', invitationGone);
    const refusal = await whyNoFirstPassword(tx, deps, invitation);
    if (!refusal) await join(tx, deps, invitation);
    return refusal;
  },
});

async function whyNoFirstPassword(sql: Db, deps: Deps, invitation: Invitation) {
  const refusal = await whyInvalid(sql, deps, invitation);
  if (refusal) return refusal;
  return (await hasOpenedAccount(sql, invitation.userId)) ? refuse('digest_invalid', hasAccount) : undefined;
}
