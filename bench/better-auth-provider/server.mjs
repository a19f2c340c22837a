// Better Auth as an OpenID provider, as its documentation sets it up on node:http with PostgreSQL: no cookie cache, no
// rate limits, no logging. It signs with ES256 as the other servers do.
import { createServer } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import pg from 'pg';

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${process.env.PORT}`,
  secret: process.env.SECRET,
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: false } },
  rateLimit: { enabled: false },
  logger: { disabled: true },
  telemetry: { enabled: false },
  disabledPaths: ['/token'],
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      generateClientId: () => process.env.CLIENT_ID,
      generateClientSecret: () => process.env.CLIENT_SECRET,
    }),
  ],
});

await (await getMigrations(auth.options)).runMigrations();
const { headers } = await auth.api.signUpEmail({
  body: { email: 'operator@northwind.example', password: process.env.SECRET, name: 'Olga Berg' },
  returnHeaders: true,
});
const cookie = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
await auth.api.adminCreateOAuthClient({
  headers: new Headers({ cookie: cookie.join('; ') }),
  body: {
    client_name: 'Sign',
    redirect_uris: [process.env.CALLBACK],
    scope: process.env.SCOPE,
    grant_types: ['authorization_code', 'refresh_token'],
    skip_consent: true,
  },
});
const handle = toNodeHandler(auth);
createServer((request, response) => void handle(request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
  () => console.log('ready'),
);
