import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';
import type { Rights } from '#contract/permissions.ts';
import { SUPER_ADMIN } from '#contract/roles.ts';

/** How far a role reaches in the portal. Names can't be taken twice and built-in roles keep theirs, so the name tells. */
export type Rank = 'member' | 'admin' | 'superAdmin';
const ranks: readonly Rank[] = ['member', 'admin', 'superAdmin'];
export const rankOf = (role: { name: string; isAdmin: boolean }): Rank =>
  role.name === SUPER_ADMIN ? 'superAdmin' : role.isAdmin ? 'admin' : 'member';

/** What a role can do: its rank, and its rights in the applications. Built-in roles hold all; a screen may not know them. */
export type Power = { readonly rank: Rank; readonly rights?: Rights };
export type Caller = Power & { readonly userId: number };
type Target = { readonly userId: number; readonly rank: Rank; readonly status: MemberStatus };

/** What somebody may want to do in an organization, with all that the answer depends on. */
export type Act =
  | { readonly to: 'manage' }
  /** Invite somebody with a role, give one to a member, or decide what a role can do. */
  | { readonly to: 'grant'; readonly power: Power }
  | { readonly to: 'edit'; readonly target: Target }
  | { readonly to: 'remove'; readonly target: Target }
  | { readonly to: 'assign'; readonly target: Target; readonly power: Power }
  | { readonly to: 'setStatus'; readonly target: Target }
  | { readonly to: 'changeRole'; readonly role: { readonly isSystem: boolean; readonly isOwn: boolean } }
  | { readonly to: 'replaceRole'; readonly by: Power & { readonly isSystem: boolean }; readonly old: Power };

/** The one act that has a code of its own for admins who may not do it. */
type Removal = Extract<Act, { to: 'remove' }>;
type No = 'not_allowed' | 'super_admin_only';
const no = (refused: boolean) => (refused ? ('not_allowed' as const) : undefined);

const covers = (one: Power, other: Power) => {
  if (ranks.indexOf(one.rank) < ranks.indexOf(other.rank)) return false;
  const { rights } = one;
  if (rights === undefined || other.rights === undefined || rights === 'all') return true;
  return other.rights !== 'all' && [...other.rights].every((right) => rights.has(right));
};

/**
 * Why the caller may not do it, or undefined when they may; the server asks it and so do the screens (specification
 * sections 5 and 6, docs/security.md G4–G9). Whether a Super Admin would be left is the database's to say, under a lock.
 */
export function whyNot(caller: Caller, act: Exclude<Act, Removal>): 'not_allowed' | undefined;
export function whyNot(caller: Caller, act: Act): No | undefined;
export function whyNot(caller: Caller, act: Act): No | undefined {
  if (caller.rank === 'member') return 'not_allowed';
  if (act.to === 'manage') return undefined;
  if (act.to === 'grant') return no(!covers(caller, act.power));
  if (act.to === 'changeRole') return no(act.role.isSystem || act.role.isOwn);
  const isSuperAdmin = caller.rank === 'superAdmin';
  if (act.to === 'replaceRole') {
    const grows = act.by.isSystem || !covers(act.old, { rank: act.by.rank }) || !covers(caller, act.by);
    return no(!isSuperAdmin && grows);
  }
  const { target } = act;
  const isSelf = target.userId === caller.userId;
  if (act.to === 'remove') return isSuperAdmin ? no(isSelf) : 'super_admin_only';
  if (!covers(caller, { rank: target.rank })) return 'not_allowed';
  if (act.to === 'edit') return undefined;
  if (act.to === 'assign') return no(isSelf || !covers(caller, act.power));
  const isBlocked = target.status === MEMBER_STATUS.disabled && !isSuperAdmin;
  return no(isSelf || target.status === MEMBER_STATUS.invited || isBlocked);
}

/** Whether the caller may do it. */
export const can = (caller: Caller, act: Act): boolean => whyNot(caller, act) === undefined;
