import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPostgresDatabase } from '#server/testing/databases.ts';
import {
  asker,
  installPackages,
  MEMBERS,
  OWN_SESSIONS,
  PASSWORD,
  PEOPLE,
  type Side,
  startServer,
  whoSignsIn,
} from './sides.ts';

/** Better Auth on a database of its own, with the same people and an organization of as many members. */
export async function startBetterAuth(): Promise<Side> {
  await installPackages('better-auth');
  const databaseUrl = await createPostgresDatabase();
  const environment = { DATABASE_URL: databaseUrl, SECRET: randomBytes(32).toString('base64') };
  const { pid, port, stop } = await startServer('better-auth/server.mjs', environment);

  const post = async (path: string, body: object, cookie = '') => {
    const origin = `http://127.0.0.1:${port}`;
    const headers = { 'content-type': 'application/json', cookie, origin };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api/auth${path}`, sent);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    return { cookie: cookies.join('; '), answer: (await response.json()) as { id: string } };
  };
  const cookies: string[] = [];
  for (let nth = 0; nth < PEOPLE; nth += 1)
    cookies.push((await post('/sign-up/email', { ...signIn(nth), name: 'Maya Lindqvist' })).cookie);
  for (let more = 1; more < OWN_SESSIONS; more += 1) await post('/sign-in/email', signIn(0));
  const [cookie = ''] = cookies;
  const made = await post('/organization/create', { name: 'Northwind Traders', slug: 'northwind' }, cookie);
  const organizationId = made.answer.id;
  const role = { organizationId, role: 'sales', permission: rightsOf(1) };
  await post('/organization/create-role', role, cookie);
  await fillWithMembers(databaseUrl, organizationId);

  const get = (path: string) => ({ ask: () => ({ path: `/api/auth${path}`, cookie }) });
  const send = (path: string, body: (nth: number) => object, by?: string) => ({
    ask: (nth: number) => ({ path: `/api/auth${path}`, ...(by && { cookie: by }), body: body(nth) }),
  });
  const check = {
    ask: (nth: number) => ({ path: '/api/auth/get-session', cookie: cookies[asker(nth)] ?? '' }),
  };
  return {
    pid,
    port,
    stop,
    asks: {
      'session check': check,
      'session check, one at a time': check,
      init: get(`/organization/get-full-organization?organizationId=${organizationId}`),
      'own sessions': get('/list-sessions'),
      '50 of 1,000 members': get(`/organization/list-members?organizationId=${organizationId}&limit=50`),
      invite: send(
        '/organization/invite-member',
        (nth) => ({ organizationId, role: 'member', email: `invited${nth}@northwind.example` }),
        cookie,
      ),
      'permission save': send(
        '/organization/update-role',
        (nth) => ({ organizationId, roleName: 'sales', data: { permission: rightsOf(nth) } }),
        cookie,
      ),
      'sign-in': send('/sign-in/email', (nth) => signIn(whoSignsIn(nth))),
      'sign-up': send('/sign-up/email', (nth) => ({
        email: `new${nth}@northwind.example`,
        password: PASSWORD,
        name: 'Tom Berg',
      })),
    },
  };
}

const signIn = (nth: number) => ({ email: `person${nth}@northwind.example`, password: PASSWORD });

const modules = ['document', 'template', 'others', 'self', 'contacts'];
/** A table of rights that differs from the one before: the number in ones and zeros. */
const rightsOf = (nth: number) =>
  Object.fromEntries(
    modules.map((module, at) => {
      const some = ['create', 'update', 'delete'].filter((_, of) => (nth >> (at * 3 + of)) & 1);
      return [module, some.length > 0 ? ['read', ...some] : []];
    }),
  );

async function fillWithMembers(connectionString: string, organizationId: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      select 'member' || n, 'Member ' || n, 'p' || md5(n::text) || '@northwind.example', true, now(), now()
      from generate_series(1, $1::int) as n`,
    [MEMBERS - 1],
  );
  await client.query(
    `insert into member (id, "organizationId", "userId", role, "createdAt")
      select 'membership' || n, $2, 'member' || n, 'member', now() from generate_series(1, $1::int) as n`,
    [MEMBERS - 1, organizationId],
  );
  await client.query('analyze');
  await client.end();
}
