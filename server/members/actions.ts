// Admins change and remove members here. The shared steps keep a Super Admin in the organization and tell the member.
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import { type Actor, whyNot } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import type { RuleText } from '#contract/rule-text.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { MEMBER_STATUS, type MemberStatus, type members } from '#contract/members/calls.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { fromNow } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import type { Deps } from '#server/deps.ts';
import { leaveLane } from '#server/jobs/data.ts';
import { enqueueUnlessWaiting } from '#server/jobs/enqueue.ts';
import { QUIET_MS } from '#server/jobs/quiet.ts';
import { type WriteMail, queueMail } from '#server/mail/outbox.ts';
import { findHold } from './data-company.ts';
import {
  countSeats,
  findMember,
  findShownUserId,
  findShownMember,
  getMember,
  hasOthers,
  lockOrganization,
  updateMember,
} from './data.ts';
import { endMembership } from '#server/members/ending/membership.ts';
import { removedMail, roleChangedMail, statusChangedMail } from './mail.ts';
import {
  detailsOfRole,
  hasChanged,
  isLocked,
  needsSeat,
  noMember,
  ofDirectory,
  type SomeWords,
  wordsInColumns,
} from './rules.ts';
import { findCaller, findRole, listTwoSuperAdmins } from '#server/members/standing/data.ts';

/** The organization and the caller, as the gate checked them. */
export type OrgCaller = { readonly orgId: OrgId; readonly userId: UserId };
export type OrgActor = Actor & OrgCaller;

/** Call it before each end of a membership and each change of role or status. Locks the organization. */
export async function keepASuperAdmin(
  tx: Tx,
  orgId: OrgId,
  without: UserId,
  { mayDeleteOrganization = false }: { mayDeleteOrganization?: boolean } = {},
) {
  await lockOrganization(tx, orgId);
  const superAdmins = await listTwoSuperAdmins(tx, orgId);
  const isLast = superAdmins.length === 1 && superAdmins[0] === without;
  if (!isLast || (mayDeleteOrganization && !(await hasOthers(tx, orgId, without)))) return undefined;
  return refuse('last_super_admin');
}

/** The rights may have ended while the call waited. Begins every change that does not check the last Super Admin. */
export async function adminUnderLock(tx: Tx, { orgId, userId }: OrgCaller) {
  const organization = await lockOrganization(tx, orgId);
  const caller = organization && (await findCaller(tx, orgId, userId));
  if (!caller) return refuse('org_not_found');
  const reason = whyNot(caller, { to: 'manage' });
  return reason
    ? refuse(reason)
    : {
        ...caller,
        organization: organization.name,
        urlName: organization.urlName,
        language: organization.language,
      };
}
export type Admin = Exclude<Awaited<ReturnType<typeof adminUnderLock>>, Refusal>;

export type SuperAdminMatter = {
  readonly to: 'manageApplications' | 'manageWebhooks' | 'exportData' | 'manageSignIn';
  /** The text for admins, in place of the refusal's usual one. */
  readonly details: RuleText;
};
/** The same for a matter of Super Admins with a confirmed address. */
export async function superAdminUnderLock(
  tx: Tx,
  scope: OrgCaller,
  { confirmed }: { readonly confirmed: boolean },
  { to, details }: SuperAdminMatter,
) {
  const caller = await adminUnderLock(tx, scope);
  if (caller instanceof Refusal && caller.name === 'org_not_found') return refuse('org_not_found');
  if (caller instanceof Refusal || whyNot(caller, { to })) return refuse('super_admin_only', { details });
  return confirmed ? { ...caller, orgId: scope.orgId } : refuse('account_not_confirmed');
}

/** Whether a seat is free. Needs the organization's lock. */
export const hasSeat = async (tx: Tx, { config }: Deps, orgId: OrgId) =>
  (await countSeats(tx, orgId)) < config.maxMembersPerOrg;

type Person = { readonly userId: UserId; readonly email: string | null };

/** `told`: the role or status in the last mail to a member, to compare with the current one later. */
export type News = { readonly orgId: OrgId; readonly userId: UserId } & (
  | { readonly about: 'role'; readonly told: RoleId }
  | { readonly about: 'status'; readonly told: MemberStatus }
);

