import type { RefusalName } from '#contract/errors.ts';

/** An alert of this colour, beside its field, the upgrade popup, or a redirect. */
export type Shown = 'danger' | 'warning' | 'field' | 'upgrade' | 'redirect';

/** Codes that are not shown as a red alert. Apart from `errors.ts`, because the texts come with each answer. */
const special = {
  org_id_invalid: 'redirect',
  not_signed_in: 'redirect',
  signed_in_as_another: 'redirect',
  reauthentication_required: 'redirect',
  mailed_code_required: 'redirect',
  strong_step_required: 'redirect',
  account_not_confirmed: 'redirect',
  account_is_disable: 'redirect',
  org_not_found: 'redirect',
  user_present_in_org: 'warning',
  role_already_exists: 'warning',
  no_changes: 'warning',
  company_sign_in_required: 'warning',
  changed_meanwhile: 'warning',
  sign_max_users_reached: 'upgrade',
  org_max_limit_reached: 'upgrade',
  invalid_input: 'field',
} satisfies Partial<Record<RefusalName, Shown>>;

const byCode = new Map<string, Shown>(Object.entries(special));

export const shownAs = (code: string): Shown => byCode.get(code) ?? 'danger';
