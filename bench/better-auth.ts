import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import {
  asker,
  MEMBERS,
  OWN_SESSIONS,
  PASSWORD,
  PEOPLE,
  type Side,
  startBetterAuthServer,
  whoSignsIn,
} from './sides.ts';

/** Better Auth on its own database, with the same people and an organization with as many members. */
export async function startBetterAuth(): Promise<Side> {
  const databaseUrl = await createPostgresDatabase();
  const environment = { DATABASE_URL: databaseUrl, SECRET: randomBytes(32).toString('base64') };
  const { pid, port, stop } = await startBetterAuthServer(environment);

  const post = async (path: string, body: object, cookie = '') => {
    const origin = `http://127.0.0.1:${port}`;
    const headers = { 'content-type': 'application/json', cookie, origin };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/auth${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    return { cookie: cookies.join('; '), answer: (await response.json()) as { id: string } };
  };
  const cookies: string[] = [];
  for (let nth = 0; nth < PEOPLE; nth += 1)
    cookies.push((await post('/sign-up/email', { ...signIn(nth), name: 'Maya Lindqvist' })).cookie);
  const [cookie = ''] = cookies;
  const organization = await post(
    '/organization/create',
    { name: 'Northwind Traders', slug: 'northwind' },
    cookie,
  );
  const organizationId = organization.answer.id;
  const role = { organizationId, role: 'sales', permission: rightsOf(1) };
  await post('/organization/create-role', role, cookie);
  await fill(databaseUrl, organizationId);

  const ask = (path: string, body?: (nth: number) => object) => (nth: number) => ({
    path: `/api/auth${path}`,
    cookie: cookies[asker(nth)] ?? '',
    ...(body && { body: body(nth) }),
  });
  const enter = (path: string, body: (nth: number) => object) => (nth: number) => ({
    path: `/api/auth${path}`,
    body: body(nth),
  });
  const check = ask('/get-session');
  return {
    pid,
    port,
    stop,
    asks: {
      'session check': check,
      'session check, one at a time': check,
      init: ask(`/organization/get-full-organization?organizationId=${organizationId}`),
      'own sessions': ask('/list-sessions'),
      '50 of 1,000 members': ask(`/organization/list-members?organizationId=${organizationId}&limit=50`),
      invite: ask('/organization/invite-member', (nth) => ({
        organizationId,
        role: 'member',
        email: `invited${nth}@northwind.example`,
      })),
      'permission save': ask('/organization/update-role', (nth) => ({
        organizationId,
        roleName: 'sales',
        data: { permission: rightsOf(nth) },
      })),
      'sign-in': enter('/sign-in/email', (nth) => signIn(whoSignsIn(nth))),
      'sign-up': enter('/sign-up/email', (nth) => ({
        email: `new${nth}@northwind.example`,
        password: PASSWORD,
        name: 'Tom Berg',
      })),
    },
  };
}

const signIn = (nth: number) => ({ email: `person${nth}@northwind.example`, password: PASSWORD });

const modules = ['document', 'template', 'others', 'self', 'contacts'];
/** A rights table for each `nth`: its bits are the rights, so that each save changes something. */
const rightsOf = (nth: number) =>
  Object.fromEntries(
    modules.map((module, at) => {
      const some = ['create', 'update', 'delete'].filter((_, of) => (nth >> (at * 3 + of)) & 1);
      return [module, some.length > 0 ? ['read', ...some] : []];
    }),
  );

/** Makes everyone who signed up an admin and gives them more sessions. The other members never sign in. */
async function fill(connectionString: string, organizationId: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into member (id, "organizationId", "userId", role, "createdAt")
      select id, $1, id, 'admin', now() from "user" where id not in (select "userId" from member)`,
    [organizationId],
  );
  await client.query(
    `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent")
      select id || n, token || n, "userId", "expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent"
      from session cross join generate_series(2, $1::int) as n`,
    [OWN_SESSIONS],
  );
  await client.query(
    `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      select 'member' || n, 'Member ' || n, 'p' || md5(n::text) || '@northwind.example', true, now(), now()
      from generate_series(1, $1::int) as n`,
    [MEMBERS - PEOPLE],
  );
  await client.query(
    `insert into member (id, "organizationId", "userId", role, "createdAt")
      select 'membership' || n, $2, 'member' || n, 'member', now() from generate_series(1, $1::int) as n`,
    [MEMBERS - PEOPLE, organizationId],
  );
  await client.query('analyze');
  await client.end();
}
