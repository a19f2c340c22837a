import { sql } from 'kysely';
import type { OrgId } from '#contract/wire.ts';
import { brokenChains } from '#server/activity/chain/actions.ts';
import type { TestApp } from '#server/testing/start-app.ts';

/** What never holds, whatever happened before: each query finds the rows that break one rule (design/security.md, section 3). */
const breaches = (seats: number, orgId: OrgId) => ({
  'an organization with members has no active Super Admin': sql`
    select organizations.id from organizations
    where id = ${orgId}
      and exists (select from memberships where org_id = organizations.id and status in (1, 2))
      and not exists (
        select from memberships join roles on roles.id = role_id
        where memberships.org_id = organizations.id and status = 2 and kind = 'super-admin'
      )`,
  'a member has no role, or one of another organization': sql`
    select memberships.id from memberships left join roles on roles.id = role_id
    where memberships.org_id = ${orgId} and roles.org_id is distinct from memberships.org_id`,
  'more seats are taken than there are': sql`
    select count(*) from memberships where org_id = ${orgId} and status <> 3 having count(*) > ${seats}`,
  'members are counted wrongly': sql`
    select role_id, status from (
      select role_id, status, 1 as one from memberships where org_id = ${orgId}
      union all select role_id, status, -members from member_counts where org_id = ${orgId}
    ) as counted group by role_id, status having sum(one) <> 0`,
  'two members are one person': sql`
    select user_id from memberships where org_id = ${orgId} group by user_id having count(*) > 1`,
  'two people have one address': sql`
    select lower(email) from users where email is not null group by 1 having count(*) > 1`,
  'a person has two default organizations': sql`
    select user_id from memberships where is_default group by user_id having count(*) > 1`,
  'an invitation has two links, or one that outlived it': sql`
    select member_id from one_time_tokens join memberships on memberships.id = member_id
    where used_at is null and org_id = ${orgId} group by member_id, status having count(*) > 1 or status <> 1`,
  'somebody invited has a password that came of the invitation': sql`
    select memberships.id from memberships
      join one_time_tokens on member_id = memberships.id
      join passwords on passwords.user_id = memberships.user_id and changed_at = used_at
    where status = 1 and org_id = ${orgId}`,
  'a closed account has a session': sql`
    select sessions.id from sessions join account_deletions using (user_id)`,
  'a mail or job was given up': sql`
    select id from jobs where failed_at is not null and last_error <> 'out of date'`,
});

/** Which invariants are broken, of an organization and of what it touches; in words. */
export async function brokenInvariants(app: TestApp, orgId: OrgId): Promise<string[]> {
  const { sql: database, config } = app.deps;
  const broken: string[] = [];
  for (const [what, query] of Object.entries(breaches(config.maxMembersPerOrg, orgId))) {
    const { rows } = await query.execute(database);
    if (rows.length > 0) broken.push(what);
  }
  // An organization that a test wrote by hand may have no log yet.
  for await (const { chain, position, problem } of brokenChains(app.deps, `org:${orgId}`))
    if (problem !== 'no such chain') broken.push(`${chain} ${position}: ${problem}`);
  if (app.logLines.some((line) => /digest=|"password"/.test(line))) broken.push('a secret is in the log');
  return broken;
}
