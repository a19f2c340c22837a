import type { RuleText } from './rule-text.ts';

type Entry = { readonly status: number; readonly code?: string };

/** Every refusal (specification section 8) by our name; `code` is the wire's. The catalog's group `error` has the texts. */
export const errors = {
  malformed_request: { status: 400 },
  org_id_invalid: { status: 400 },
  not_signed_in: { status: 401 },
  signed_in_as_another: { status: 401 },
  invalid_credentials: { status: 401 },
  wrong_password: { status: 403, code: 'invalid_credentials' },
  reauthentication_required: { status: 403 },
  mailed_code_required: { status: 403 },
  strong_step_required: { status: 403 },
  not_allowed: { status: 403 },
  super_admin_only: { status: 403 },
  account_not_confirmed: { status: 403 },
  account_is_disable: { status: 403 },
  cross_site_request: { status: 403 },
  org_not_found: { status: 404 },
  user_not_found: { status: 404 },
  role_not_found: { status: 404 },
  session_not_found: { status: 404 },
  application_not_found: { status: 404 },
  webhook_not_found: { status: 404 },
  domain_not_found: { status: 404 },
  connection_not_found: { status: 404 },
  file_not_found: { status: 404 },
  not_found: { status: 404 },
  email_id_exist: { status: 409 },
  user_present_in_org: { status: 409 },
  role_already_exists: { status: 409 },
  no_changes: { status: 409 },
  last_super_admin: { status: 409 },
  changed_meanwhile: { status: 409 },
  same_password: { status: 409 },
  sign_max_users_reached: { status: 409 },
  org_max_limit_reached: { status: 409 },
  application_limit_reached: { status: 409 },
  webhook_limit_reached: { status: 409 },
  domain_limit_reached: { status: 409 },
  directory_token_limit_reached: { status: 409 },
  digest_invalid: { status: 410 },
  digest_expired: { status: 410 },
  authorization_expired: { status: 410 },
  otp_invalid: { status: 401 },
  passkey_invalid: { status: 401 },
  passkey_unknown: { status: 401 },
  passkey_not_found: { status: 404 },
  passkey_exists: { status: 409 },
  passkey_limit_reached: { status: 409 },
  last_way_in: { status: 409 },
  second_step_needed: { status: 409 },
  second_step_required: { status: 403 },
  company_sign_in_required: { status: 403 },
  account_proof_required: { status: 403 },
  otp_expired: { status: 410 },
  file_too_large: { status: 413 },
  payload_too_large: { status: 413 },
  invalid_image: { status: 415 },
  unsupported_media_type: { status: 415 },
  misdirected_request: { status: 421 },
  invalid_input: { status: 422 },
  too_many_requests: { status: 429 },
  internal_error: { status: 500 },
  unavailable: { status: 503 },
  social_not_set_up: { status: 503 },
} as const satisfies Record<string, Entry>;

export type RefusalName = keyof typeof errors;

export const codeOf = (name: RefusalName): string => {
  const entry: Entry = errors[name];
  return entry.code ?? name;
};

type RefusalDetail = {
  details?: RuleText;
  /** Messages by wire field name, only with `invalid_input`. */
  fields?: Record<string, string>;
  /** Why an account is disabled, and until when. */
  reason?: 'deactivated' | 'restricted';
  until?: Date;
  retryAfterSeconds?: number;
  /** The limit that was reached, for the log alone. */
  limit?: string;
};

/** A "no" as a value: actions return it, transactions roll back on it, the HTTP layer turns it into an envelope. */
export class Refusal<Name extends RefusalName = RefusalName> {
  readonly name: Name;
  readonly detail: RefusalDetail;
  constructor(name: Name, detail: RefusalDetail = {}) {
    this.name = name;
    this.detail = detail;
  }
}

/** Creates a refusal. Its name is part of the type, so an endpoint that has not declared it does not compile. */
export const refuse = <Name extends RefusalName>(
  name: Name,
  ...[detail]: Name extends 'too_many_requests' ? [RefusalDetail & { limit: string }] : [RefusalDetail?]
) => new Refusal(name, detail);
