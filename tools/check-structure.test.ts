import { expect, test } from 'vitest';
import { checkStructure } from './check-structure.ts';

const messagesOf = (file: string, text: string) =>
  checkStructure(new Map([[file, text]])).map((f) => f.message);

const good: [file: string, text: string][] = [
  [
    'contract/members/calls.ts',
    `import * as z from 'zod/mini'; import { api } from './api.ts'; export * from '#contract/text/a.ts';`,
  ],
  [
    'contract/members.test.ts',
    `import { test } from 'vitest'; import { start } from '#server/testing/start-app.ts';`,
  ],
  ['server/members/rules.ts', `import { limits } from '#contract/limits.ts';`],
  [
    'server/members/data.ts',
    `import { sql } from 'kysely'; import type { Tx } from '#server/db/connect.ts'; import type { Deps } from '#server/deps.ts';`,
  ],
  [
    'server/members/actions.ts',
    `import { mayInvite } from './rules.ts'; import { recordActivity } from '../activity/actions.ts'; import { enqueue } from '#server/jobs/queue.ts'; import { randomBytes } from 'node:crypto'; transaction(sql, run);`,
  ],
  [
    'server/members/routes.ts',
    `import { serve } from '#server/http/serve.ts'; import { invite } from './actions.ts'; import { find } from './data.ts';`,
  ],
  ['server/members/mail.ts', `import { frame } from '#server/mail/frame.ts';`],
  [
    'server/accounts/deletion/actions.ts',
    `import { findUser } from '../data.ts'; import { leave } from '#server/drive/actions.ts'; import { due } from './rules.ts'; transaction(sql, run);`,
  ],
  [
    'server/members/routes.test.ts',
    `import { start } from '#server/testing/start-app.ts'; import { seed } from '#server/drive/data.ts'; import pg from 'pg';`,
  ],
  ['server/members/routes-invite.test.ts', ''],
  [
    'server/members/guards.ts',
    `import { lock } from './data.ts'; import { find } from '#server/accounts/data.ts';`,
  ],
  ['server/db/tables.ts', `import type { WebhookTables } from '#server/webhooks/tables.ts';`],
  [
    'server/http/gate.ts',
    `import { find } from '#server/db/connect.ts'; import { config } from '#server/config.ts'; import fastify from 'fastify';`,
  ],
  [
    'server/db/connect.ts',
    `import { PGlite } from '@electric-sql/pglite'; import pg from 'pg'; import { Kysely } from 'kysely';`,
  ],
  ['server/deps.ts', `import type { Db } from '#server/db/connect.ts'; import { clock } from './clock.ts';`],
  [
    'server/app.ts',
    `import { routes } from '#server/members/routes.ts'; import { gate } from './http/gate.ts';`,
  ],
  ['server/main.ts', `import { app } from './app.ts';`],
  ['server/testing/start-app.ts', `import { app } from '#server/app.ts'; import { sql } from 'kysely';`],
  [
    'web/members/members-page.tsx',
    `import { useState } from 'react'; import { Button } from '#web/ui/button.tsx'; import './members.css'; const row = <b>{useState}</b>;`,
  ],
  ['web/app/routes.ts', `const page = () => import('#web/members/members-page.tsx');`],
  ['web/roles/role-page.tsx', `import { roleOptions } from '#web/members/role-options.ts';`],
  ['server/jobs/data-claims.ts', "import { sql } from 'kysely'; await sql`select 1`.execute(database);"],
  ['server/drive/routes.ts', `import { drive } from '#contract/drive/calls.ts';`],
  ['web/vite.config.ts', `import react from '@vitejs/plugin-react'; import { join } from 'node:path';`],
  ['web/public/theme.js', ''],
  ['web/members/terms-of-service-page.tsx', ''],
  [
    'e2e/members.e2e.ts',
    `import { test } from '@playwright/test'; import { app } from '#server/testing/start-app.ts'; import { a } from './fixtures.ts';`,
  ],
  ['bench/members.mjs', `import { start } from '#server/testing/start-app.ts';`],
  ['bench/members.ts', `import { findBrowser } from '#tools/browser.ts';`],
  ['tools/seed.ts', `import { open } from '#server/db/connect.ts'; await import(process.argv[2]);`],
];

test.for(good)('%s may say: %s', ([file, text]) => {
  expect(messagesOf(file, text)).toEqual([]);
});

