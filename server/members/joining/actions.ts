import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { whyNot } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { maskEmail } from '#contract/mask.ts';
import { MEMBER_STATUS, type members } from '#contract/members.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { MemberId, SessionId, UserId } from '#contract/wire.ts';
import { mailAccountExists } from '#server/accounts/actions.ts';
import { findUserByEmail, lockUser, updateUser } from '#server/accounts/data.ts';
import { useToken } from '#server/accounts/tokens/data.ts';
import { fullName } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { nameOf } from '#server/members/actions.ts';
import { deleteMember, findMember, lockOrganization, lockPerson } from '#server/members/data.ts';
import { mailInvitation } from '#server/members/invitations/actions.ts';
import { hasCome } from '#server/members/invitations/data.ts';
import {
  activateMember,
  findInvitation,
  type Invitation,
  type InvitationKey,
  listWaiting,
} from '#server/members/joining/data.ts';
import { declinedMail } from '#server/members/joining/mail.ts';
import { gone, hasAccount, notYours, outOfDate, stateOf } from '#server/members/joining/rules.ts';
import { findCaller, findRole } from '#server/members/standing/data.ts';
import { hasSession } from '#server/sessions/data.ts';
import type { FirstPasswordDoor } from '#server/sign-in/recovery/actions.ts';

type Caller = { readonly userId: UserId; readonly sessionId: SessionId; readonly confirmed: boolean };

/**
 * Why an invitation does not stand: answered, sent anew, out of date, for an address that is no longer the person's, or
 * from somebody who could not give that role today.
 */
async function whyNotStanding(sql: Db, deps: Deps, invitation: Invitation) {
  const { orgId, invitedBy } = invitation;
  const waits = invitation.status === MEMBER_STATUS.invited && invitation.usedAt === null;
  if (!waits || invitation.subject !== invitation.email) return refuse('digest_invalid', gone);
  if (invitation.expiresAt <= deps.clock.now()) return refuse('digest_expired', outOfDate);
  const inviter = invitedBy === null ? undefined : await findCaller(sql, orgId, invitedBy);
  const role = await findRole(sql, orgId, invitation.roleId);
  const stands = inviter && role && !whyNot(inviter, { to: 'grant', power: role });
  return stands ? undefined : refuse('digest_invalid', gone);
}

/** An invitation under its organization's lock and the person's, as the one transaction that answers it sees it. */
async function lockInvitation(tx: Tx, key: InvitationKey) {
  const glimpse = await findInvitation(tx, key);
  if (!glimpse) return undefined;
  await lockOrganization(tx, glimpse.orgId);
  await lockPerson(tx, glimpse.userId);
  return findInvitation(tx, key);
}

const inviterOf = ({ first_name, last_name, inviterEmail }: Invitation) =>
  fullName({ first_name: first_name ?? '', last_name: last_name ?? '', email: inviterEmail });

/** What a mailed invitation says, to whoever holds its digest. */
export async function readInvitation(deps: Deps, digest: string, callerId: UserId | undefined) {
  const invitation = await findInvitation(deps.sql, { digest });
  if (!invitation) return refuse('digest_invalid', gone);
  const refused = await whyNotStanding(deps.sql, deps, invitation);
  if (refused) return refused;
  const { userId, organization, role, subject } = invitation;
  return {
    organization,
    role,
    invitedBy: inviterOf(invitation),
    email: callerId === userId ? subject : maskEmail(subject),
    state: stateOf({ userId, hasCome: await hasCome(deps.sql, userId) }, callerId),
  };
}

/** What waits for the person; nothing before they proved that the address is theirs. */
export async function listInvitations(deps: Deps, { userId, confirmed }: Omit<Caller, 'sessionId'>) {
  const waiting = confirmed ? await listWaiting(deps.sql, userId) : [];
  const standing = [];
  for (const invitation of waiting)
    if (!(await whyNotStanding(deps.sql, deps, invitation))) standing.push(invitation);
  return standing.map((invitation) => ({
    id: invitation.memberId,
    organization: invitation.organization,
    role: invitation.role,
    invitedBy: inviterOf(invitation),
    expires: invitation.expiresAt,
  }));
}

/**
 * Somebody has tried to sign up with an address that is taken. Who was only ever invited has no password to sign in
 * with, and may have lost the mail: they get their links anew, with the end they had. Everybody else has an account.
 */
export const answerTakenAddress = (deps: Deps, email: string, disclosed: boolean) =>
  transaction(deps.sql, async (tx) => {
    const person = await findUserByEmail(tx, email);
    if (!person) return;
    const waiting = (await hasCome(tx, person.id)) ? [] : await listWaiting(tx, person.id);
    // All organizations before the person, who is held with the first of them; in the order in which they are locked.
    for (const { orgId } of waiting.toSorted((a, b) => a.orgId - b.orgId)) await lockOrganization(tx, orgId);
    const mailed = [];
    for (const { memberId } of waiting) mailed.push(await mailAnew(tx, deps, memberId));
    if (!disclosed && !mailed.includes(true)) await mailAccountExists(tx, deps, email);
  });

