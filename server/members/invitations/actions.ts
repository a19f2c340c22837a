import { whyNot } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { INVITATION_DAYS } from '#contract/limits.ts';
import { MEMBER_STATUS, type members } from '#contract/members/calls.ts';
import type { MemberId, OrgId, UserId } from '#contract/wire.ts';
import { findHolder, moveInvitation } from '#server/accounts/addresses/data.ts';
import { findOrInsertUser, findUser } from '#server/accounts/data.ts';
import { firstMail, mailboxFull } from '#server/accounts/mailboxes/limits.ts';
import { emailOrRefusal, refuseUnoffered } from '#server/accounts/rules.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { languageNow } from '#server/language.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { adminUnderLock, hasSeat, type OrgActor } from '#server/members/actions.ts';
import { findHold } from '#server/members/data-company.ts';
import {
  findMember,
  findMemberOrInvited,
  findShownMember,
  getMember,
  toMember,
} from '#server/members/data.ts';
import { upsertInvitation, prolongInvitation } from './data.ts';
import { invitationMail } from './mail.ts';
import { wordsInColumns, hasJoined, detailsOfRole, noMember, allWordsOf } from '#server/members/rules.ts';
import { findRole } from '#server/members/standing/data.ts';
import { currentOrigin } from '#server/origin.ts';

type Inviter = { readonly fullName: string; readonly confirmed: boolean };
type InvitationMail = {
  readonly organization: string;
  readonly role: string;
  readonly member: { readonly id: MemberId; readonly userId: UserId };
  readonly email: string;
  readonly hasOpenedAccount: boolean;
  readonly language: string | null;
};

const newExpiry = (deps: Deps) => fromNow(deps.clock, INVITATION_DAYS * DAY_MS);

/** Before the transaction. First mails spare confirmed addresses, unless the refusal would disclose an unconfirmed one. */
async function countMail(deps: Deps, { orgId, userId }: OrgActor, to: string) {
  const firstMailLimits = firstMail(to, `organization ${orgId}`);
  const reached = await deps.limiter.takeInTurn([
    ['invitationMailsHour', String(userId), ipPrefix(currentOrigin()?.ipAddress ?? '')],
    ['invitationMailsDay', `${orgId} ${to}`],
    ['invitationMailsToAddressDay', to],
    ...firstMailLimits,
  ]);
  if (!reached || reached.empty === 'invitationMailsHour') return reached?.refusal;
  const isFirst = firstMailLimits.some(([name]) => name === reached.empty);
  const isProven = deps.config.disclosure !== 'neutral' && (await findHolder(deps.sql, to))?.confirmed_at;
  return isFirst && isProven ? undefined : mailboxFull(reached.refusal);
}

/** Earlier links stop working, except with `until`: a stranger's sign-up causes such a mail and must not end a link. */
export async function mailInvitation(
  tx: Tx,
  deps: Deps,
  inviter: Pick<Inviter, 'fullName'>,
  { member, email, language, ...words }: InvitationMail,
  until?: Date,
) {
  const lifeMs = (until ?? newExpiry(deps)).getTime() - deps.clock.now().getTime();
  const { seed, expiresAt } = await issueToken(tx, deps, {
    purpose: 'invitation',
    userId: member.userId,
    subject: email,
    lifeMs,
    memberId: member.id,
    ...(until && { alongside: true }),
  });
  const days = Math.ceil(lifeMs / DAY_MS);
  const content = invitationMail(deps.config.publicUrl, { ...words, inviter: inviter.fullName, days });
  await queueMail(tx, deps, { userId: member.userId, to: email, language, content, digest: seed, expiresAt });
  await notify(tx, deps, member.userId, { kind: 'invitation', memberId: member.id });
}

type NewPerson = { readonly email: string; readonly firstName: string; readonly lastName: string };
const newUserOf = ({ email, firstName, lastName }: NewPerson, now: Date) => ({
  email,
  first_name: firstName,
  last_name: lastName,
  created_at: now,
});

