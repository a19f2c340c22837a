import { type Actor, rankOf, whyNot } from '#contract/members/authority.ts';
import { type Member, MEMBER_STATUS } from '#contract/members/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import { membersText as text } from '#words/members.ts';

/** Reasons in words why an act on a member is not possible. Undefined if it is. */
export type Guards = Readonly<Record<'edit' | 'role' | 'status' | 'remove', string | undefined>>;

export const memberName = ({ firstName, lastName, email }: Member) => personName(firstName, lastName, email);

/** Why the caller may not change a member. Of the member's ranks only Super Admin makes a difference. */
export function guardsOf(caller: Actor, member: Member, superAdmins: number): Guards {
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
