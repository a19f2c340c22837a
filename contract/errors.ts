import { areaText } from '#contract/text/area.ts';
import { uiText } from '#contract/text/ui.ts';

type Entry = { status: number; text: string; code?: string };

/**
 * Every refusal (specification section 8). The key is our name; `code` is the wire's code where several
 * refusals share one. Texts quoted from the specification keep its mistakes. `contract/shown.ts` says how a
 * refusal is shown. The pages load only that file and take the texts from answers.
 */
export const errors = {
  malformed_request: { status: 400, text: 'The request could not be read.' },
  org_id_invalid: { status: 400, text: 'org_id is invalid' },
  not_signed_in: { status: 401, text: 'Please sign in to continue.' },
  signed_in_as_another: {
    status: 401,
    text: 'Someone else has signed in with this browser. Nothing was changed.',
  },
  invalid_credentials: { status: 401, text: 'The Email address or Password is wrong.' },
  wrong_password: { status: 403, text: 'Invalid crendentials', code: 'invalid_credentials' },
  reauthentication_required: { status: 403, text: 'Please confirm it is you before you go on.' },
  not_allowed: { status: 403, text: 'Your role does not allow this.' },
  super_admin_only: { status: 403, text: 'Only a Super Admin may delete users' },
  account_not_confirmed: {
    status: 403,
    text: 'Please confirm your email address first. We sent you a mail with a link.',
  },
  account_is_disable: { status: 403, text: 'This account is disabled.' },
  cross_site_request: { status: 403, text: 'This request came from another site.' },
  org_not_found: { status: 404, text: 'This organization was not found.' },
  user_not_found: { status: 404, text: 'Email id does not exist' },
  role_not_found: { status: 404, text: 'This role was not found.' },
  session_not_found: { status: 404, text: 'This device is no longer signed in.' },
  file_not_found: { status: 404, text: 'This file was not found.' },
  not_found: { status: 404, text: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, text: 'This address does not take this method.' },
  email_id_exist: { status: 409, text: 'Email Id already exits' },
  user_present_in_org: { status: 409, text: 'User already present in the Org' },
  role_already_exists: { status: 409, text: 'A role with this name already exists.' },
  no_changes: { status: 409, text: areaText.noChanges },
  last_super_admin: {
    status: 409,
    text: 'Organization must have at least one active super admin. Please make sure there is at least one super admin account with an active status',
  },
  changed_meanwhile: {
    status: 409,
    text: 'Someone has changed this meanwhile. Nothing was saved. Please look again.',
  },
  same_password: { status: 409, text: 'The new password must differ from the current one.' },
  sign_max_users_reached: {
    status: 409,
    text: 'You have reached the user limit of your plan. Upgrade to add more people.',
  },
  org_max_limit_reached: {
    status: 409,
    text: 'You have reached the organization limit of your plan. Upgrade to create more organizations.',
  },
  digest_invalid: { status: 410, text: 'This link was already used or replaced.' },
  digest_expired: { status: 410, text: 'This link is out of date.' },
  authorization_expired: {
    status: 410,
    text: 'This sign-in took too long. Go back to the application and start again.',
  },
  otp_invalid: { status: 401, text: 'Invalid OTP' },
  otp_expired: { status: 410, text: 'This code is no longer valid. Ask for a new one.' },
  file_too_large: { status: 413, text: 'The file is larger than 5 MB.' },
  payload_too_large: { status: 413, text: 'The request is too large.' },
  invalid_image: { status: 415, text: 'Please choose a PNG or JPEG image.' },
  unsupported_media_type: { status: 415, text: 'The request has a content type this call does not take.' },
  misdirected_request: { status: 421, text: 'This host is not served here.' },
  invalid_input: { status: 422, text: 'Please check the marked fields.' },
  too_many_requests: { status: 429, text: 'Too many tries. Please wait a moment.' },
  internal_error: { status: 500, text: uiText.wentWrong },
  unavailable: { status: 503, text: 'We are busy or restarting. Please try again in a moment.' },
  social_not_set_up: { status: 503, text: 'This way to sign in is not set up yet.' },
} as const satisfies Record<string, Entry>;

export type RefusalName = keyof typeof errors;

/** The code of a refusal on the wire. */
export const codeOf = (name: RefusalName): string => {
  const entry: Entry = errors[name];
  return entry.code ?? name;
};

/** Details that a refusal may add to its catalogue entry. */
type RefusalDetail = {
  details?: string;
  /** Messages by wire field name, only with `invalid_input`. */
  fields?: Record<string, string>;
  /** Why an account is disabled, and until when. */
  reason?: 'deactivated' | 'restricted';
  until?: Date;
  retryAfterSeconds?: number;
};

/**
 * A "no" as a value: actions return it, transactions roll back on it, and the HTTP layer turns it into the
 * error envelope.
 */
export class Refusal<Name extends RefusalName = RefusalName> {
  readonly name: Name;
  readonly detail: RefusalDetail;
  constructor(name: Name, detail: RefusalDetail = {}) {
    this.name = name;
    this.detail = detail;
  }
}

/**
 * Creates a refusal. Its name is part of the type, so an endpoint that has not declared it does not compile.
 */
export const refuse = <Name extends RefusalName>(name: Name, detail?: RefusalDetail) =>
  new Refusal(name, detail);
