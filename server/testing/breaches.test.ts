import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { transaction } from '#server/db/connect.ts';
import { brokenRows, rules } from './breaches.ts';
import { company, type Company, type Worker } from './company.ts';
import { useApp } from './use-app.ts';

const SEATS = 5;
const app = useApp();
let org: Company;
let otherOrg: Company;
let boss: Worker;
let guest: Worker;
beforeAll(async () => {
  [org, otherOrg] = [await company(app), await company(app)];
  boss = await org.join('superAdmin', { isDefault: true });
  guest = await org.invite(boss);
  await otherOrg.join('superAdmin');
  // The first row of the organization's log.
  await boss.visitor.post('/api/role', { org_id: org.orgId, role_name: 'Lawyer' });
});

const token = (purpose: string, memberId: RawBuilder<unknown>) => sql`
  insert into one_time_tokens (purpose, user_id, subject, token_hash, member_id, created_at, expires_at)
  select ${purpose}, ${boss.id}, 'x', sha256(n::text::bytea), ${memberId}, now(), now() from generate_series(1, 2) n`;

/** Statements that break a rule which no constraint enforces. */
const breaks: Readonly<Record<string, () => RawBuilder<unknown>>> = {
  '1: an organization with members has no active Super Admin': () =>
    sql`update memberships set status = 3 where user_id = ${boss.id}`,
  '2: an invitation has two links, or one that outlived it': () =>
    token('invitation', sql`(select id from memberships where user_id = ${boss.id})`),
  '2: somebody invited has a password that came of the invitation': () => sql`
    with out as (delete from sessions where user_id = ${guest.id}),
      used as (update one_time_tokens set used_at = now() where user_id = ${guest.id})
    insert into passwords (user_id, sealed_phc, changed_at)
      values (${guest.id}, '', now() + interval '100 milliseconds')`,
  '2: more seats are taken than there are': () => sql`
    with people as (insert into users (created_at) select now() from generate_series(1, ${SEATS}) returning id)
    insert into memberships (org_id, user_id, role_id, status, first_name, created_at)
    select ${org.orgId}, id, ${org.roles.sales}, 2, 'Ann', now() from people`,
  '2: members are counted wrongly': () =>
    sql`update member_counts set members = members + 1 where org_id = ${org.orgId}`,
  '4: a closed account has a session': () => sql`
    insert into account_deletions (user_id, reason, requested_at, due_at) values (${boss.id}, 'x', now(), now())`,
  '4: a session is older than a restriction by an operator': () => sql`
    insert into restrictions (user_id, cause, created_at, ends_at) values (${boss.id}, 'operator', now(), now())`,
  '4: a session is older than the password': () => sql`
    insert into passwords (user_id, sealed_phc, changed_at) values (${boss.id}, '', now())`,
  '4: somebody has more than twenty sessions': () => sql`
    insert into sessions
      (user_id, token_hash, created_at, last_seen_at, authenticated_at, ip_address, user_agent, location)
    select ${boss.id}, sha256(n::text::bytea), now(), now(), now(), '127.0.0.1', 'x', 'x' from generate_series(1, 20) n`,
  '4: a link serves after another of its purpose was used': () => sql`
    insert into one_time_tokens (purpose, user_id, subject, token_hash, created_at, expires_at, used_at)
    select 'reset-password', ${boss.id}, 'x', sha256(n::text::bytea), now(), now(),
      case n when 2 then now() + interval '1 second' end
    from generate_series(1, 2) n`,
  '6: a chain of the log is longer or shorter than it says': () =>
    sql`update activity_chains set length = length + 1 where chain = ${`org:${org.orgId}`}`,
  '8: a mail or job was given up': () => sql`
    insert into jobs (kind, payload, created_at, run_at, failed_at, last_error)
    values ('mail', '{}', now(), now(), now(), 'no')`,
};

/** Rules that constraints enforce. */
const constraintRules = [
  '2: a member has no role, or one of another organization',
  '3: two people have one address',
  '3: two members are one person',
  '3: a person has two default organizations',
];

test('each rule can either be broken here or is enforced by a constraint', () => {
  expect([...Object.keys(breaks), ...constraintRules].toSorted()).toEqual(rules.toSorted());
});

class RolledBack extends Error {}

test('nothing is broken at the start', async () => {
  expect(await brokenRows(app.deps.sql, SEATS)).toEqual([]);
});

test.for(Object.entries(breaks))('%s', async ([rule, breach]) => {
  const work = transaction(app.deps.sql, async (tx) => {
    await breach().execute(tx);
    const expected = [expect.stringContaining(rule)];
    expect(await brokenRows(tx, SEATS)).toEqual(expected);
    expect(await brokenRows(tx, SEATS, org.orgId)).toEqual(expected);
    // Jobs belong to no organization.
    expect(await brokenRows(tx, SEATS, otherOrg.orgId)).toEqual(rule.startsWith('8') ? expected : []);
    throw new RolledBack();
  });
  await expect(work).rejects.toThrow(RolledBack);
});
