import { type Actor, rankOf, whyNot } from '#contract/members/authority.ts';
import { type DirectoryPart, type Member, MEMBER_STATUS } from '#contract/members/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import { membersText as text } from '#words/members.ts';

/** Reasons in words why an act on a member is not possible. Undefined if it is. */
export type Guards = Readonly<
  Record<'edit' | 'resend' | 'names' | 'role' | 'status' | 'remove', string | undefined>
>;

export const memberName = ({ firstName, lastName, email }: Member) => personName(firstName, lastName, email);

/** Why the caller may not change a member. Of the member's ranks only Super Admin makes a difference. */
export function guardsOf(caller: Actor, member: Member, superAdmins: number): Guards {
  const rank = rankOf({ name: member.role, isAdmin: false });
  const target = { userId: member.userId, rank, status: member.status };
  const isActive = member.status === MEMBER_STATUS.active;
  const isLast = rank === 'superAdmin' && isActive && superAdmins <= 1;
  const isSelf = member.userId === caller.userId;

  const outranked = whyNot(caller, { to: 'edit', target }) && text.guardSuperAdmin;
  const last = isLast ? text.guardLast : undefined;
  const managed = (part: DirectoryPart) => (member.managed?.includes(part) ? text.managed : undefined);
  const role = managed('role') ?? (isSelf ? text.guardOwnRole : undefined);
  const status =
    managed('status') ??
    (whyNot(caller, { to: 'setStatus', target }) && (isSelf ? text.guardOwnStatus : text.guardDisabled));
  const remove = whyNot(caller, { to: 'remove', target });
  return {
    edit: outranked ?? (role && status && managed('names')),
    resend: outranked,
    names: outranked ?? managed('names'),
    role: outranked ?? last ?? role,
    status: outranked ?? last ?? status,
    remove: remove === 'super_admin_only' ? text.guardRemove : (last ?? (remove && text.guardSelf)),
  };
}
