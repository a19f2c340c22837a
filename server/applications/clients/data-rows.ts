import { type Kysely, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { RoleKind, Tables } from '#server/db/tables.ts';

// Rows that several application features read.

/** Registered applications with the hashes of their secrets. */
export const clientRows = (database: Kysely<Tables>) =>
  database
    .selectFrom('applications')
    .select(['id', 'client_id', 'name', 'kind', 'org_id', 'is_first_party', 'is_for_everyone'])
    .select(['redirect_urls', 'signed_out_urls', 'sign_out_url', 'signing_algorithm', 'public_keys', 'apis'])
    .select(['requires_par', 'requires_dpop', 'requires_pkce', 'members_of'])
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('application_secrets')
          .select([
            sql<string>`encode(secret_hash, 'hex')`.as('hash'),
            sql<number | null>`extract(epoch from ends_at)::float8`.as('endsAt'),
          ])
          .whereRef('application_id', '=', 'applications.id')
          .orderBy('application_secrets.id', 'desc'),
      ).as('secrets'),
    );
export type ClientRow = Awaited<ReturnType<ReturnType<typeof clientRows>['executeTakeFirstOrThrow']>>;

/**
 * The scopes of a grant beside its application. An organization's own application once got phone numbers without a
 * question, so they count only since the person consented.
 */
export const grantedScopes = (grant: 'allowed' | 'application_grants') => {
  const [scopes, consentedAt] = [sql.ref<string[]>(`${grant}.scopes`), sql.ref(`${grant}.consented_at`)];
  return sql<string[]>`case when applications.org_id is not null and ${consentedAt} is null
    then array_remove(${scopes}, 'phone') else ${scopes} end`;
};

export type PersonRow = {
  readonly email: string | null;
  readonly isConfirmed: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly timeZone: string | null;
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
      users.last_name as "lastName", users.time_zone as "timeZone", users.phone_e164 as phone,
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