/** Mails the news, unless a quiet time runs: its end mails the latest. Needs the organization's lock. */
async function mailNews(tx: Tx, deps: Deps, { userId, email }: Person, news: News, content: WriteMail) {
  if (email === null) return;
  const lane = `${news.about}-news:${news.orgId}:${news.userId}`;
  const runAt = fromNow(deps.clock, QUIET_MS);
  if (await enqueueUnlessWaiting(tx, deps, { kind: 'member-news', payload: news, lane, runAt, userId }))
    await queueMail(tx, deps, { userId, to: email, content });
}

type RoleNews = {
  readonly orgId: OrgId;
  readonly organization: string;
  readonly role: { readonly id: RoleId; readonly name: string };
};

const mailRole = (tx: Tx, deps: Deps, person: Person, { orgId, organization, role }: RoleNews) =>
  mailNews(
    tx,
    deps,
    person,
    { orgId, userId: person.userId, about: 'role', told: role.id },
    roleChangedMail(deps.config.publicUrl, { orgId, organization }, role.name),
  );

/** Tells a member their new role, in the panel and by mail if possible. Needs the organization's lock. */
export async function tellOfRole(tx: Tx, deps: Deps, person: Person, news: RoleNews) {
  const details = { organization: news.organization, role: news.role.name };
  await notify(tx, deps, person.userId, { kind: 'role_changed', orgId: news.orgId, details });
  await mailRole(tx, deps, person, news);
}

type StatusNews = { readonly orgId: OrgId; readonly organization: string; readonly status: MemberStatus };

const tellOfStatus = (tx: Tx, deps: Deps, person: Person, { orgId, organization, status }: StatusNews) =>
  mailNews(
    tx,
    deps,
    person,
    { orgId, userId: person.userId, about: 'status', told: status },
    statusChangedMail(deps.config.publicUrl, { orgId, organization }, status),
  );

export const endQuietTime = (deps: Deps, news: News, jobId: number) =>
  transaction(deps.sql, async (tx) => {
    const { orgId, userId, about, told } = news;
    const organization = await lockOrganization(tx, orgId);
    // A second run after a crash finds the lane already left and does nothing.
    if (!(await leaveLane(tx, jobId))) return;
    const member = await findMember(tx, orgId, userId);
    if (!organization || !member || member.status === MEMBER_STATUS.invited) return;
    const { roleId, role: name, status } = member;
    const current = { orgId, organization: organization.name, role: { id: roleId, name }, status };
    if (about === 'role' && roleId !== told) await mailRole(tx, deps, member, current);
    if (about === 'status' && status !== told) await tellOfStatus(tx, deps, member, current);
  });

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;
type Role = NonNullable<Awaited<ReturnType<typeof findRole>>>;
type Edit = Input<typeof members.edit>;
type Removal = Omit<Input<typeof members.remove>, 'orgId'>;

/** Checks each part of an edit, because each needs its own right. */
function whyNotEdit(caller: Actor, target: Member, role: Role, status: Edit['status']) {
  const assigns = role.id !== target.roleId;
  const setsStatus = status !== undefined && status !== target.status;
  return (
    whyNot(caller, { to: 'edit', target }) ??
    (assigns ? whyNot(caller, { to: 'assign', target, power: role }) : undefined) ??
    (setsStatus ? whyNot(caller, { to: 'setStatus', target }) : undefined)
  );
}

type Change = { readonly words: SomeWords; readonly role: Role; readonly status: MemberStatus };
type Author = OrgCaller & { readonly organization: string };

