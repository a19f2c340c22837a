import type { RefusalName } from '#contract/errors.ts';
import { areaText } from '#contract/text/area.ts';
import { uiText } from '#contract/text/ui.ts';

/**
 * The text of each refusal. Those quoted from the specification keep its mistakes. No page loads them, because
 * answers carry them.
 */
export const errorText = {
  malformed_request: 'The request could not be read.',
  org_id_invalid: 'org_id is invalid',
  not_signed_in: 'Please sign in to continue.',
  signed_in_as_another: 'Someone else has signed in with this browser. Nothing was changed.',
  invalid_credentials: 'The Email address or Password is wrong.',
  wrong_password: 'Invalid crendentials',
  reauthentication_required: 'Please confirm it is you before you go on.',
  not_allowed: 'Your role does not allow this.',
  super_admin_only: 'Only a Super Admin may delete users',
  account_not_confirmed: 'Please confirm your email address first. We sent you a mail with a link.',
  account_is_disable: 'This account is disabled.',
  cross_site_request: 'This request came from another site.',
  org_not_found: 'This organization was not found.',
  user_not_found: 'Email id does not exist',
  role_not_found: 'This role was not found.',
  session_not_found: 'This device is no longer signed in.',
  application_not_found: 'This application was not found.',
  webhook_not_found: 'This webhook was not found.',
  file_not_found: 'This file was not found.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'This address does not take this method.',
  email_id_exist: 'Email Id already exits',
  user_present_in_org: 'User already present in the Org',
  role_already_exists: 'A role with this name already exists.',
  no_changes: areaText.noChanges,
  last_super_admin:
    'Organization must have at least one active super admin. Please make sure there is at least one super admin account with an active status',
  changed_meanwhile: 'Someone has changed this meanwhile. Nothing was saved. Please look again.',
  same_password: 'The new password must differ from the current one.',
  sign_max_users_reached: 'You have reached the user limit of your plan. Upgrade to add more people.',
  org_max_limit_reached:
    'You have reached the organization limit of your plan. Upgrade to create more organizations.',
  application_limit_reached: 'An organization can register at most 50 applications. Remove one first.',
  webhook_limit_reached: 'An organization can have at most 10 webhooks. Remove one first.',
  digest_invalid: 'This link was already used or replaced.',
  digest_expired: 'This link is out of date.',
  authorization_expired: 'This sign-in took too long. Go back to the application and start again.',
  otp_invalid: 'Invalid OTP',
  passkey_invalid: 'This passkey could not be checked. Please try again.',
  passkey_unknown:
    'This passkey opens no account here. It may have been removed. Please sign in another way.',
  passkey_not_found: 'This passkey was removed already.',
  passkey_exists: 'This device or password manager already holds a passkey for your account.',
  passkey_limit_reached: 'You can have at most 20 passkeys. Remove one first.',
  last_way_in: 'This is your last way to sign in. Add another one first.',
  second_step_needed: 'One of your organizations needs this second step. Set up another one first.',
  second_step_required: 'This organization asks for a second step. Please set one up or confirm yours.',
  otp_expired: 'This code is no longer valid. Ask for a new one.',
  file_too_large: 'The file is larger than 5 MB.',
  payload_too_large: 'The request is too large.',
  invalid_image: 'Please choose a PNG or JPEG image.',
  unsupported_media_type: 'The request has a content type this call does not take.',
  misdirected_request: 'This host is not served here.',
  invalid_input: 'Please check the marked fields.',
  too_many_requests: 'Too many tries. Please wait a moment.',
  internal_error: uiText.wentWrong,
  unavailable: 'We are busy or restarting. Please try again in a moment.',
  social_not_set_up: 'This way to sign in is not set up yet.',
} as const satisfies Record<RefusalName, string>;
