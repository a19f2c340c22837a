// The rooms of the code base: who may import whom, and the names of files. `check-structure.ts` proves them.

/** The order of the server features: a feature may use those above it. */
export const order = [
  'access',
  'access/proofs',
  'access/ways',
  'access/company',
  'webhooks/events',
  'activity',
  'activity/notifications',
  'activity/chain',
  'activity/erasure',
  'accounts/locking',
  'members/ending',
  'accounts/tokens',
  'accounts/addresses',
  'accounts/mailboxes',
  'accounts/consents',
  'accounts',
  'accounts/confirmation',
  'sessions',
  'sign-in/waits',
  'sign-in/devices',
  'sign-in/identities',
  'sign-in/challenge',
  'sign-in/onward',
  'sign-in/factors',
  'sign-in/remembered',
  'sign-in/step-changes',
  'sign-in/completion',
  'sign-in/second-step',
  'sign-in/step-up',
  'sign-in/authenticator',
  'sign-in/recovery-codes',
  'sign-in/recovery',
  'social/provider',
  'sign-in/locks',
  'sign-in/passkeys',
  'sign-in/ways-in',
  'sign-in/passkey-sign-in',
  'sign-in',
  'social',
  'members/standing',
  'members',
  'members/super-admin-news',
  'members/directory',
  'members/invitations',
  'members/joining',
  'roles',
  'organizations/founder',
  'organizations/second-step',
  'organizations',
  'company-sign-in',
  'company-sign-in/domains',
  'company-sign-in/join-requests',
  'company-sign-in/connections',
  'company-sign-in/rule',
  'company-sign-in/visits',
  'company-sign-in/logout',
  'company-sign-in/scim',
  'profile/contact',
  'profile/restore',
  'profile/password',
  'profile',
  'communications',
  'drive',
  'registry',
  'applications',
  'webhooks/endpoints',
  'webhooks/requests',
  'webhooks/deliveries',
  'webhooks',
  'data-export/sources',
  'data-export/archive',
  'data-export',
  'accounts/deletion',
  'operator',
  'operator/operators',
  'operator/people',
  'operator/applications',
  'operator/webhooks',
  'operator/company',
  'operator/site',
  'operator/acts',
  'operator/entry',
  'operator/desk',
];
export const features = order.filter((name) => !name.includes('/'));
export const foldersBeside: Record<string, string[]> = {
  contract: ['split-by-bytes'],
  server: ['brand', 'http', 'db', 'jobs', 'mail', 'storage', 'testing'],
  web: ['app', 'public-pages', 'ui', 'lib', 'public'],
};

// "own" is the importing file's feature, "lower" a feature above it in the order, "foundations" are
// server/*.ts other than main.ts, app.ts, hourly.ts and job-handlers.ts, "sql" is kysely and the drivers, "packages" all other packages.
const node = ['packages', 'node:*'];
const foundation = ['contract', 'foundations', 'any tables.ts'];
const sharedFolders = ['server/brand', 'server/db', 'server/jobs', 'server/mail', 'server/storage'];
const lower = ['lower actions.ts', 'lower data.ts', 'lower rules.ts', 'lower content'];
const own = ['own rules.ts', 'own data.ts', 'own mail.ts', 'own actions.ts', 'own content'];

