import { ACTION } from '#contract/activity.ts';
import { whyNot } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { INVITATION_DAYS } from '#contract/limits.ts';
import { MEMBER_STATUS, type members } from '#contract/members.ts';
import type { MemberId, OrgId, UserId } from '#contract/wire.ts';
import { findHolder, moveInvitation } from '#server/accounts/addresses/data.ts';
import { findOrInsertUser, findUser } from '#server/accounts/data.ts';
import { firstMail, mailboxFull } from '#server/accounts/mailboxes/actions.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { adminUnderLock, hasSeat, recordChange, type Scope } from '#server/members/actions.ts';
import { findMember, findNamedMember, getMember } from '#server/members/data.ts';
import {
  findKnown,
  hasOpenedAccount,
  insertInvited,
  prolongInvitation,
} from '#server/members/invitations/data.ts';
import { invitationMail } from '#server/members/invitations/mail.ts';
import { columnsOf, hasJoined, lackingFor, noMember } from '#server/members/rules.ts';
import { findRole } from '#server/members/standing/data.ts';

type Inviter = { readonly fullName: string; readonly confirmed: boolean };
type Mailed = {
  readonly organization: string;
  readonly role: string;
  readonly member: { readonly id: MemberId; readonly userId: UserId };
  readonly email: string;
};

const newExpiry = (deps: Deps) => fromNow(deps.clock, INVITATION_DAYS * DAY_MS);

/**
 * Counts a mail before the transaction: by sender, by organization and address, by address alone, and as a
 * first mail. The limit of first mails applies only to unconfirmed addresses. On a portal that discloses no
 * accounts it applies to all addresses, because its refusal would otherwise disclose them.
 */
async function countMail(deps: Deps, { orgId, userId }: Scope, to: string) {
  const first = firstMail(to, `organization ${orgId}`);
  const spent = await deps.limiter.takeInTurn([
    ['invitationMailsHour', String(userId)],
    ['invitationMailsDay', `${orgId} ${to}`],
    ['invitationMailsToAddressDay', to],
    ...first,
  ]);
  if (!spent || spent.empty === 'invitationMailsHour') return spent?.refusal;
  const isFirst = first.some(([name]) => name === spent.empty);
  const isProven = deps.config.disclosure !== 'neutral' && (await findHolder(deps.sql, to))?.confirmed_at;
  return isFirst && isProven ? undefined : mailboxFull(spent.refusal);
}

/**
 * Mails the link of an invitation; earlier links stop working. A link with `until` is an exception and works
 * beside them, because a stranger's sign-up can cause it and must not end a link in the mailbox.
 */
export async function mailInvitation(
  tx: Tx,
  deps: Deps,
  inviter: Pick<Inviter, 'fullName'>,
  { member, email, ...words }: Mailed,
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
  const said = {
    ...words,
    inviter: inviter.fullName,
    hasOpenedAccount: await hasOpenedAccount(tx, member.userId),
    days,
  };
  const content = invitationMail(deps.config.publicUrl, said);
  await queueMail(tx, deps, { userId: member.userId, to: email, content, digest: seed, expiresAt });
  await notify(tx, deps, member.userId, { kind: 'invitation', memberId: member.id });
}

