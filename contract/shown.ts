import type { RefusalName } from '#contract/errors.ts';

/** How a refusal reaches a person: an alert's colour, beside its field, the upgrade popup, or by leading on. */
export type Shown = 'danger' | 'warning' | 'field' | 'upgrade' | 'redirect';

/** The codes that are more or less than a red alert; apart from the catalogue, whose texts come with each answer. */
const special = {
  org_id_invalid: 'redirect',
  not_signed_in: 'redirect',
  reauthentication_required: 'redirect',
  account_not_confirmed: 'redirect',
  account_is_disable: 'redirect',
  org_not_found: 'redirect',
  user_present_in_org: 'warning',
  role_already_exists: 'warning',
  no_changes: 'warning',
  sign_max_users_reached: 'upgrade',
  org_max_limit_reached: 'upgrade',
  invalid_input: 'field',
} satisfies Partial<Record<RefusalName, Shown>>;

const byCode = new Map<string, Shown>(Object.entries(special));

/** How the refusal with this code is shown. */
export const shownAs = (code: string): Shown => byCode.get(code) ?? 'danger';
