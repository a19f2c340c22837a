// Better Auth as its documentation sets it up on node:http with PostgreSQL: organizations with custom roles,
// no cookie cache, no rate limits, no logging. Mails are dropped. Passwords use its default, scrypt.
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { organization } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements, memberAc, ownerAc } from 'better-auth/plugins/organization/access';
import pg from 'pg';

const rights = ['create', 'read', 'update', 'delete'];
const modules = { document: rights, template: rights, others: rights, self: rights, contacts: rights };
const ac = createAccessControl({ ...defaultStatements, ...modules });

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${process.env.PORT}`,
  secret: process.env.SECRET,
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: false } },
  rateLimit: { enabled: false },
  logger: { disabled: true },
  telemetry: { enabled: false },
  plugins: [
    organization({
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
    }),
  ],
});

await (await getMigrations(auth.options)).runMigrations();
const handle = toNodeHandler(auth);
createServer((request, response) => void handle(request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
  () => console.log('ready'),
);
