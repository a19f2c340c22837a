import { PRODUCT_NAME } from '#contract/limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { closeCursor } from '#server/members/directory/rules.ts';
import { crowd } from './crowd.ts';
import { customRole, founder } from './people.ts';
import { plantLog, RARE } from './planted-log.ts';
import type { TestApp } from './start-app.ts';
import type { Visitor } from './visitor.ts';

type Size = {
  readonly people: number;
  /** How many of the people belong to the large organization. */
  readonly members: number;
  /** Rows of the activity log. */
  readonly rows: number;
};
export type Grown = { readonly visitor: Visitor; readonly orgId: number; readonly roleId: number };

/**
 * Fills an empty portal with people, each with a session, a membership and the live tokens of an application: one large organization, whose
 * Super Admin is returned, and companies of five.
 */
export async function grow(app: TestApp, { people, members, rows }: Size): Promise<Grown> {
  const boss = await founder(app);
  const { orgId, visitor } = boss;
  const roles: number[] = [];
  for (const name of ['Sales', 'Clerk', 'Driver', 'Buyer']) roles.push(await customRole(app, orgId, name));
  // The planted log names people by these ids.
  await crowd(app, orgId, roles, members, { firstId: 2 });
  const at = `timestamptz '${app.clock.now().toISOString()}'`;
  const others = people - members;
  await app.database.exclusively((script) =>
    script(`
      set local session_replication_role = replica;
      insert into users (id, email, first_name, last_name, confirmed_at, created_at)
        select ${members} + 1 + n, 'q' || md5(n::text) || '@fabrikam.example', 'F' || n % 997, 'L' || n % 4999, ${at}, ${at}
        from generate_series(1, ${others}) as n;
      insert into organizations (name, url_name, application_name, created_at)
        select 'Company ' || n, 'company-' || n, '${PRODUCT_NAME}', ${at} from generate_series(1, ${Math.ceil(others / 5)}) as n;
      insert into roles (org_id, name, name_key, kind, is_admin, created_at)
        select id, kind, kind, kind, kind <> 'custom', ${at}
        from organizations cross join unnest(array['super-admin', 'admin', 'custom']) as kind where id <> ${orgId};
      insert into images (file_id, org_id, icon_type, media_type, created_at, shown_at)
        select id || '-' || icon, id, icon, 'image/png', ${at}, ${at} from organizations cross join generate_series(1, 2) as icon;
      insert into memberships (org_id, user_id, role_id, status, first_name, last_name, email_key, is_default, created_at)
        select role.org_id, person.id, role.id, 2, first_name, last_name, email, true, ${at}
        from (select *, row_number() over (order by id) - 1 as n from users where email like 'q%@fabrikam.example') as person
        join (select *, dense_rank() over (order by org_id) - 1 as company from roles where org_id <> ${orgId}) as role
          on company = n / 5
          and kind = case n % 5 when 0 then 'super-admin' when 1 then 'admin' else 'custom' end;
      insert into company_domains (org_id, domain, token, proven_at, created_at)
        select id, url_name || '.example', 't', ${at}, ${at} from organizations where id <> ${orgId};
      insert into company_connections (org_id, created_at) select id, ${at} from organizations where id <> ${orgId};
      insert into company_identities (connection_id, issuer, subject, user_id, created_at)
        select company_connections.id, issuer, user_id, user_id, ${at}
        from company_connections join memberships on memberships.org_id = company_connections.org_id;
      insert into scim_users (org_id, member_id, user_name, external_id, email, email_key, is_active, given_name,
          family_name, display_name, title, created_at, changed_at)
        select org_id, id, email_key, '', email_key, email_key, true, '', '', '', '', ${at}, ${at}
        from memberships;
      insert into scim_tokens (org_id, token_hash, created_at) select id, sha256(id::text::bytea), ${at} from organizations;
      insert into scim_groups (org_id, display_name, external_id, role_id, created_at, changed_at)
        select org_id, name, '', id, ${at}, ${at} from roles where kind = 'custom';
      insert into scim_group_members select scim_groups.id, scim_users.id from scim_groups join scim_users using (org_id);
      insert into member_search select id, member_words(org_id, name_key, email_key) from memberships
        where org_id <> ${orgId};
      insert into member_counts (org_id, role_id, status, members)
        select org_id, role_id, status, count(*) from memberships where org_id <> ${orgId} group by 1, 2, 3;
      insert into sessions (user_id, token_hash, created_at, last_seen_at, authenticated_at, ip_address, user_agent)
        select id, sha256(id::text::bytea), ${at}, ${at}, ${at}, '192.0.2.7', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0'
        from users where id <> ${boss.id};
      insert into passwords (user_id, sealed_phc, changed_at) select id, '', ${at} from users where id <> ${boss.id};
      insert into pending_emails (user_id, email, created_at, mailed_at)
        select id, 'new-' || email, ${at}, ${at} from users where id % 5 = 2;
      insert into pictures (user_id, file_id, media_type, created_at) select id, id, 'image/png', ${at} from users where id % 5 = 3;
      insert into restrictions (user_id, cause, created_at, ends_at, lifted_at)
        select id, 'operator', ${at}, ${at}, ${at} from users where id % 5 = 0;
      insert into account_deletions (user_id, reason, requested_at, due_at)
        select id, 'done', ${at}, ${at} + interval '60 days' from users where id % 5 = 1 and id <> ${boss.id};
      insert into notifications (user_id, kind, details, org_id, created_at, read_at)
        select person.id, case n % 2 when 0 then 'role_changed' else 'new_device' end, '{}',
          (select org_id from memberships where user_id = person.id limit 1), ${at}, case when n > 5 then ${at} end
        from users as person cross join generate_series(1, case person.id when ${boss.id} then 100 else 2 end) as n;
      insert into one_time_tokens (purpose, user_id, subject, token_hash, created_at, expires_at, member_id)
        select 'invitation', user_id, email_key, sha256(id::text::bytea), ${at}, ${at} + interval '7 days', id
        from memberships where status = 1;
      insert into one_time_tokens (purpose, user_id, subject, token_hash, created_at, expires_at, used_at)
        select 'verify-email', id, email, sha256(email::bytea), ${at}, ${at}, ${at} from users;
      insert into role_rights (org_id, role_id, service, module, action)
        select org_id, id, 'sign', n, 'read' from roles cross join generate_series(1, 3) as n where kind = 'custom';
      insert into applications (client_id, name, kind, redirect_urls, is_for_everyone, created_at)
        select 'grown-' || n, 'Application ' || n, 'web', array['https://' || n || '.example/callback'], n % 2 = 0, ${at}
        from generate_series(1, ${Math.ceil(people / 2)}) as n;
      insert into application_secrets (application_id, secret_hash, created_at)
        select id, sha256(client_id::bytea), ${at} from applications;
      insert into application_roles (application_id, role_id)
        select application.id, role.id
        from (select *, row_number() over (order by id) as n from applications) as application
        join (select *, row_number() over (order by id) as n from roles) as role using (n)
        where not is_for_everyone;
      insert into subjects (user_id) select id from users;
      insert into application_grants (user_id, application_id, scopes, created_at, last_used_at)
        select person.id, application.id, '{openid}', ${at}, ${at}
        from (select *, row_number() over (order by id) % ${Math.ceil(people / 2)} + 1 as n from users) as person
        join (select *, row_number() over (order by id) as n from applications) as application using (n);
      insert into provider_records (kind, id_hash, application_id, session_id, grant_id, family, payload, expires_at)
        select kind, sha256((kind || sessions.id)::bytea), application_id, sessions.id, allowed.id, allowed.id || '.first',
          '{}', ${at} + interval '14 days'
        from sessions join application_grants allowed using (user_id)
        cross join unnest(array['RefreshToken', 'AccessToken']) as kind;
      insert into application_sign_ins (session_id, application_id, user_id, sid, subject, signed_in_at)
        select sessions.id, application_id, user_id, sessions.id, subject, ${at}
        from sessions join application_grants using (user_id) join subjects using (user_id);
      insert into email_preferences (user_id, type, wanted) select id, 1, true from users where id % 3 = 0;
      analyze;`),
  );
  await plantLog(app.deps.sql, { rows, orgId: orgId as OrgId, busy: boss.id as UserId });
  return { visitor, orgId, roleId: roles.at(-1) ?? 0 };
}

