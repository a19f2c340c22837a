import { type Caller, can, rankOf } from '#contract/authority.ts';
import type { Member } from '#contract/members.ts';
import type { Role } from '#contract/roles.ts';
import { membersText as text } from '#contract/text/members.ts';
import { SelectField, type SelectFieldProps } from '#web/ui/select-field.tsx';

/** The roles that the caller may give. */
const grantable = (roles: readonly Role[], caller: Caller): Role[] =>
  roles.filter((role) => can(caller, { to: 'grant', power: { rank: rankOf(role) } }));

/** What somebody new is, unless chosen otherwise: the first role without admin rights. */
export const usualRole = (roles: readonly Role[], caller: Caller): string =>
  String(grantable(roles, caller).find((role) => !role.isAdmin)?.id ?? '');

type Props = Omit<SelectFieldProps, 'options' | 'onChange'> & {
  roles: readonly Role[];
  caller: Caller;
  /** Whose role it is; what they are now can be kept, whether or not the caller could give it. */
  member?: Member;
  onPick: (roleId: string) => void;
};

/** One dropdown of the roles that the caller may give. */
export function RoleField({ roles, caller, member, onPick, ...field }: Props) {
  const options = grantable(roles, caller).map(({ id, name }) => ({ value: String(id), label: name }));
  const isMissing = !options.some(({ value }) => value === field.value);
  const now = member ? { value: String(member.roleId), label: member.role } : undefined;
  const first = now ?? { value: '', label: text.chooseRole };
  return (
    <SelectField
      {...field}
      options={isMissing ? [first, ...options] : options}
      onChange={({ target }) => onPick(target.value)}
    />
  );
}
