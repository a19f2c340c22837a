import * as z from 'zod/mini';
import { personName } from '#contract/profile/person-name.ts';
import { permission, permissionOf } from '#contract/roles/calls.ts';
import type { PersonRow } from '#server/applications/clients/data-rows.ts';
import type { Deps } from '#server/deps.ts';
import { linkPicture } from '#server/drive/actions.ts';

/**
 * The claims of a person (OpenID Connect Core 1.0, section 5.1), by the scopes of a token. An organization's own
 * application gets only what the organization holds, or the person gives.
 */
export function claimsOf(deps: Deps, person: PersonRow, scopes: ReadonlySet<string>, isOwn = false) {
  const { email, firstName, lastName, timeZone, phone, picture } = person;
  return {
    ...(scopes.has('profile') && {
      name: personName(firstName, lastName, email),
      ...(firstName && { given_name: firstName }),
      ...(lastName && { family_name: lastName }),
      ...(picture && { picture: linkPicture(deps, picture) }),
      ...(timeZone && !isOwn && { zoneinfo: timeZone }),
    }),
    ...(scopes.has('email') && email !== null && { email, email_verified: person.isConfirmed }),
    ...(scopes.has('phone') && phone !== null && { phone_number: phone, phone_number_verified: false }),
    ...(scopes.has('organization') && person.orgId !== null && organizationClaims(person)),
  };
}

/** The organization of the visit and the person's rights in it, spelled as `POST /redeem` spells them. */
const organizationClaims = (person: PersonRow) => ({
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
});
