import { type RawBuilder, sql } from 'kysely';
import type { GrantId } from '#contract/applications/registration.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { RoleKind } from '#server/db/tables.ts';

export type PersonRow = {
  readonly email: string | null;
  readonly isConfirmed: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly timeZone: string | null;
  readonly language: string | null;
  readonly phone: string | null;
  readonly picture: FileId | null;
  readonly orgId: OrgId | null;
  readonly orgName: string;
  readonly orgUrlName: string;
  readonly roleId: RoleId;
  readonly role: string;
  readonly roleKind: RoleKind;
  readonly isAdmin: boolean;
  readonly rights: readonly string[];
};

/** A person as an application may see them, with their role in the organization of the visit. */
export const personRow = (userId: UserId | RawBuilder<UserId>, orgId: OrgId | null | RawBuilder<OrgId>) =>
  sql<PersonRow>`
    select users.email, users.confirmed_at is not null as "isConfirmed", users.first_name as "firstName",
      users.last_name as "lastName", users.time_zone as "timeZone", users.language, users.phone_e164 as phone,
      (select file_id from pictures where user_id = users.id) as picture,
      organizations.id as "orgId", organizations.name as "orgName", organizations.url_name as "orgUrlName",
      roles.id as "roleId", roles.name as role, roles.kind as "roleKind", roles.is_admin as "isAdmin",
      array(select service || '.' || module || '.' || action from role_rights
        where role_rights.role_id = roles.id) as rights
    from users
    left join memberships on memberships.user_id = users.id and memberships.org_id = ${orgId}::bigint
      and memberships.status = ${sql.lit(MEMBER_STATUS.active)}
    left join organizations on organizations.id = memberships.org_id
    left join roles on roles.id = memberships.role_id
    where users.id = ${userId}`;

const personOf = prepared(
  (_, { grantId }: { readonly grantId: GrantId | undefined }) => sql<PersonRow>`
    select person.* from application_grants allowed
    cross join lateral (${personRow(sql.ref('allowed.user_id'), sql.ref('allowed.org_id'))}) as person
    where allowed.id = ${grantId}`,
);

/** The person of a grant as its application may see them, with their role in the grant's organization. */
export async function findPerson(database: Db, grantId: GrantId | undefined): Promise<PersonRow | undefined> {
  const [row] = await personOf(database, { grantId });
  return row;
}
