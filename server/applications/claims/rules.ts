import type { Scope } from '#contract/applications/registration.ts';

/** The claims behind each scope (OpenID Connect Core 1.0, section 5.4). */
export const CLAIMS = {
  // An ID token carries these always.
  openid: ['sub', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'picture', 'zoneinfo'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  organization: ['org_id', 'org_name', 'org_url_name', 'role', 'role_id', 'org_admin', 'permissions'],
} as const satisfies Record<Exclude<Scope, 'offline_access'>, readonly string[]>;

/** A value for each claim of a scope. A claim that is undefined is not told. */
export type Filled<S extends keyof typeof CLAIMS> = { readonly [C in (typeof CLAIMS)[S][number]]: unknown };
