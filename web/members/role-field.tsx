import type { Member } from '#contract/members/calls.ts';
import type { Role } from '#contract/roles/calls.ts';
import { membersText as text } from '#words/members.ts';
import { roleOption, usualRoleId } from './role-options.ts';
import { SelectField, type SelectFieldProps } from '#web/ui/select-field.tsx';

const optionsOf = (roles: readonly Role[]) => roles.map((role) => roleOption(role));

export const usualRole = (roles: readonly Role[]): string => usualRoleId(roles, optionsOf(roles));

type Props = Omit<SelectFieldProps, 'options'> & {
  roles: readonly Role[];
  /** Their current role stays available, even if the caller could not give it. */
  member?: Member;
};

export function RoleField({ roles, member, ...field }: Props) {
  const current = member && { value: String(member.roleId), label: member.role };
  const options = optionsOf(roles).map((option) => (option.value === current?.value ? current : option));
  const isMissing = !options.some(({ value }) => value === field.value);
  const extraOption = current ?? { value: '', label: text.chooseRole };
  return <SelectField {...field} options={isMissing ? [extraOption, ...options] : options} />;
}
