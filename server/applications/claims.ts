import * as z from 'zod/mini';
import type { Scope } from '#contract/applications/registration.ts';
import { personName } from '#contract/profile/person-name.ts';
import { permission, permissionOf } from '#contract/roles/calls.ts';
import type { PersonRow } from './data-claims.ts';
import type { Deps } from '#server/deps.ts';
import { linkPicture } from '#server/drive/actions.ts';

/** The claims behind each scope (OpenID Connect Core 1.0, section 5.4). */
export const CLAIMS = {
  // An ID token carries these always.
  openid: ['sub', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'picture', 'zoneinfo', 'locale'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  organization: ['org_id', 'org_name', 'org_url_name', 'role', 'role_id', 'org_admin', 'permissions'],
} as const satisfies Record<Exclude<Scope, 'offline_access'>, readonly string[]>;

/** A value for each claim of a scope. A claim that is undefined is not told. */
type Filled<S extends keyof typeof CLAIMS> = { readonly [C in (typeof CLAIMS)[S][number]]: unknown };

export type Told = Exclude<keyof typeof CLAIMS, 'openid'>;

/** The claims of each scope. `organization` tells the person's rights as `POST /redeem` spells them. */
const claims = {
  profile: ({ email, firstName, lastName, timeZone, language, picture }, deps, isOwn): Filled<'profile'> => ({
    name: personName(firstName, lastName, email),
    given_name: firstName || undefined,
    family_name: lastName || undefined,
    picture: picture ? linkPicture(deps, picture) : undefined,
    zoneinfo: (!isOwn && timeZone) || undefined,
    locale: language ?? undefined,
  }),
  email: ({ email, isConfirmed }): Filled<'email'> | null =>
    email === null ? null : { email, email_verified: isConfirmed },
  phone: ({ phone }): Filled<'phone'> | null =>
    phone === null ? null : { phone_number: phone, phone_number_verified: false },
  organization: (person): Filled<'organization'> | null =>
    person.orgId === null
      ? null
      : {
          org_id: person.orgId,
          org_name: person.orgName,
          org_url_name: person.orgUrlName,
          role: person.role,
          role_id: person.roleId,
          org_admin: person.isAdmin,
          permissions: z.encode(
            permission,
            permissionOf(person.roleKind === 'custom' ? new Set(person.rights) : 'all'),
          ),
        },
} satisfies Record<Told, (person: PersonRow, deps: Deps, isOwn: boolean) => object | null>;

/** By the scopes of a token. An organization's own application gets only what the organization holds or the person gives. */
export function claimsOf(deps: Deps, person: PersonRow, scopes: ReadonlySet<string>, isOwn = false) {
  const told = Object.entries(claims).flatMap(([scope, tell]) =>
    scopes.has(scope) ? Object.entries(tell(person, deps, isOwn) ?? {}) : [],
  );
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}
