import { expect, test } from 'vitest';
import { checkStructure } from './check-structure.ts';

const messagesOf = (file: string, text: string) =>
  checkStructure(new Map([[file, text]])).map((f) => f.message);

// The house itself shows what each file may say: the check of all files has no finding.
const bad: [file: string, text: string, says: RegExp][] = [
  ['web/ui/table.module.css', '.table { margin-left: 4px; }', /left is the other side in Arabic/],
  ['contract/members/calls.ts', `import * as z from 'zod';`, /contract may import contract, zod\/mini/],
  ['contract/members/calls.ts', `import { join } from 'node:path';`, /hand the value in/],
  ['contract/members/calls.ts', `import { db } from '#server/db/connect.ts';`, /contract may import/],
  [
    'contract/members/calls.ts',
    `import { db } from '../../server/config.ts';`,
    /leaves its room\. Write "#server\/config\.ts"/,
  ],
  ['server/members/actions.ts', `import { find } from '#server/members/data.ts';`, /Write "\.\/data\.ts"/],
  ['contract/members/calls.ts', `import { db } from '#deploy/seed.ts';`, /package\.json knows/],
  [
    'server/members/rules.ts',
    `import { createHash } from 'node:crypto';`,
    /server rules\.ts may import contract, lower rules\.ts\./,
  ],
  ['server/members/data.ts', `import { gate } from '#server/http/gate.ts';`, /server data\.ts may import/],
  [
    'server/members/actions.ts',
    `import { gate } from '#server/http/gate.ts';`,
    /as an argument, which routes\.ts/,
  ],
  ['server/members/actions.ts', `import { sql } from 'kysely';`, /put the query into data\.ts/],
  [
    'server/members/actions.ts',
    `import { list } from '#server/roles/data.ts';`,
    /order is access → access\/proofs → access\/ways → access\/company → webhooks\/events → activity → /,
  ],
  [
    'server/roles/actions.ts',
    `import { routes } from '#server/members/routes.ts';`,
    /call its actions, data or rules/,
  ],
  [
    'server/members/actions.ts',
    `await activeSuperAdmins(tx).limit(2).execute();`,
    /"execute" belongs into data\.ts/,
  ],
  ['server/members/actions.ts', `import { start } from '#server/testing/start-app.ts';`, /outside of tests/],
  [
    'server/http/gate.ts',
    `const find = await import('#server/sessions/data.ts');`,
    /which app\.ts passes in/,
  ],
  ['server/db/connect.ts', `import { gate } from '#server/http/gate.ts';`, /server\/db may import/],
  ['server/mail/send.ts', `import { app } from '#server/app.ts';`, /app\.ts passes dependencies down/],
  ['server/deps.ts', `import { find } from './members/data.ts';`, /which app\.ts passes in/],
  ['server/members/actions.ts', `const name = 'x'; await import(name);`, /computed path/],
  ['web/members/members-page.tsx', `import { a } from '#web/roles/roles-page.tsx';`, /web\/ui or web\/lib/],
  [
    'web/members/members-page.tsx',
    `import { a } from '#web/app/layout.tsx';`,
    /only web\/app knows web\/app/,
  ],
  ['web/ui/button.tsx', `import { a } from '#web/members/members-page.tsx';`, /web\/ui may import/],
  ['web/lib/form.ts', `import { a } from '#web/ui/alert.tsx';`, /web\/lib may import/],
  [
    'server/drive/routes.ts',
    `import { a } from '#contract/organizations/calls.ts';`,
    /feature that answers it/,
  ],
  ['e2e/members.e2e.ts', `import { a } from '#web/members/members-page.tsx';`, /as a visitor does/],
  ['tools/seed.ts', `import { a } from '#web/lib/call.ts';`, /tools may import/],
  ['tools/run.mjs', `import vite from 'vite';`, /tools \*\.mjs may import node:\*/],
  ['contract/members.test.ts', `import { a } from '#web/lib/call.ts';`, /test may import/],
  ['server/members/helpers.ts', '', /"helpers" says nothing/],
  ['web/members/index.ts', '', /no barrels/],
  ['server/members/actions.ts', 'export const a = 1;', /opens no transaction/],
  ['server/members/invite/guards.ts', '', /has no such folder/],
  ['web/members-list/page.css', '', /no known folder: features are access, activity, accounts/],
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
  expect(messagesOf(file, `// The members.\n${'x;\n'.repeat(lines - 1)}`)).toHaveLength(findings);
});

test.for([
  ['web/members/members-page.tsx', 210, 0],
  ['web/members/members-page.tsx', 211, 1],
  ['web/members/members-page.test.tsx', 211, 0],
  ['e2e/portal.ts', 211, 0],
] as const)('%s with %i lines and no head has %i findings', ([file, lines, findings]) => {
  expect(messagesOf(file, 'x;\n'.repeat(lines))).toHaveLength(findings);
});