/** Mails an invitation once more, if it stands. */
async function mailAnew(tx: Tx, deps: Deps, memberId: MemberId) {
  const invitation = await lockInvitation(tx, { memberId });
  if (!invitation || (await whyNotStanding(tx, deps, invitation))) return false;
  const { organization, role, userId, subject, expiresAt } = invitation;
  const mailed = { organization, role, member: { id: memberId, userId }, email: subject };
  await mailInvitation(tx, deps, { fullName: inviterOf(invitation) }, mailed, expiresAt);
  return true;
}

/** Joins or declines; only the invited person can, signed in and with the invited address confirmed. */
export async function answerInvitation(deps: Deps, caller: Caller, input: Input<typeof members.answer>) {
  const { digest, id, accept } = input;
  if ((digest === undefined) === (id === undefined))
    return refuse('invalid_input', { fields: { digest: fieldText.required } });
  return transaction(deps.sql, async (tx) => {
    const key = digest === undefined ? { memberId: id as NonNullable<typeof id> } : { digest };
    const invitation = await lockInvitation(tx, key);
    // What ended the session meanwhile, a deletion for instance, ends this too.
    if (!(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    const isTheirs = invitation?.userId === caller.userId;
    if (!invitation || (!isTheirs && digest === undefined))
      return refuse(digest === undefined ? 'not_found' : 'digest_invalid', gone);
    if (!isTheirs) return refuse('not_allowed', notYours);
    if (!caller.confirmed) return refuse('account_not_confirmed');
    const refused = await whyNotStanding(tx, deps, invitation);
    if (refused) return refused;
    return accept ? join(tx, deps, invitation) : decline(tx, deps, invitation);
  });
}

async function join(tx: Tx, deps: Deps, invitation: Invitation) {
  await useToken(tx, invitation.tokenId, deps.clock.now());
  await activateMember(tx, invitation.memberId, invitation.userId);
  await takeNames(tx, deps, invitation);
  await recordAnswer(tx, deps, invitation, MEMBER_STATUS.active);
  await tellInviter(tx, deps, invitation, true);
  return { urlName: invitation.urlName };
}

/** Who has no name yet takes the one they join under; it is theirs to change. */
async function takeNames(tx: Tx, deps: Deps, { orgId, userId }: Invitation) {
  const before = await lockUser(tx, userId);
  const member = await findMember(tx, orgId, userId);
  if (!member || before.first_name !== '' || before.last_name !== '') return;
  const names = {
    first_name: member.firstName,
    last_name: member.lastName,
    designation: before.designation || member.designation,
  };
  await updateUser(tx, userId, names);
  await recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.profile,
    type: ACTIVITY_TYPE.profileInformation,
    action: ACTION.update,
    recordId: userId,
    information: changes(before, names),
  });
}

/** The membership goes, its link with it, and whoever invited is told. */
async function decline(tx: Tx, deps: Deps, invitation: Invitation) {
  await deleteMember(tx, { id: invitation.memberId, userId: invitation.userId });
  await recordAnswer(tx, deps, invitation, null);
  await tellInviter(tx, deps, invitation, false);
  const { inviterEmail, organization } = invitation;
  if (inviterEmail !== null)
    await queueMail(tx, deps, {
      to: inviterEmail,
      content: declinedMail(organization, invitedName(invitation)),
    });
  return {};
}

/** Whom the inviter has invited, as they wrote it. */
const invitedName = ({ firstName, lastName, subject: email }: Invitation) =>
  fullName({ first_name: firstName, last_name: lastName, email });

async function tellInviter(tx: Tx, deps: Deps, invitation: Invitation, accepted: boolean) {
  const { orgId, organization, invitedBy, userId: aboutId } = invitation;
  if (invitedBy === null) return;
  const details = { name: invitedName(invitation), organization, accepted: accepted ? 'yes' : 'no' };
  await notify(tx, deps, invitedBy, { kind: 'invitation_answered', orgId, aboutId, details });
}

const recordAnswer = (
  tx: Tx,
  deps: Deps,
  { orgId, userId, role, firstName, lastName, subject: email }: Invitation,
  status: typeof MEMBER_STATUS.active | null,
) =>
  recordActivity(tx, deps, {
    orgId,
    userId,
    module: MODULE.organization,
    type: ACTIVITY_TYPE.invitationAnswer,
    action: status === null ? ACTION.delete : ACTION.create,
    recordId: userId,
    information: {
      status: [MEMBER_STATUS.invited, status],
      role,
      ...(status === null && { name: [nameOf({ firstName, lastName, email }), null] }),
    },
  });

/** The invitation as the way to a first password: for people who have never come, and joining at the same time. */
export const firstPasswordDoor = (deps: Deps): FirstPasswordDoor => ({
  async open(digest) {
    const invitation = await findInvitation(deps.sql, { digest });
    if (!invitation) return undefined;
    const refused = await whyNotFirst(deps.sql, deps, invitation);
    return refused ?? invitation.userId;
  },
  async use(tx, digest) {
    const invitation = await lockInvitation(tx, { digest });
    if (!invitation) return refuse('digest_invalid', gone);
    const refused = await whyNotFirst(tx, deps, invitation);
    if (!refused) await join(tx, deps, invitation);
    return refused;
  },
});

async function whyNotFirst(sql: Db, deps: Deps, invitation: Invitation) {
  const refused = await whyNotStanding(sql, deps, invitation);
  if (refused) return refused;
  return (await hasCome(sql, invitation.userId)) ? refuse('digest_invalid', hasAccount) : undefined;
}
