import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import { type Caller, whyNot } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Refusal, refuse } from '#contract/errors.ts';
import { MEMBER_STATUS, type members } from '#contract/members.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import {
  activeSuperAdmins,
  countSeats,
  deleteMember,
  findMember,
  getMember,
  hasOthers,
  lockOrganization,
  lockPerson,
  updateMember,
} from '#server/members/data.ts';
import { removedMail, roleChangedMail, statusChangedMail } from '#server/members/mail.ts';
import { needsSeat, noMember } from '#server/members/rules.ts';
import { findCaller, findRole } from '#server/members/standing/data.ts';

/** The organization and the caller as the gate proved them. */
export type Scope = Caller & { readonly orgId: OrgId; readonly userId: UserId };

/**
 * Refuses what would take the organization's last active Super Admin away; holds the organization's lock from here on.
 * Every path that ends or changes a membership asks it first: edit, removal, leaving, deletion of an account. With the
 * account an organization may go in which nobody else is.
 */
export async function keepASuperAdmin(
  tx: Tx,
  orgId: OrgId,
  without: UserId,
  { mayGoWhole = false }: { mayGoWhole?: boolean } = {},
) {
  await lockOrganization(tx, orgId);
  const two = await activeSuperAdmins(tx, orgId).select('memberships.user_id as userId').limit(2).execute();
  const isLast = two.length === 1 && two[0]?.userId === without;
  if (!isLast || (mayGoWhole && !(await hasOthers(tx, orgId, without)))) return undefined;
  return refuse('last_super_admin');
}

/**
 * Holds the organization, and finds the admin who asks as they stand now: what came before under the lock may have ended
 * their rights. Every change of an organization begins here, or asks again itself where the guard's words come first.
 */
export async function adminUnderLock(tx: Tx, { orgId, userId }: Pick<Scope, 'orgId' | 'userId'>) {
  const organization = await lockOrganization(tx, orgId);
  const caller = organization && (await findCaller(tx, orgId, userId));
  if (!caller) return refuse('org_not_found');
  const refused = whyNot(caller, { to: 'manage' });
  return refused ? refuse(refused) : { ...caller, organization: organization.name };
}
export type Admin = Exclude<Awaited<ReturnType<typeof adminUnderLock>>, Refusal>;

/** Whether another seat can be taken; asked under the organization's lock. */
export const hasSeat = async (tx: Tx, { config }: Deps, orgId: OrgId) =>
  (await countSeats(tx, orgId)) < config.maxMembersPerOrg;

type RoleNews = { readonly orgId: OrgId; readonly organization: string; readonly role: string };

/** Tells a member which role they have from now on: in their panel, and by mail where they have an address. */
export async function tellOfRole(
  tx: Tx,
  deps: Deps,
  { userId, email }: { readonly userId: UserId; readonly email: string | null },
  { orgId, ...details }: RoleNews,
) {
  await notify(tx, deps, userId, { kind: 'role_changed', orgId, details });
  const { organization, role } = details;
  if (email !== null)
    await queueMail(tx, deps, {
      to: email,
      content: roleChangedMail(deps.config.publicUrl, organization, role),
    });
}

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>;
type Role = NonNullable<Awaited<ReturnType<typeof findRole>>>;
type Edit = Input<typeof members.edit>;

/** Why not, of everything that an edit amounts to; each needs its own right. */
function whyNotEdit(caller: Caller, target: Member, role: Role, status: Edit['status']) {
  const assigns = role.id !== target.roleId;
  const setsStatus = status !== undefined && status !== target.status;
  return (
    whyNot(caller, { to: 'edit', target }) ??
    (assigns ? whyNot(caller, { to: 'assign', target, power: role }) : undefined) ??
    (setsStatus ? whyNot(caller, { to: 'setStatus', target }) : undefined)
  );
}

