import { rightWords } from '#contract/roles/right-words.ts';
import { type Role, SUPER_ADMIN } from '#contract/roles/calls.ts';
import { rolesText as text } from '#words/roles.ts';

function whyNotGiven({ name, mayGive, missing = [] }: Role) {
  if (mayGive !== false) return undefined;
  if (name === SUPER_ADMIN) return text.onlySuperAdminGives;
  return text.lacks({ rights: rightWords(missing) });
}

export function roleOption(role: Role, why = whyNotGiven(role)) {
  const option = { value: String(role.id), label: role.name };
  return why === undefined ? option : { ...option, label: text.lockedRole({ ...role, why }), disabled: true };
}

export const usualRoleId = (roles: readonly Role[], options: readonly ReturnType<typeof roleOption>[]) =>
  options.find((option, at) => !('disabled' in option) && roles[at]?.isAdmin === false)?.value ?? '';