const bad: [file: string, text: string, says: RegExp][] = [
  ['contract/members/calls.ts', `import * as z from 'zod';`, /contract may import contract, zod\/mini/],
  ['contract/members/calls.ts', `import { join } from 'node:path';`, /hand the value in/],
  ['contract/members/calls.ts', `import { db } from '#server/db/connect.ts';`, /contract may import/],
  [
    'contract/members/calls.ts',
    `import { db } from '../../server/config.ts';`,
    /leaves its room\. Write "#server\/config\.ts"/,
  ],
  ['contract/members/calls.ts', `import { db } from '#deploy/seed.ts';`, /package\.json knows/],
  ['contract/members/calls.ts', `import { db } from '#tools/seed.ts';`, /contract may import/],
  [
    'server/members/rules.ts',
    `import { createHash } from 'node:crypto';`,
    /server rules\.ts may import contract\./,
  ],
  ['server/members/rules.ts', `import { find } from './data.ts';`, /server rules\.ts may import contract\./],
  ['server/members/data.ts', `import { gate } from '#server/http/gate.ts';`, /server data\.ts may import/],
  [
    'server/members/data.ts',
    `import { find } from '#server/accounts/actions.ts';`,
    /server data\.ts may import/,
  ],
  ['server/members/data.ts', `import pg from 'pg';`, /server data\.ts may import/],
  [
    'server/members/actions.ts',
    `import { gate } from '#server/http/gate.ts';`,
    /as an argument, which routes\.ts/,
  ],
  [
    'server/members/actions.ts',
    `import type { Scope } from '#server/http/gate.ts';`,
    /server actions\.ts may import/,
  ],
  [
    'server/members/actions.ts',
    `type Scope = import('#server/http/gate.ts').Scope;`,
    /server actions\.ts may import/,
  ],
  ['server/members/actions.ts', `import { sql } from 'kysely';`, /put the query into data\.ts/],
  [
    'server/members/actions.ts',
    `import { list } from '#server/roles/data.ts';`,
    /order is sessions\/entry → webhooks\/events → activity → /,
  ],
  [
    'server/members/actions.ts',
    `import { list } from '../roles/actions.ts';`,
    /order is sessions\/entry → webhooks\/events → activity → /,
  ],
  [
    'server/accounts/actions.ts',
    `import { due } from './deletion/rules.ts';`,
    /order is sessions\/entry → webhooks\/events → activity → /,
  ],
  [
    'server/roles/actions.ts',
    `import { routes } from '#server/members/routes.ts';`,
    /call its actions, data or rules/,
  ],
  [
    'server/members/routes.ts',
    `import { list } from '#server/accounts/actions.ts';`,
    /server routes\.ts may import/,
  ],
  [
    'server/members/actions.ts',
    `await activeSuperAdmins(tx).limit(2).execute();`,
    /"execute" belongs into data\.ts/,
  ],
  ['server/main.ts', `sql.selectFrom('users');`, /"selectFrom" belongs into data\.ts/],
  ['server/jobs/jobs.ts', 'sql<Job>`select 1`;', /"sql" belongs into data\.ts/],
  ['server/members/routes.ts', `import { sql } from 'kysely';`, /put the query into data\.ts/],
  [
    'server/members/routes.ts',
    `import { PGlite } from '@electric-sql/pglite';`,
    /put the query into data\.ts/,
  ],
  [
    'server/members/routes.ts',
    `import type { Tx } from '#server/db/connect.ts';`,
    /server routes\.ts may import/,
  ],
  ['server/members/jobs.ts', `export { gate } from '#server/http/gate.ts';`, /server jobs\.ts may import/],
  ['server/members/mail.ts', `export * from '#server/http/gate.ts';`, /server mail\.ts may import/],
  ['server/members/actions.ts', `import { start } from '#server/testing/start-app.ts';`, /outside of tests/],
  [
    'server/http/gate.ts',
    `const find = await import('#server/sessions/data.ts');`,
    /which app\.ts passes in/,
  ],
  ['server/db/connect.ts', `import { gate } from '#server/http/gate.ts';`, /server\/db may import/],
  ['server/jobs/loop.ts', `import { send } from '#server/mail/send.ts';`, /server\/jobs may import/],
  ['server/storage/disk.ts', `import { db } from '#server/db/connect.ts';`, /server\/storage may import/],
  ['server/mail/send.ts', `import { app } from '#server/app.ts';`, /app\.ts passes dependencies down/],
  ['server/deps.ts', `import { find } from './members/data.ts';`, /which app\.ts passes in/],
  ['server/app.ts', `import { start } from '#server/testing/start-app.ts';`, /outside of tests/],
  ['server/members/actions.ts', `const name = 'x'; await import(name);`, /computed path/],
  ['web/members/members-page.tsx', `import { a } from '#web/roles/roles-page.tsx';`, /web\/ui or web\/lib/],
  ['web/members/members-page.tsx', `import { a } from '../roles/roles-page.tsx';`, /web\/ui or web\/lib/],
  [
    'web/members/members-page.tsx',
    `import { a } from '#web/app/layout.tsx';`,
    /only web\/app knows web\/app/,
  ],
  [
    'web/members/members-page.tsx',
    `import type { A } from '#server/members/data.ts';`,
    /share it through contract/,
  ],
  ['web/members/members-page.tsx', `import { join } from 'node:path';`, /web feature may import/],
  [
    'web/app/menu.tsx',
    `import type { A } from '#server/deps.ts';`,
    /web\/app may import contract, web, packages/,
  ],
  ['web/ui/button.tsx', `import { a } from '#web/members/members-page.tsx';`, /web\/ui may import/],
  ['web/lib/form.ts', `import { a } from '#web/ui/alert.tsx';`, /web\/lib may import/],
  ['web/members/guards.ts', `import { a } from '#web/roles/role-page.tsx';`, /web feature may import/],
  [
    'server/drive/routes.ts',
    `import { a } from '#contract/organizations/calls.ts';`,
    /feature that answers it/,
  ],
  ['web/lib/call.ts', `import { a } from '#web/app/menu.tsx';`, /web\/lib may import/],
  [
    'server/roles/rules.ts',
    `import { a } from '#server/members/rules.ts';`,
    /call its actions, data or rules/,
  ],
  ['e2e/members.e2e.ts', `import { a } from '#web/members/members-page.tsx';`, /as a visitor does/],
  ['e2e/members.e2e.ts', `import { a } from '#server/members/data.ts';`, /e2e may import/],
  ['bench/members.mjs', `import { a } from '#server/app.ts';`, /bench may import/],
  ['bench/members.ts', `import { a } from '../tools/postgres.ts';`, /leaves its room/],
  ['tools/seed.ts', `import { a } from '#web/lib/call.ts';`, /tools may import/],
  ['tools/run.mjs', `import vite from 'vite';`, /tools \*\.mjs may import node:\*/],
  ['contract/members.test.ts', `import { a } from '#web/lib/call.ts';`, /test may import/],
  ['server/members/helpers.ts', '', /"helpers" says nothing/],
  ['server/mail/mail-service.ts', '', /"service" says nothing/],
  ['web/lib/date-utils.test.ts', '', /"utils" says nothing/],
  ['web/common/button.tsx', '', /"common" says nothing/],
  ['web/members/index.ts', '', /no barrels/],
  ['server/members/actions.ts', 'export const a = 1;', /opens no transaction/],
  ['server/members/invite/guards.ts', '', /has no such folder/],
  ['contract/words/roles.ts', '', /no known folder: features are activity, accounts/],
  ['server/billing/actions.ts', '', /no known folder: features are activity, accounts/],
  ['web/members-list/page.css', '', /no known folder: features are activity, accounts/],
  ['server/http/serve.js', '', /code is TypeScript/],
  ['contract/members/calls.ts', 'import {', /cannot be parsed/],
];

test.for(bad)('%s may not say: %s', ([file, text, says]) => {
  expect(messagesOf(file, text).join('\n')).toMatch(says);
});

test('a finding names the line, for each way to import', () => {
  const ways = [
    `import a from 'a';`,
    `import type { B } from 'b';`,
    `export { c } from 'c';`,
    `export * from 'd';`,
    `const e = () => import('e');`,
    `type F = import('f').F;`,
    `import g = require('g');`,
    `// import h from 'h';`,
    `const i = "import i from 'i'";`,
  ];
  const findings = checkStructure(new Map([['contract/members/calls.ts', ways.join('\n')]]));
  expect(findings.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(findings[6]?.message).toMatch(/imports "g"/);
});

test.for([
  ['web/members/members-page.tsx', 300, 0],
  ['web/members/members-page.tsx', 301, 1],
  ['contract/profile/country-data.ts', 301, 0],
  ['server/db/migrations/0001_schema.sql', 301, 0],
] as const)('%s with %i lines has %i findings', ([file, lines, findings]) => {
  expect(messagesOf(file, 'x;\n'.repeat(lines))).toHaveLength(findings);
});