export async function inviteMember(
  deps: Deps,
  scope: OrgActor,
  inviter: Inviter,
  input: Input<typeof members.invite>,
) {
  if (!inviter.confirmed) return refuse('account_not_confirmed');
  const email = emailOrRefusal(input.email, 'email_id');
  if (email instanceof Refusal) return email;
  const unknown = input.language && refuseUnoffered(deps.config.languages, input.language);
  if (unknown) return unknown;
  const tooMany = await countMail(deps, scope, email);
  if (tooMany) return tooMany;

  return transaction(deps.sql, async (tx) => {
    const { orgId, userId: invitedBy } = scope;
    const now = deps.clock.now();
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const role = await findRole(tx, orgId, input.roleId);
    if (!role) return refuse('role_not_found');
    const reason = whyNot(caller, { to: 'grant', power: role });
    if (reason) return refuse(reason, detailsOfRole(caller, role));

    const words = allWordsOf(input);
    const userId = await findOrInsertUser(tx, newUserOf({ email, ...words }, now));
    const before = await findMemberOrInvited(tx, orgId, userId, email);
    // An invitation of a person who has left this address passes to the person who has the address now.
    const changesHands = before !== undefined && before.userId !== userId;
    if (changesHands) await moveInvitation(tx, before.id, userId);
    const expires = before?.invitationExpires ?? null;
    const isExpired = expires !== null && expires <= now;
    const isManaged = before && (await findHold(tx, before.id));
    if (before && ((!changesHands && !isExpired) || isManaged)) return refuse('user_present_in_org');
    if (before && whyNot(caller, { to: 'assign', target: before, power: role })) return refuse('not_allowed');
    if (!before && !(await hasSeat(tx, deps, orgId))) return refuse('sign_max_users_reached');

    const language = input.language ?? caller.language ?? languageNow();
    const expiresAt = newExpiry(deps);
    const { id, ...person } = await upsertInvitation(tx, {
      org_id: orgId,
      user_id: userId,
      role_id: role.id,
      ...wordsInColumns(words),
      invited_by: invitedBy,
      invitation_expires_at: expiresAt,
      invitation_language: language,
      created_at: now,
    });
    const member = { id, userId };
    const mail = { organization: caller.organization, role: role.name, member, email };
    await mailInvitation(tx, deps, inviter, { ...mail, ...person });
    const information = changes(
      before ? { email: before.email, ...wordsInColumns(before), role: before.role } : {},
      { email, ...wordsInColumns(words), role: role.name },
    );
    await recordActivity(tx, deps, 'organization.invitedContact.invite', {
      ...scope,
      recordId: userId,
      information,
    });
    const shown = { ...words, status: MEMBER_STATUS.invited, roleId: role.id, role: role.name };
    return toMember({ ...member, ...shown, email, expires: expiresAt.toISOString(), hold: null });
  });
}

export async function resendInvitation(deps: Deps, scope: OrgActor, inviter: Inviter, shownId: UserId) {
  if (!inviter.confirmed) return refuse('account_not_confirmed');
  const invitee = await findShownMember(deps.sql, scope.orgId, shownId);
  if (!invitee || invitee.email === null) return refuse('user_not_found', noMember);
  const tooMany = await countMail(deps, scope, invitee.email);
  if (tooMany) return tooMany;

  return transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const member = await findShownMember(tx, orgId, shownId);
    const role = member && (await findRole(tx, orgId, member.roleId));
    const email = member?.email ?? null;
    if (!role || email === null) return refuse('user_not_found', noMember);
    if (member.status !== MEMBER_STATUS.invited) return refuse('not_allowed', hasJoined);
    const reason = whyNot(caller, { to: 'grant', power: role });
    if (reason) return refuse(reason);

    // The invitation of a company directory has no end; only its new link has.
    const expiresAt = member.invitationExpires && newExpiry(deps);
    const userId = await findInviteeId(tx, deps, orgId, { ...member, email });
    if (userId instanceof Refusal) return userId;
    const { id } = member;
    const prolonged = await prolongInvitation(tx, id, scope.userId, expiresAt);
    const mail = { organization: caller.organization, role: role.name, member: { id, userId }, email };
    await mailInvitation(tx, deps, inviter, { ...mail, ...prolonged });
    const information = { invitation_expires: [member.invitationExpires, expiresAt] };
    await recordActivity(tx, deps, 'organization.invitedContact.invite', {
      ...scope,
      recordId: userId,
      information,
    });
    return getMember(tx, orgId, userId);
  });
}

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/** The account that an invitation is for: the invited one, or the one that has the address by now. */
async function findInviteeId(tx: Tx, deps: Deps, orgId: OrgId, member: Member & { readonly email: string }) {
  const { id, userId, email } = member;
  if ((await findUser(tx, userId))?.email === email) return userId;
  const ownerId = await findOrInsertUser(tx, newUserOf(member, deps.clock.now()));
  if (ownerId === userId) return userId;
  if (await findMember(tx, orgId, ownerId)) return refuse('user_present_in_org');
  await moveInvitation(tx, id, ownerId);
  return ownerId;
}
