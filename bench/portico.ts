import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { openTestDatabase } from '#server/testing/databases.ts';
import { crowd } from '#server/testing/crowd.ts';
import { tinyPng } from '#server/testing/icons.ts';
import { newDataDir, startPortal } from '#server/testing/portal.ts';
import { freePort } from '#server/testing/ports.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';
import type { LoadRequest } from './load.ts';
import { asker, endWithUs, MEMBERS, OWN_SESSIONS, PASSWORD, PEOPLE, type Side, whoSignsIn } from './sides.ts';

/** Node's memory settings from `npm start`, and the other settings that production requires. */
const { NODE_OPTIONS = '', MALLOC_ARENA_MAX = '', NODE_COMPILE_CACHE = '' } = process.env;
export const settings = {
  NODE_OPTIONS,
  MALLOC_ARENA_MAX,
  NODE_COMPILE_CACHE,
  NODE_ENV: 'production',
  SECRET_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'error',
  MAX_MEMBERS_PER_ORG: '100000',
  DRAIN_SECONDS: '0',
  // Nothing listens there: no measurement needs its mails.
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'portico@northwind.example',
};

export async function startOn(databaseUrl: string, more: Record<string, string> = {}) {
  const port = await freePort();
  const address = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: newDataDir(), ...address };
  const portal = await startPortal({ ...settings, ...own, ...more });
  endWithUs(() => portal.kill('SIGKILL'));
  await portal.ready();
  return portal;
}

/** Portico with a thousand members. People who call are admins; `nodeOptions` is appended to NODE_OPTIONS. */
export async function startPortico(nodeOptions = ''): Promise<Side & { readonly databaseUrl: string }> {
  const database = await openTestDatabase();
  const databaseUrl = database.url ?? '';
  const portal = await startOn(databaseUrl, { NODE_OPTIONS: `${NODE_OPTIONS} ${nodeOptions}`.trim() });

  const people: { readonly email: string; readonly visitor: Visitor }[] = [];
  for (let nth = 0; nth < PEOPLE; nth += 1) {
    const visitor = new Visitor(portal.url);
    const email = `person${nth}@northwind.example`;
    responseOf(await visitor.post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' }));
    people.push({ email, visitor });
  }
  await database.sql.updateTable('users').set({ confirmed_at: new Date() }).execute();

  const [founder] = people;
  if (!founder) throw new Error('nobody is here');
  const { visitor: boss } = founder;
  const cookies = people.map(({ visitor }) => cookieOf(visitor, 'portico'));
  const devices = people.map(({ visitor }) => cookieOf(visitor, 'portico-device'));
  const organization = await boss.post('/api/orgs', {
    first_name: 'Maya',
    last_name: 'Lindqvist',
    country_name: 'Sweden',
    organaization_name: 'Northwind Traders',
  });
  const orgId = responseOf<{ Id: OrgId }>(organization).Id;
  const role = await boss.post('/api/role', { org_id: orgId, role_name: 'Sales' });
  const roleId = responseOf<{ Id: RoleId }>(role).Id;
  await crowd({ database }, orgId, [roleId], MEMBERS - PEOPLE);
  const form = new FormData();
  form.set('permission', '1');
  form.set('file', new Blob([tinyPng]), 'picture.png');
  const upload = await boss.send('POST', '/drive/profile', { raw: form });
  const { file_id: fileId } = responseOf<{ file_id: string }>(upload);
  await makeAdmins(database.sql, orgId);
  await addSessions(database.sql);
  await database.close();

  const inOrganization = `org_id=${orgId}`;
  const ask =
    (path: string, more: (nth: number) => Omit<LoadRequest, 'path'> = () => ({})) =>
    (nth: number) => ({ path, cookie: cookies[asker(nth)] ?? '', ...more(nth) });
  const check = ask('/api/ustat');
  return {
    pid: portal.pid,
    port: portal.port,
    databaseUrl,
    stop: () => {
      portal.kill('SIGTERM');
      return portal.ended;
    },
    asks: {
      'session check': check,
      'session check, one at a time': check,
      init: ask(`/api/init?${inOrganization}`),
      'own sessions': ask('/api/usersession'),
      '50 of 1,000 members': ask(`/api/orgusers?${inOrganization}&limit=50`),
      'activity page': ask(`/api/auditlogs?${inOrganization}&limit=50`),
      invite: ask('/api/orgusers', (nth) => ({
        body: {
          org_id: orgId,
          role_id: roleId,
          first_name: 'Tom',
          last_name: 'Berg',
          email_id: `invited${nth}@northwind.example`,
        },
      })),
      'permission save': ask('/api/role', (nth) => ({
        method: 'PUT',
        body: { org_id: orgId, role_id: roleId, permission: { sign: rightsOf(nth) } },
      })),
      'picture fetch': ask(`/drive/profile?file_id=${fileId}`),
      'sign-in': (nth) => ({
        path: '/api/signin',
        cookie: devices[whoSignsIn(nth)] ?? '',
        body: signIn(`person${whoSignsIn(nth)}@northwind.example`),
      }),
      'sign-up': (nth) => ({
        path: '/api/signup',
        body: { emailId: `new${nth}@northwind.example`, password: PASSWORD, timezone: 'Europe/Stockholm' },
      }),
    },
  };
}

type Sql = Awaited<ReturnType<typeof openTestDatabase>>['sql'];
/** All may make the measured calls as admins, and nobody uses up an hourly limit. */
const makeAdmins = (database: Sql, orgId: OrgId) =>
  sql`insert into memberships (org_id, user_id, role_id, status, first_name, last_name, created_at)
    select ${orgId}, users.id, roles.id, 2, 'Ann', 'Lee', now() from users, roles
    where roles.org_id = ${orgId} and roles.kind = 'admin' and users.email like 'person%'
    on conflict do nothing`.execute(database);
const addSessions = (database: Sql) =>
  sql`insert into sessions (user_id, token_hash, created_at, last_seen_at, authenticated_at, ip_address, user_agent)
    select user_id, sha256(token_hash || n::text::bytea), created_at, last_seen_at, authenticated_at, ip_address, user_agent
    from sessions cross join generate_series(2, ${OWN_SESSIONS}::int) as n`.execute(database);

const signIn = (email: string) => ({ email_id: email, password: PASSWORD, timezone: 'Europe/Stockholm' });
const cookieOf = ({ cookies }: Visitor, name: string) => `${name}=${cookies.get(name) ?? ''}`;

/** A rights table for each `nth`: its bits are the rights, so that each save changes something. */
const rightsOf = (nth: number) =>
  Object.fromEntries(
    [1, 2, 3, 4, 5].map((module, at) => {
      const bit = (of: number) => (nth >> (at * 3 + of)) & 1;
      const [create, update, remove] = [bit(0), bit(1), bit(2)];
      return [module, { create, read: create | update | remove, update, delete: remove }];
    }),
  );
