import { MEMBER_STATUS, type MemberStatus } from './calls.ts';
import { everyRight, type Rights } from '#contract/roles/permissions.ts';
import { SUPER_ADMIN } from '#contract/roles/calls.ts';

/** Its name decides, because names are unique and built-in roles cannot be renamed. */
export type Rank = 'member' | 'admin' | 'superAdmin';
const ranks: readonly Rank[] = ['member', 'admin', 'superAdmin'];
export const rankOf = (role: { name: string; isAdmin: boolean }): Rank =>
  role.name === SUPER_ADMIN ? 'superAdmin' : role.isAdmin ? 'admin' : 'member';

/** Built-in roles hold all rights. Pages may not know the rights. */
export type Power = { readonly rank: Rank; readonly rights?: Rights };
export type Actor = Power & { readonly userId: number };
type Target = { readonly userId: number; readonly rank: Rank; readonly status: MemberStatus };

export type Act =
  | { readonly to: 'manage' }
  | { readonly to: 'manageApplications' }
  | { readonly to: 'manageWebhooks' }
  | { readonly to: 'exportData' }
  | { readonly to: 'manageSignIn' }
  /** Invite somebody with a role, or create a role. */
  | { readonly to: 'grant'; readonly power: Power }
  | { readonly to: 'setRights'; readonly changed: Rights }
  | { readonly to: 'edit'; readonly target: Target }
  | { readonly to: 'remove'; readonly target: Target }
  | { readonly to: 'assign'; readonly target: Target; readonly power: Power }
  | { readonly to: 'setStatus'; readonly target: Target }
  | { readonly to: 'changeRole'; readonly role: { readonly isSystem: boolean; readonly isOwn: boolean } }
  | { readonly to: 'replaceRole'; readonly by: Power & { readonly isSystem: boolean }; readonly old: Power };

/** The acts of Super Admins, which have their own refusal for admins. */
type SuperAdminAct = Extract<
  Act,
  { to: 'remove' | 'manageApplications' | 'manageWebhooks' | 'exportData' | 'manageSignIn' }
>;
type No = 'not_allowed' | 'super_admin_only';
const no = (refused: boolean) => (refused ? ('not_allowed' as const) : undefined);

/** The needed rights that a holder of `rights` lacks. All offered rights together count as 'all'. */
export function missingRights(rights: Rights, needed: Rights): string[] {
  if (rights === 'all' || everyRight.every((right) => rights.has(right))) return [];
  return [...(needed === 'all' ? everyRight : needed)].filter((right) => !rights.has(right));
}

const outranks = (power: Power, other: Power) => ranks.indexOf(power.rank) > ranks.indexOf(other.rank);
const covers = (power: Power, other: Power) =>
  !outranks(other, power) &&
  (power.rights === undefined ||
    other.rights === undefined ||
    missingRights(power.rights, other.rights).length === 0);

const mayTouch = (caller: Actor, target: Target) => covers(caller, { rank: target.rank });

/** Why the caller may not act, for server and pages (docs/security.md G4–G9). The database guards the last Super Admin. */
export function whyNot(caller: Actor, act: Exclude<Act, SuperAdminAct>): 'not_allowed' | undefined;
export function whyNot(caller: Actor, act: Act): No | undefined;
export function whyNot(caller: Actor, act: Act): No | undefined {
  if (caller.rank === 'member') return 'not_allowed';
  const isSuperAdmin = caller.rank === 'superAdmin';
  switch (act.to) {
    case 'manage':
      return undefined;
    case 'manageApplications':
    case 'manageWebhooks':
    case 'exportData':
    case 'manageSignIn':
      return isSuperAdmin ? undefined : 'super_admin_only';
    case 'grant':
      return no(!covers(caller, act.power));
    case 'setRights':
      return no(!covers(caller, { rank: 'member', rights: act.changed }));
    case 'changeRole':
      return no(act.role.isSystem || act.role.isOwn);
    case 'replaceRole': {
      const grows = act.by.isSystem || !covers(act.old, { rank: act.by.rank }) || !covers(caller, act.by);
      return no(!isSuperAdmin && grows);
    }
    case 'remove':
      return isSuperAdmin ? no(act.target.userId === caller.userId) : 'super_admin_only';
    case 'edit':
      return no(!mayTouch(caller, act.target));
    case 'assign':
      return no(
        !mayTouch(caller, act.target) || act.target.userId === caller.userId || !covers(caller, act.power),
      );
    case 'setStatus': {
      const { userId, status } = act.target;
      const isBlocked = status === MEMBER_STATUS.disabled && !isSuperAdmin;
      const isFixed = userId === caller.userId || status === MEMBER_STATUS.invited || isBlocked;
      return no(!mayTouch(caller, act.target) || isFixed);
    }
    default:
      return act satisfies never;
  }
}

export const can = (caller: Actor, act: Act): boolean => whyNot(caller, act) === undefined;
