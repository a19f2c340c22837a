import type { OrgId, RoleId } from '#contract/wire.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';
import { crowd } from './crowd.ts';

export const CROWD_TOKEN = 'scim_crowd';

type Size = {
  readonly people: number;
  /** Groups have names of their numbers, from 1. */
  readonly groups: number;
  readonly groupSize: number;
};
/**
 * Adds members whom a company directory knows, its groups, and the group "everyone", to an organization of a portal that is
 * stopped. All accounts are confirmed.
 */
export async function directoryCrowd(
  environment: Record<string, string>,
  orgId: OrgId,
  { people, groups, groupSize }: Size,
): Promise<RoleId> {
  const database = await openDatabase(readConfig(environment));
  const role = await database.exclusively((script) =>
    script(`
      update users set confirmed_at = now();
      insert into company_domains (org_id, domain, token, proven_at, created_at)
        values (${orgId}, 'northwind.example', 't', now(), now());
      insert into roles (org_id, name, name_key, kind, is_admin, created_at)
        values (${orgId}, 'Directory', 'directory', 'custom', false, now());
      insert into scim_tokens (org_id, token_hash, role_id, created_at)
        select org_id, '\\x${sha256(CROWD_TOKEN).toString('hex')}', id, now() from roles where name_key = 'directory' returning role_id`),
  );
  const roleId = Number(role[0]?.['role_id']) as RoleId;
  await crowd({ database }, orgId, [roleId], people);
  await database.exclusively((script) =>
    script(`
      insert into scim_users (org_id, member_id, user_name, external_id, email, email_key, is_active, given_name,
          family_name, display_name, title, created_at, changed_at)
        select org_id, id, email_key, id::text, email_key, email_key, true, first_name, last_name,
          first_name || ' ' || last_name, 'Clerk', now(), now()
        from memberships where org_id = ${orgId} and email_key like 'p%@northwind.example';
      insert into scim_groups (org_id, display_name, external_id, size, created_at, changed_at)
        select ${orgId}, n::text, n::text, ${groupSize}, now() + n * interval '1 second', now()
          from generate_series(1, ${groups}) as n
        union all select ${orgId}, 'everyone', 'everyone', ${people}, now() - interval '1 second', now();
      insert into scim_group_members
        select scim_groups.id, person.id
        from scim_groups join (select id, row_number() over (order by id) - 1 as nth from scim_users) as person
          on display_name = 'everyone'
            or (nth + 37 * nullif(external_id, 'everyone')::int) % ${people} < ${groupSize};
      analyze`),
  );
  await database.close();
  return roleId;
}
