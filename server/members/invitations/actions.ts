import { ACTION } from '#contract/activity.ts';
import { whyNot } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { INVITATION_DAYS } from '#contract/limits.ts';
import { MEMBER_STATUS, type members } from '#contract/members.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import { findOrInsertUser } from '#server/accounts/data.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { adminUnderLock, hasSeat, recordChange, type Scope } from '#server/members/actions.ts';
import { findMember, getMember } from '#server/members/data.ts';
import { hasCome, insertInvited, prolongInvitation } from '#server/members/invitations/data.ts';
import { invitationMail } from '#server/members/invitations/mail.ts';
import { hasJoined, noMember } from '#server/members/rules.ts';
import { findRole } from '#server/members/standing/data.ts';

type Inviter = { readonly fullName: string; readonly confirmed: boolean };
type Mailed = {
  readonly organization: string;
  readonly role: string;
  readonly member: { readonly id: MemberId; readonly userId: UserId };
  readonly email: string;
};

const newExpiry = (deps: Deps) => fromNow(deps.clock, INVITATION_DAYS * DAY_MS);

/** Counted before anything is looked up: by who sends, and by who would get them all. */
const countMail = async ({ limiter }: Deps, by: UserId, to: string) => {
  const tooMany = await limiter.takeInTurn([
    ['invitationMailsHour', String(by)],
    ['invitationMailsToAddressDay', to],
  ]);
  return tooMany?.refusal;
};

/** Mails the link of an invitation; the one before no longer serves. `until` keeps its end where it is. */
export async function mailInvitation(
  tx: Tx,
  deps: Deps,
  inviter: Pick<Inviter, 'fullName'>,
  { member, email, ...words }: Mailed,
  until = newExpiry(deps),
) {
  const lifeMs = until.getTime() - deps.clock.now().getTime();
  const { seed, expiresAt } = await issueToken(tx, deps, {
    purpose: 'invitation',
    userId: member.userId,
    subject: email,
    lifeMs,
    memberId: member.id,
  });
  const days = Math.ceil(lifeMs / DAY_MS);
  const said = { ...words, inviter: inviter.fullName, hasCome: await hasCome(tx, member.userId), days };
  const content = invitationMail(deps.config.publicUrl, said);
  await queueMail(tx, deps, { to: email, content, digest: seed, expiresAt });
  await notify(tx, deps, member.userId, { kind: 'invitation', memberId: member.id });
}

/** Invites somebody by mail; an invitation that ran out is sent anew, as this one says. */
export async function inviteMember(
  deps: Deps,
  scope: Scope,
  inviter: Inviter,
  input: Input<typeof members.invite>,
) {
  if (!inviter.confirmed) return refuse('account_not_confirmed');
  const email = emailOrRefusal(input.email, 'email_id');
  if (email instanceof Refusal) return email;
  const tooMany = await countMail(deps, scope.userId, email);
  if (tooMany) return tooMany;

  return transaction(deps.sql, async (tx) => {
    const { orgId, userId: invitedBy } = scope;
    const now = deps.clock.now();
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const role = await findRole(tx, orgId, input.roleId);
    if (!role) return refuse('role_not_found');
    const refused = whyNot(caller, { to: 'grant', power: role });
    if (refused) return refuse(refused);

    const { firstName, lastName = '', designation = '' } = input;
    const person = { email, firstName, lastName, country: null, timeZone: null, createdAt: now };
    const userId = await findOrInsertUser(tx, person);
    const before = await findMember(tx, orgId, userId);
    const ranOut = before?.status === MEMBER_STATUS.invited && (before.invitationExpires ?? now) <= now;
    if (before && !ranOut) return refuse('user_present_in_org');
    if (before && whyNot(caller, { to: 'assign', target: before, power: role })) return refuse('not_allowed');
    if (!before && !(await hasSeat(tx, deps, orgId))) return refuse('sign_max_users_reached');

    const said = { orgId, userId, roleId: role.id, firstName, lastName, designation, invitedBy, now };
    const id = await insertInvited(tx, { ...said, expiresAt: newExpiry(deps) });
    const mailed = { organization: caller.organization, role: role.name, member: { id, userId }, email };
    await mailInvitation(tx, deps, inviter, mailed);
    const information = changes(
      {
        email: before?.email ?? null,
        first_name: before?.firstName ?? null,
        last_name: before?.lastName ?? null,
        designation: before?.designation ?? null,
        role: before?.role ?? null,
      },
      { email, first_name: firstName, last_name: lastName, designation, role: role.name },
    );
    await recordChange(tx, deps, scope, { of: { userId }, action: ACTION.invite, information });
    return getMember(tx, orgId, userId);
  });
}

/** Mails an invitation again with a new link, for another seven days and in the caller's name. */
export async function resendInvitation(deps: Deps, scope: Scope, inviter: Inviter, userId: UserId) {
  if (!inviter.confirmed) return refuse('account_not_confirmed');
  const known = await findMember(deps.sql, scope.orgId, userId);
  if (!known || known.email === null) return refuse('user_not_found', noMember);
  const tooMany = await countMail(deps, scope.userId, known.email);
  if (tooMany) return tooMany;

  return transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const caller = await adminUnderLock(tx, scope);
    if (caller instanceof Refusal) return caller;
    const member = await findMember(tx, orgId, userId);
    const role = member && (await findRole(tx, orgId, member.roleId));
    if (!role || member.email === null) return refuse('user_not_found', noMember);
    if (member.status !== MEMBER_STATUS.invited) return refuse('not_allowed', hasJoined);
    const refused = whyNot(caller, { to: 'grant', power: role });
    if (refused) return refuse(refused);

    const expiresAt = newExpiry(deps);
    await prolongInvitation(tx, member.id, scope.userId, expiresAt);
    const mailed = { organization: caller.organization, role: role.name, member, email: member.email };
    await mailInvitation(tx, deps, inviter, mailed);
    const information = { invitation_expires: [member.invitationExpires, expiresAt] };
    await recordChange(tx, deps, scope, { of: member, action: ACTION.invite, information });
    return getMember(tx, orgId, userId);
  });
}
