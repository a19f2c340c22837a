import { describe, expect, expectTypeOf, test } from 'vitest';
import { codeOf, errors, Refusal, type RefusalName, refuse } from './errors.ts';
import { errorText } from '#words/error.ts';
import { type Shown, shownAs } from '#contract/split-by-bytes/shown.ts';

/** The wire's table of codes by status. */
const statusOf: Record<number, string> = {
  400: 'malformed_request org_id_invalid',
  401: 'not_signed_in signed_in_as_another invalid_credentials otp_invalid passkey_invalid passkey_unknown',
  403: 'reauthentication_required mailed_code_required strong_step_required not_allowed super_admin_only account_not_confirmed account_is_disable second_step_required company_sign_in_required account_proof_required cross_site_request',
  404: 'org_not_found user_not_found role_not_found session_not_found application_not_found webhook_not_found domain_not_found connection_not_found passkey_not_found file_not_found not_found',
  409: `email_id_exist user_present_in_org role_already_exists no_changes last_super_admin same_password
    changed_meanwhile sign_max_users_reached org_max_limit_reached application_limit_reached webhook_limit_reached domain_limit_reached directory_token_limit_reached passkey_exists passkey_limit_reached
    last_way_in second_step_needed`,
  410: 'digest_invalid digest_expired otp_expired authorization_expired',
  413: 'file_too_large payload_too_large',
  415: 'invalid_image unsupported_media_type',
  421: 'misdirected_request',
  422: 'invalid_input',
  429: 'too_many_requests',
  500: 'internal_error',
  503: 'unavailable social_not_set_up',
};
const table = Object.entries(statusOf).flatMap(([status, codes]) =>
  codes.split(/\s+/).map((code) => [code, Number(status)] as const),
);
const names = Object.keys(errors) as RefusalName[];

describe('statuses', () => {
  test.each(table)('%s is %i', (code, status) => {
    expect(names).toContain(code);
    expect(errors[code as RefusalName].status).toBe(status);
    expect(codeOf(code as RefusalName)).toBe(code);
  });

  test('a wrong current password has the code of a failed sign-in, with 403', () => {
    expect(codeOf('wrong_password')).toBe('invalid_credentials');
    expect(errors.wrong_password.status).toBe(403);
  });

  test('every code is named by the wire', () => {
    const codes = new Set(table.map(([code]) => code));
    expect(names.filter((name) => !codes.has(codeOf(name)))).toEqual([]);
  });
});

// Word for word, mistakes included (specification section 8).
test.each([
  ['internal_error', 'Oops! Something went wrong'],
  ['no_changes', 'No changes'],
  ['user_present_in_org', 'User already present in the Org'],
  ['org_id_invalid', 'org_id is invalid'],
  [
    'last_super_admin',
    'Organization must have at least one active super admin. Please make sure there is at least one super admin account with an active status',
  ],
  ['email_id_exist', 'Email Id already exits'],
  ['invalid_credentials', 'The Email address or Password is wrong.'],
  ['wrong_password', 'Invalid crendentials'],
  ['user_not_found', 'Email id does not exist'],
  ['otp_invalid', 'Invalid OTP'],
  ['super_admin_only', 'Only a Super Admin may delete users'],
] as const)('%s says %j', (name, text) => {
  expect(errorText[name]).toBe(text);
});

test.each<[Shown, string]>([
  [
    'warning',
    'user_present_in_org role_already_exists no_changes changed_meanwhile company_sign_in_required',
  ],
  ['upgrade', 'sign_max_users_reached org_max_limit_reached'],
  ['field', 'invalid_input'],
  [
    'redirect',
    'org_id_invalid not_signed_in signed_in_as_another reauthentication_required mailed_code_required strong_step_required account_not_confirmed account_is_disable org_not_found',
  ],
])('shown as %s: %s', (shown, list) => {
  expect(names.filter((name) => shownAs(codeOf(name)) === shown).toSorted()).toEqual(
    list.split(' ').toSorted(),
  );
});

test('every text is a sentence for people', () => {
  expect(
    names.filter((name) => !/^[A-Za-z].{5,}$/.test(errorText[name]) || /[{}_]/.test(errorText[name])),
  ).toEqual(['org_id_invalid']);
});

describe('a refusal', () => {
  test('carries its name and its details', () => {
    const refusal = refuse('account_is_disable', { reason: 'restricted', until: new Date(0) });
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({
      name: 'account_is_disable',
      detail: { reason: 'restricted', until: new Date(0) },
    });
    expect(refuse('no_changes').detail).toEqual({});
  });

  test('a refusal has its name in its type, and unknown names do not compile', () => {
    expectTypeOf(refuse('no_changes')).toEqualTypeOf<Refusal<'no_changes'>>();
    expectTypeOf<Parameters<typeof refuse>[0]>().toEqualTypeOf<RefusalName>();
    expectTypeOf<'no_change'>().not.toExtend<RefusalName>();
    expectTypeOf<Refusal<'no_changes'>>().not.toExtend<Refusal<'not_allowed'>>();
  });
});