/** The change itself, with all its effects. Needs the organization's lock; the author's right is checked. */
export async function changeMember(
  tx: Tx,
  deps: Deps,
  target: Member,
  { words, role, status }: Change,
  by: Author,
) {
  const { orgId, organization, userId: invitedBy } = by;
  const edits = changes(
    { ...wordsInColumns(target), role: target.role, status: target.status },
    { ...wordsInColumns(words), role: role.name, status },
  );
  if (Object.keys(edits).length === 0) return refuse('no_changes');
  if (needsSeat(target.status, status) && !(await hasSeat(tx, deps, orgId)))
    return refuse('sign_max_users_reached');

  await updateMember(tx, target.id, {
    ...wordsInColumns(words),
    role_id: role.id,
    status,
    // A status set by an admin is no longer the pause of a scheduled deletion.
    ...(edits['status'] && { paused_at: null }),
    // The admin who changes an invitation's role becomes its inviter.
    ...(edits['role'] &&
      target.status === MEMBER_STATUS.invited && { invited_by: invitedBy > OPERATOR_ID ? invitedBy : null }),
  });
  await recordActivity(tx, deps, 'organization.invitedContact.update', {
    ...by,
    recordId: target.userId,
    information: edits,
  });
  if (target.status === MEMBER_STATUS.invited) return undefined;
  const news = { orgId, organization, role, status };
  if (edits['role']) await tellOfRole(tx, deps, target, news);
  if (edits['status']) await tellOfStatus(tx, deps, target, news);
  return undefined;
}

/** The same for a removal or the withdrawal of an invitation. */
export async function endMember(tx: Tx, deps: Deps, target: Member, { orgId, organization, userId }: Author) {
  await endMembership(tx, deps, 'removed', target, { orgId, by: userId });
  if (target.email !== null && target.status !== MEMBER_STATUS.invited)
    await queueMail(tx, deps, {
      userId: target.userId,
      to: target.email,
      content: removedMail(organization),
    });
}

export const editMember = (deps: Deps, scope: OrgActor, input: Edit) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const organization = await lockOrganization(tx, orgId);
    const role = await findRole(tx, orgId, input.roleId);
    // A profile save writes these names too, so the person is locked.
    await lockUser(tx, (await findShownUserId(tx, orgId, input.userId)) ?? input.userId);
    const target = await findShownMember(tx, orgId, input.userId);
    if (!organization) return refuse('org_not_found');
    if (!target) return refuse('user_not_found', noMember);
    if (!role) return refuse('role_not_found');
    // A page sends every field it shows, so an outdated page would silently undo another admin's change.
    if (hasChanged(input, target)) return refuse('changed_meanwhile');

    const status = input.status ?? target.status;
    const reason = whyNotEdit(scope, target, role, input.status);
    if (reason && target.userId !== scope.userId) return refuse(reason, detailsOfRole(scope, role));
    const staysSuperAdmin = status === MEMBER_STATUS.active && role.id === target.roleId;
    const refusalAsLast = staysSuperAdmin ? undefined : await keepASuperAdmin(tx, orgId, target.userId);
    if (refusalAsLast) return refusalAsLast;
    // Checked again under the lock, because the caller's own rights may have ended meanwhile.
    const caller = await findCaller(tx, orgId, scope.userId);
    if (!caller) return refuse('org_not_found');
    const reasonNow = reason ?? whyNotEdit(caller, target, role, input.status);
    if (reasonNow) return refuse(reasonNow, detailsOfRole(caller, role));

    const hold = await findHold(tx, target.id);
    if (hold && isLocked(hold, target, input)) return refuse('not_allowed', ofDirectory);

    const by = { ...scope, organization: organization.name };
    const refusal = await changeMember(tx, deps, target, { words: input, role, status }, by);
    return refusal ?? getMember(tx, orgId, target.userId);
  });

export const removeMember = (deps: Deps, scope: OrgActor, input: Removal, isConfirmed: boolean) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const organization = await lockOrganization(tx, orgId);
    const target = await findShownMember(tx, orgId, input.userId);
    if (!organization) return refuse('org_not_found');
    if (!target) return refuse('user_not_found', noMember);
    const { userId } = target;
    // The invited person may have joined since the page showed the invitation.
    if (hasChanged(input, target)) return refuse('changed_meanwhile');

    const act = { to: 'remove', target } as const;
    const reason = whyNot(scope, act);
    if (reason) return refuse(reason);
    if (!isConfirmed) return refuse('account_not_confirmed');
    const refusalAsLast = await keepASuperAdmin(tx, orgId, userId);
    if (refusalAsLast) return refusalAsLast;
    const caller = await findCaller(tx, orgId, scope.userId);
    if (!caller) return refuse('org_not_found');
    const reasonNow = whyNot(caller, act);
    if (reasonNow) return refuse(reasonNow);

    await endMember(tx, deps, target, { orgId, userId: scope.userId, organization: organization.name });
    return {};
  });