/** Changes a membership: what a person is called and may do in this one organization. */
export const editMember = (deps: Deps, scope: Scope, input: Edit) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const organization = await lockOrganization(tx, orgId);
    const role = await findRole(tx, orgId, input.roleId);
    // Their own profile gives them their name here, too: what they save comes before this, or finds what this did.
    await lockPerson(tx, input.userId);
    const target = await findMember(tx, orgId, input.userId);
    if (!organization) return refuse('org_not_found');
    if (!target) return refuse('user_not_found', noMember);
    if (!role) return refuse('role_not_found');

    const status = input.status ?? target.status;
    const refused = whyNotEdit(scope, target, role, input.status);
    if (refused && target.userId !== scope.userId) return refuse(refused);
    const staysSuperAdmin = status === MEMBER_STATUS.active && role.id === target.roleId;
    const last = staysSuperAdmin ? undefined : await keepASuperAdmin(tx, orgId, target.userId);
    if (last) return last;
    // Asked again under the lock: what came before us may have ended the caller's own rights.
    const caller = await findCaller(tx, orgId, scope.userId);
    if (!caller) return refuse('org_not_found');
    const refusedNow = refused ?? whyNotEdit(caller, target, role, input.status);
    if (refusedNow) return refuse(refusedNow);

    const changed = changes(
      {
        first_name: target.firstName,
        last_name: target.lastName,
        designation: target.designation,
        role: target.role,
        status: target.status,
      },
      {
        first_name: input.firstName,
        ...(input.lastName !== undefined && { last_name: input.lastName }),
        ...(input.designation !== undefined && { designation: input.designation }),
        role: role.name,
        status,
      },
    );
    if (Object.keys(changed).length === 0) return refuse('no_changes');
    if (needsSeat(target.status, status) && !(await hasSeat(tx, deps, orgId)))
      return refuse('sign_max_users_reached');

    await updateMember(tx, target.id, {
      first_name: input.firstName,
      last_name: input.lastName ?? target.lastName,
      designation: input.designation ?? target.designation,
      role_id: role.id,
      status,
      // Set by hand, it is no longer what a scheduled deletion paused.
      ...(changed['status'] && { paused_at: null }),
      // Whoever gives an invitation its role stands for it from then on.
      ...(changed['role'] && target.status === MEMBER_STATUS.invited && { invited_by: scope.userId }),
    });
    await recordChange(tx, deps, scope, { of: target, action: ACTION.update, information: changed });
    if (target.status !== MEMBER_STATUS.invited) {
      if (changed['role'])
        await tellOfRole(tx, deps, target, { orgId, organization: organization.name, role: role.name });
      if (changed['status'] && target.email !== null)
        await queueMail(tx, deps, {
          to: target.email,
          content: statusChangedMail(deps.config.publicUrl, organization.name, status),
        });
    }
    return getMember(tx, orgId, target.userId);
  });

/** Ends a membership or withdraws an invitation; the person and their other organizations stay. */
export const removeMember = (deps: Deps, scope: Scope, userId: UserId, isConfirmed: boolean) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const organization = await lockOrganization(tx, orgId);
    const target = await findMember(tx, orgId, userId);
    if (!organization) return refuse('org_not_found');
    if (!target) return refuse('user_not_found', noMember);

    const act = { to: 'remove', target } as const;
    const refused = whyNot(scope, act);
    if (refused) return refuse(refused);
    if (!isConfirmed) return refuse('account_not_confirmed');
    const last = await keepASuperAdmin(tx, orgId, userId);
    if (last) return last;
    const caller = await findCaller(tx, orgId, scope.userId);
    if (!caller) return refuse('org_not_found');
    const refusedNow = whyNot(caller, act);
    if (refusedNow) return refuse(refusedNow);

    await deleteMember(tx, target);
    const information = {
      name: [nameOf(target), null],
      email: [target.email, null],
      role: [target.role, null],
      status: [target.status, null],
    };
    await recordChange(tx, deps, scope, { of: target, action: ACTION.delete, information });
    if (target.email !== null && target.status !== MEMBER_STATUS.invited)
      await queueMail(tx, deps, { to: target.email, content: removedMail(organization.name) });
    return {};
  });

/** What the log goes on calling somebody whose membership has ended. */
export const nameOf = ({ firstName, lastName, email }: Pick<Member, 'firstName' | 'lastName' | 'email'>) =>
  `${firstName} ${lastName}`.trim() || email;

type Change = {
  readonly of: { readonly userId: UserId };
  readonly action: typeof ACTION.update | typeof ACTION.delete | typeof ACTION.invite;
  readonly information: Record<string, unknown>;
};

/** A row of the organization's log about one of its members, whose id it carries. */
export const recordChange = (tx: Tx, deps: Deps, scope: Scope, { of, action, information }: Change) =>
  recordActivity(tx, deps, {
    orgId: scope.orgId,
    userId: scope.userId,
    module: MODULE.organization,
    type: ACTIVITY_TYPE.invitedContact,
    action,
    recordId: of.userId,
    information,
  });