/** Invites a person by mail. An expired invitation is sent again with the new names and role. */
export async function inviteMember(
  deps: Deps,
  scope: Scope,
  inviter: Inviter,
  input: Input<typeof members.invite>,
) {
  if (!inviter.confirmed) return refuse('account_not_confirmed');
  const email = emailOrRefusal(input.email, 'email_id');
  if (email instanceof Refusal) return email;
  const tooMany = await countMail(deps, scope, email);
  if (tooMany) return tooMany;

  return transaction(deps.sql, async (tx) => {
    const { orgId, userId: invitedBy } = scope;
    const now = deps.clock.now();
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const role = await findRole(tx, orgId, input.roleId);
    if (!role) return refuse('role_not_found');
    const refused = whyNot(caller, { to: 'grant', power: role });
    if (refused) return refuse(refused, lackingFor(caller, role));

    const { firstName, lastName = '', designation = '' } = input;
    const words = { firstName, lastName, designation };
    const person = { email, firstName, lastName, country: null, timeZone: null, createdAt: now };
    const userId = await findOrInsertUser(tx, person);
    const known = await findKnown(tx, orgId, userId, email);
    // An invitation of a person who has left this address passes to the person who has the address now.
    const isLeft = known !== undefined && known.userId !== userId;
    if (isLeft) await moveInvitation(tx, known.id, userId);
    const before = known && (await findMember(tx, orgId, userId));
    const ranOut =
      isLeft || (before?.status === MEMBER_STATUS.invited && (before.invitationExpires ?? now) <= now);
    if (before && !ranOut) return refuse('user_present_in_org');
    if (before && whyNot(caller, { to: 'assign', target: before, power: role })) return refuse('not_allowed');
    if (!before && !(await hasSeat(tx, deps, orgId))) return refuse('sign_max_users_reached');

    const said = { orgId, userId, roleId: role.id, ...words, invitedBy, now };
    const id = await insertInvited(tx, { ...said, expiresAt: newExpiry(deps) });
    const mailed = { organization: caller.organization, role: role.name, member: { id, userId }, email };
    await mailInvitation(tx, deps, inviter, mailed);
    const information = changes(
      {
        ...(before && { email: before.email, ...columnsOf(before), role: before.role }),
      },
      { email, ...columnsOf(words), role: role.name },
    );
    await recordChange(tx, deps, scope, { of: { userId }, action: ACTION.invite, information });
    return getMember(tx, orgId, userId);
  });
}

/** Mails an invitation again with a new link, for another seven days and in the caller's name. */
export async function resendInvitation(deps: Deps, scope: Scope, inviter: Inviter, named: UserId) {
  if (!inviter.confirmed) return refuse('account_not_confirmed');
  const known = await findNamedMember(deps.sql, scope.orgId, named);
  if (!known || known.email === null) return refuse('user_not_found', noMember);
  const tooMany = await countMail(deps, scope, known.email);
  if (tooMany) return tooMany;

  return transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const member = await findNamedMember(tx, orgId, named);
    const role = member && (await findRole(tx, orgId, member.roleId));
    const email = member?.email ?? null;
    if (!role || email === null) return refuse('user_not_found', noMember);
    if (member.status !== MEMBER_STATUS.invited) return refuse('not_allowed', hasJoined);
    const refused = whyNot(caller, { to: 'grant', power: role });
    if (refused) return refuse(refused);

    const expiresAt = newExpiry(deps);
    const reader = await findReader(tx, deps, orgId, { ...member, email });
    if (reader instanceof Refusal) return reader;
    await prolongInvitation(tx, member.id, scope.userId, expiresAt);
    const invited = { id: member.id, userId: reader };
    const mailed = { organization: caller.organization, role: role.name, member: invited, email };
    await mailInvitation(tx, deps, inviter, mailed);
    const information = { invitation_expires: [member.invitationExpires, expiresAt] };
    await recordChange(tx, deps, scope, { of: { userId: reader }, action: ACTION.invite, information });
    return getMember(tx, orgId, reader);
  });
}

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;

/** The account an invitation is for today: the invited account, or the one that has the address now. */
async function findReader(tx: Tx, deps: Deps, orgId: OrgId, member: Member & { readonly email: string }) {
  const { id, userId, email, firstName, lastName } = member;
  if ((await findUser(tx, userId))?.email === email) return userId;
  const createdAt = deps.clock.now();
  const person = { email, firstName, lastName, country: null, timeZone: null, createdAt };
  const reader = await findOrInsertUser(tx, person);
  if (reader === userId) return userId;
  if (await findMember(tx, orgId, reader)) return refuse('user_present_in_org');
  await moveInvitation(tx, id, reader);
  return reader;
}
