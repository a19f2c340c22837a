import { type RawBuilder, sql } from 'kysely';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { chainOf } from '#server/activity/rules.ts';
import type { Db } from '#server/db/connect.ts';

interface Scope {
  /** Restricts a column with an organization's id to the organization under test. */
  readonly ofOrg: (column: string) => RawBuilder<unknown>;
  /** The same for a person's id and the people of that organization. */
  readonly ofPerson: (column: string) => RawBuilder<unknown>;
  /** The same for a chain of the log. */
  readonly ofChain: (column: string) => RawBuilder<unknown>;
}

const every = () => sql`true`;
const everything: Scope = { ofOrg: every, ofPerson: every, ofChain: every };
const only = (orgId: OrgId): Scope => ({
  ofOrg: (column) => sql`${sql.ref(column)} = ${orgId}`,
  ofPerson: (column) => sql`${sql.ref(column)} in (select user_id from memberships where org_id = ${orgId})`,
  ofChain: (column) => sql`${sql.ref(column)} = ${chainOf(orgId, OPERATOR_ID)}`,
});

/**
 * Queries for forbidden rows, numbered as the invariants of docs/security.md, for one organization and its
 * people or for all.
 */
const breaches = (seats: number, { ofOrg, ofPerson, ofChain }: Scope) => ({
  '1: an organization with members has no active Super Admin': sql`
    select organizations.id from organizations
    where ${ofOrg('organizations.id')}
      and exists (select from memberships where org_id = organizations.id and status in (1, 2))
      and not exists (
        select from memberships join roles on roles.id = role_id
        where memberships.org_id = organizations.id and status = 2 and kind = 'super-admin'
      )`,
  '2: a member has no role, or one of another organization': sql`
    select memberships.id from memberships left join roles on roles.id = role_id
    where ${ofOrg('memberships.org_id')} and roles.org_id is distinct from memberships.org_id`,
  '2: somebody invited has a password that came of the invitation': sql`
    select memberships.id from memberships
      join one_time_tokens on member_id = memberships.id
      join passwords on passwords.user_id = memberships.user_id
        and changed_at between used_at - interval '1 second' and used_at + interval '1 second'
    where status = 1 and ${ofOrg('org_id')}`,
  '2: an invitation has two links, or one that outlived it': sql`
    select member_id from one_time_tokens join memberships on memberships.id = member_id
    where used_at is null and ${ofOrg('org_id')} group by member_id, status having count(*) > 1 or status <> 1`,
  '2: more seats are taken than there are': sql`
    select org_id from memberships where ${ofOrg('org_id')} and status <> 3
    group by org_id having count(*) > ${seats}`,
  '2: members are counted wrongly': sql`
    select org_id, role_id, status from (
      select org_id, role_id, status, 1 as one from memberships
      union all select org_id, role_id, status, -members from member_counts
    ) as counted where ${ofOrg('org_id')} group by org_id, role_id, status having sum(one) <> 0`,
  '3: two people have one address': sql`
    select lower(email) from users
    where lower(email) in (select lower(email) from users where ${ofPerson('id')})
    group by 1 having count(*) > 1`,
  '3: two members are one person': sql`
    select org_id, user_id from memberships where ${ofOrg('org_id')} group by org_id, user_id having count(*) > 1`,
  '3: a person has two default organizations': sql`
    select user_id from memberships where is_default and ${ofPerson('user_id')} group by user_id having count(*) > 1`,
  '4: a closed account has a session': sql`
    select sessions.id from sessions join account_deletions using (user_id) where ${ofPerson('user_id')}`,
  '4: a session is older than a restriction by an operator': sql`
    select sessions.id from sessions join restrictions using (user_id)
    where cause = 'operator' and sessions.created_at < restrictions.created_at and ${ofPerson('user_id')}`,
  // The session that changed the password stays, because it has just proven its identity.
  '4: a session is older than the password': sql`
    select sessions.id from sessions join passwords using (user_id)
    where authenticated_at < changed_at and ${ofPerson('user_id')}`,
  '4: somebody has more than twenty sessions': sql`
    select user_id from sessions where ${ofPerson('user_id')} group by user_id having count(*) > 20`,
  '4: a link serves after another of its purpose was used': sql`
    select user_id, purpose from one_time_tokens as link
    where used_at is null and member_id is null and purpose not in ('not-me', 'restore-email')
      and ${ofPerson('user_id')}
      and exists (
        select from one_time_tokens as used
        where used.user_id = link.user_id and used.purpose = link.purpose and used.subject = link.subject
          and used.member_id is null and used.used_at > link.created_at)`,
  '6: a chain of the log is longer or shorter than it says': sql`
    select chain from (select chain, length from activity_chains where ${ofChain('chain')}) ends
      full join (
        select chain, count(*), max(position) from activity where ${ofChain('chain')} group by chain
      ) counted using (chain)
    where length is distinct from counted.count or length is distinct from counted.max`,
  '8: a mail or job was given up': sql`
    select id from jobs where failed_at is not null and last_error <> 'out of date'`,
});

export const rules = Object.keys(breaches(0, everything));

export async function brokenRows(database: Db, seats: number, orgId?: OrgId): Promise<string[]> {
  const scope = orgId === undefined ? everything : only(orgId);
  const broken: string[] = [];
  for (const [rule, query] of Object.entries(breaches(seats, scope))) {
    const { rows } = await query.execute(database);
    if (rows.length > 0) broken.push(`${rule} (${rows.length}, first ${JSON.stringify(rows[0])})`);
  }
  return broken;
}