/** A frequent call and its maximum number of statements at any size. */
type HotCall = { readonly path: string; readonly queries: number };

export function hotCalls({ orgId, roleId }: Pick<Grown, 'orgId' | 'roleId'>): Record<string, HotCall> {
  const directory = (more: string) => ({
    path: `/api/orgusers?org_id=${orgId}&limit=50${more}`,
    queries: 3,
  });
  const log = (more: string) => ({
    path: `/api/auditlogs?org_id=${orgId}&limit=50${more}`,
    queries: 5,
  });
  const afterCursor = (key: string, id: number) => `&after=${closeCursor({ key, id })}`;
  return {
    ustat: { path: '/api/ustat', queries: 1 },
    init: { path: `/api/init?org_id=${orgId}`, queries: 6 },
    usersession: { path: '/api/usersession', queries: 2 },
    notifications: { path: `/api/notifications?org_id=${orgId}`, queries: 6 },
    'notifications, later': { path: `/api/notifications?org_id=${orgId}&after=100`, queries: 6 },
    emailnotify: { path: '/api/emailnotify', queries: 2 },
    'orgusers, first page': directory(''),
    'orgusers, deep': directory(afterCursor('', 900)),
    'orgusers, last page': directory(`&descending=1${afterCursor('', 20)}`),
    'orgusers by name': directory('&sort=name'),
    'orgusers by name, deep': directory(`&sort=name${afterCursor('m', 900)}`),
    'orgusers by address, backwards': directory('&sort=email&descending=1'),
    'orgusers by role': directory('&sort=role'),
    'orgusers, one status': directory('&status=4'),
    'orgusers, one role': directory(`&role_id=${roleId}`),
    'orgusers, search': directory('&search=pabc1'),
    'auditlogs, first page': log(''),
    'auditlogs, deep': log(`&after=${Date.parse('2026-01-15')}-1000`),
    'auditlogs, one area': log('&module=1'),
    'auditlogs, a rare area': log(`&module=${RARE.module}`),
    'auditlogs, one type': log('&activity_type=7'),
    'auditlogs, one action': log('&action=3'),
    'auditlogs, a rare action': log(`&action=${RARE.action}`),
    'auditlogs, one person': log('&user_id=2'),
    'auditlogs, one day': log('&from=2026-01-02T00:00:00.000Z&to=2026-01-03T00:00:00.000Z'),
    'auditlogs, mine': log('&scope=mine'),
  };
}
