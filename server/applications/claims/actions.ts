import * as z from 'zod/mini';
import { personName } from '#contract/person-name.ts';
import { permission, permissionOf } from '#contract/roles.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { findPerson, type PersonRow } from '#server/applications/claims/data.ts';
import type { Deps } from '#server/deps.ts';
import { linkPicture } from '#server/drive/actions.ts';

type Visitor = { readonly userId: UserId; readonly orgId: OrgId | null };

/** The claims of a person as they are now (OpenID Connect Core 1.0, section 5.1), by the scopes of a token. */
export async function claimsOf(deps: Deps, { userId, orgId }: Visitor, scopes: ReadonlySet<string>) {
  const person = await findPerson(deps.sql, userId, orgId);
  if (!person) return {};
  const { email, firstName, lastName, timeZone, phone, picture } = person;
  return {
    ...(scopes.has('profile') && {
      name: personName(firstName, lastName, email),
      ...(firstName && { given_name: firstName }),
      ...(lastName && { family_name: lastName }),
      ...(picture && { picture: linkPicture(deps, picture) }),
      ...(timeZone && { zoneinfo: timeZone }),
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