export const mayImport: Record<string, string[]> = {
  contract: ['contract', 'zod/mini'],
  'server rules.ts': ['contract', 'lower rules.ts'],
  // `server/db/tables.ts` joins the tables of the features.
  'server tables.ts': ['contract', 'kysely'],
  // Queries of several features share the conditions of an earlier one.
  'server data.ts': [
    ...foundation,
    'server/db',
    'kysely',
    'own rules.ts',
    'own data.ts',
    'lower rules.ts',
    'lower data.ts',
  ],
  'server mail.ts': [...foundation, 'server/db', 'server/mail', 'own rules.ts', ...node],
  'server actions.ts': [...foundation, ...sharedFolders, ...own, 'own jobs.ts', ...lower, ...node],
  'server content': [...foundation, ...sharedFolders, ...own, 'own jobs.ts', ...lower, ...node],
  'server jobs.ts': [...foundation, ...sharedFolders, ...own, ...lower, ...node],
  'server routes.ts': [...foundation, 'server/brand', 'server/http', 'own files', ...node],

  'server/brand': [...foundation, 'server/brand', 'server/http', ...node],
  'server/db': [...foundation, 'server/db', 'sql', ...node],
  'server/storage': [...foundation, 'server/storage', ...node],
  'server/jobs': [...foundation, 'server/jobs', 'server/db', 'kysely', ...node],
  'server/http': [
    ...foundation,
    'server/brand',
    'server/http',
    'server/db',
    'server/jobs',
    'server/storage',
    ...node,
  ],
  'server/mail': [
    ...foundation,
    'server/brand',
    'server/mail',
    'server/db',
    'server/jobs',
    'server/http',
    ...node,
  ],
  'server foundations': [...foundation, ...sharedFolders, 'server/http', ...node],
  'server app': [...foundation, ...sharedFolders, 'server/http', 'server app', 'any feature', ...node],
  'server/testing': ['contract', 'server', 'sql', ...node],

  'web feature': [
    'contract',
    'web/public-pages',
    'web/ui',
    'web/lib',
    'own files',
    'lower web feature',
    'packages',
  ],
  'web/public-pages': ['contract', 'web/public-pages', 'web/ui', 'web/lib', 'packages'],
  'web/ui': ['contract', 'web/ui', 'web/lib', 'packages'],
  'web/lib': ['contract', 'web/lib', 'packages'],
  'web/app': ['contract', 'web', 'packages'],
  'web config': ['contract', 'web', 'tools', ...node],

  e2e: ['contract', 'server/testing', 'e2e', 'tools', ...node],
  bench: ['contract', 'server/testing', 'bench', 'tools', 'sql', ...node],
  tools: ['contract', 'server', 'tools', 'sql', ...node],
  drill: ['contract', 'server', 'tools', 'drill', 'sql', ...node],
  'tools *.mjs': ['node:*', 'server'],
  test: ['contract', 'server/testing', 'own room', 'sql', ...node],
};

/** The advice for a forbidden import; the first match is shown. */
export const instead: Record<string, string> = {
  sql: 'put the query into data.ts',
  'own files': 'let actions.ts bring the two together',
  'server/db': 'leave queries to data.ts and the transaction to actions.ts',
  'server/http': 'take what you need as an argument, which routes.ts hands over',
  'server/testing': 'move what is needed outside of tests to where it is used',
  'server app': 'take it as an argument: app.ts passes dependencies down',
  'higher feature': 'let the later feature call this one, or pass a function in from app.ts',
  'lower feature': 'call its actions, data or rules, and from actions.ts',
  'any feature': 'take a function as an argument, which app.ts passes in',
  'calls of another feature': 'describe a call in the contract of the feature that answers it',
  'other web feature': 'move the shared part to web/ui or web/lib, or let web/app join the two',
  'web/app': 'take it as a prop or from web/lib; only web/app knows web/app',
  'own room': 'move it to a place both may know, or hand it in as an argument',
  server: 'share it through contract/',
  web: 'share it through contract/, or look at the page as a visitor does',
  'node:*': 'hand the value in as an argument',
  packages: 'hand the value in as an argument',
};

export const badNames = new Set('util utils helper helpers misc common manager service services'.split(' '));
/** The word that says what a file of a server feature may do; other files are named by their content. */
export const wordOf = (base: string) =>
  /^(data|routes)-[a-z-]+\.ts$/.test(base)
    ? `${base.split('-', 1)[0]}.ts`
    : /^(routes|actions|rules|data|mail|jobs|tables)\.ts$/.test(base)
      ? base
      : 'content';
/** Queries are built and finished here alone. Tools, drills and benches look at the database from outside. */
export const mayQuery = (file: string) =>
  !file.startsWith('server/') || /^server\/(db|testing)\/|\/data(-[a-z-]+)?\.ts$|\.test\.ts$/.test(file);
export const queryMethods = new Set(
  'selectFrom insertInto updateTable deleteFrom mergeInto execute executeTakeFirst executeTakeFirstOrThrow executeQuery'.split(
    ' ',
  ),
);
export const LINES_MAX = 300;
/** A longer file begins with a sentence about its purpose. */
export const HEADLESS_MAX = 210;
