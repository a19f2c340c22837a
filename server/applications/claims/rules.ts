import type { Scope } from '#contract/applications/registration.ts';

/** The claims behind each scope (OpenID Connect Core 1.0, section 5.4). */
export const CLAIMS: Record<Exclude<Scope, 'offline_access'>, string[]> = {
  // An ID token carries these always.
  openid: ['sub', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'picture', 'zoneinfo'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  organization: ['org_id', 'org_name', 'org_url_name', 'role', 'role_id', 'org_admin', 'permissions'],
};
