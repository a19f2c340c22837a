import { type Caller, rankOf, whyNot } from '#contract/authority.ts';
import { type Member, MEMBER_STATUS } from '#contract/members.ts';
import { membersText as text } from '#contract/text/members.ts';

/** Why a thing about a member can't be done, in words; undefined where it can. */
export type Guards = Readonly<Record<'edit' | 'role' | 'status' | 'remove', string | undefined>>;

export const nameOf = ({ firstName, lastName, email }: Member) =>
  `${firstName} ${lastName}`.trim() || (email ?? '');

/**
 * What the caller may not do with a member. Whoever sees members is an admin at least, so of others' ranks only that of
 * a Super Admin counts.
 */
export function guardsOf(caller: Caller, member: Member, superAdmins: number): Guards {
  const rank = rankOf({ name: member.role, isAdmin: false });
  const target = { userId: member.userId, rank, status: member.status };
  const isActive = member.status === MEMBER_STATUS.active;
  const isLast = rank === 'superAdmin' && isActive && superAdmins <= 1;
  const isSelf = member.userId === caller.userId;

  const edit = whyNot(caller, { to: 'edit', target }) && text.guardSuperAdmin;
  const last = isLast ? text.guardLast : undefined;
  const role = isSelf ? text.guardOwnRole : undefined;
  const status =
    whyNot(caller, { to: 'setStatus', target }) && (isSelf ? text.guardOwnStatus : text.guardDisabled);
  const remove = whyNot(caller, { to: 'remove', target });
  return {
    edit,
    role: edit ?? last ?? role,
    status: edit ?? last ?? status,
    remove: remove === 'super_admin_only' ? text.guardRemove : (last ?? (remove && text.guardSelf)),
  };
}
