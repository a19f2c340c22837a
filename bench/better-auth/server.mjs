// Better Auth as its documentation sets it up on node:http with PostgreSQL: no cookie cache, no rate limits, no logging.
// Mails are dropped. Passwords use its default, scrypt. With CLIENT_ID it is an OpenID provider, which signs with ES256
// as the other servers do; else it has organizations with custom roles.
import { createServer } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt, organization } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements, memberAc, ownerAc } from 'better-auth/plugins/organization/access';
import pg from 'pg';

const { PORT, SECRET, DATABASE_URL, CLIENT_ID, CLIENT_SECRET, CALLBACK, SCOPE } = process.env;
const rights = ['create', 'read', 'update', 'delete'];
const modules = { document: rights, template: rights, others: rights, self: rights, contacts: rights };
const ac = createAccessControl({ ...defaultStatements, ...modules });

const organizations = organization({
  ac,
  roles: {
    owner: ac.newRole({ ...ownerAc.statements, ...modules }),
    admin: ac.newRole({ ...adminAc.statements, ...modules }),
    member: ac.newRole(memberAc.statements),
  },
  dynamicAccessControl: { enabled: true },
  membershipLimit: 100_000,
  invitationLimit: 100_000,
  sendInvitationEmail: async () => {},
});
const provider = oauthProvider({
  loginPage: '/login',
  consentPage: '/consent',
  generateClientId: () => CLIENT_ID,
  generateClientSecret: () => CLIENT_SECRET,
});

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: SECRET,
  database: new pg.Pool({ connectionString: DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: false } },
  rateLimit: { enabled: false },
  logger: { disabled: true },
  telemetry: { enabled: false },
  ...(CLIENT_ID
    ? { disabledPaths: ['/token'], plugins: [jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }), provider] }
    : { plugins: [organizations] }),
});

await (await getMigrations(auth.options)).runMigrations();
if (CLIENT_ID) await registerApplication();
const handle = toNodeHandler(auth);
createServer((request, response) => void handle(request, response)).listen(Number(PORT), '127.0.0.1', () =>
  console.log('ready'),
);

async function registerApplication() {
  const { headers } = await auth.api.signUpEmail({
    body: { email: 'operator@northwind.example', password: SECRET, name: 'Olga Berg' },
    returnHeaders: true,
  });
  const cookie = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  await auth.api.adminCreateOAuthClient({
    headers: new Headers({ cookie: cookie.join('; ') }),
    body: {
      client_name: 'Sign',
      redirect_uris: [CALLBACK],
      scope: SCOPE,
      grant_types: ['authorization_code', 'refresh_token'],
      skip_consent: true,
    },
  });
}
