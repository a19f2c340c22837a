import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { pgBouncer } from './server/testing/pgbouncer.ts';
import { findProgram } from './server/testing/programs.ts';
import { hasSwift } from './server/testing/swift.ts';
import { compileAll } from './tools/words/compile.ts';
import { readCatalogs } from './tools/words/messages.ts';
import { pseudoCatalogs } from './tools/words/pseudo.ts';

// The processes that tests start read words/. The tests themselves have the pseudo-languages, too.
compileAll();
const [english] = readCatalogs('languages');
const words = path.resolve('words/test-languages');
compileAll(words, english && pseudoCatalogs(english));

const postgresUrl = process.env['TEST_POSTGRES_URL'];

// These tests touch no database, so they run only once. The process itself is tested on the embedded
// database, as newcomers start it.
const pure = [
  'server/**/rules.test.ts',
  'server/**/rules-*.test.ts',
  'server/!(app|main).test.ts',
  'server/{brand,storage}/*.test.ts',
  'server/company-sign-in/scim/{filters,patches}.test.ts',
  'server/{db/{empty,lock,stall},http/{admission,downloads,encode,form-body,refusal},mail/{frame,transports}}.test.ts',
];
// A third-party server; its tests are left out if it is not installed.
const withoutSwift = hasSwift() ? [] : ['server/storage/*-swift.test.ts'];

// Tests with other people's programs run if these are installed.
const where = (program: string, tests: string) => (findProgram(program) ? [] : [tests]);
const missing = [...where('redis-server', 'server/**/*-redis.test.ts')];
const missingPrograms = [
  ...where('haproxy', 'drill/proxies/haproxy.test.ts'),
  ...where('nginx', 'drill/proxies/nginx.test.ts'),
  ...where('promtool', 'drill/proxies/promtool.test.ts'),
  ...where('dnsmasq', 'drill/company/dnsmasq.test.ts'),
  ...where('glewlwyd', 'drill/company/glewlwyd.test.ts'),
  ...where('llng-fastcgi-server', 'drill/company/lemonldap.test.ts'),
];
// Tests through PgBouncer need it and PostgreSQL.
const throughPool = 'server/**/*-pgbouncer.test.ts';

// Both engines are PostgreSQL. If a server is available, PGlite runs only the tests whose result can differ:
// opening, locks, the queue, migrations, queries and search keys, starting and being killed, and each call once.
const differing = [
  'server/main.test.ts',
  'server/{db,jobs}/!(*-redis).test.ts',
  'server/**/{data,data-*}.test.ts',
  'server/{activity/chain,members/directory}/*.test.ts',
  'server/testing/matrix.test.ts',
];
const ofTheServer = ['server/**/*.test.ts'];
const onlyDiffering = postgresUrl !== undefined && process.env['EVERY_ENGINE'] === undefined;

const onEngine = (engine: string, include: string[], exclude: string[]) => ({
  extends: true as const,
  test: {
    name: engine,
    include,
    exclude: [...pure, ...missing, ...exclude],
    env: { TEST_ENGINE: engine },
  },
});

export default defineConfig({
  resolve: { alias: [{ find: /^#words(?=\/)/, replacement: words }] },
  test: {
    environment: 'node',
    maxWorkers: 2,
    // Every file has its own app and database, so a worker may load the server's modules once.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // The output of passed tests is not worth reading.
    silent: 'passed-only',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,contract,drill,tools,web}/**/*.test.{ts,tsx}', ...pure],
          // Two measurements install packages below bench/, with tests of their own.
          exclude: ['**/node_modules/**', ...withoutSwift, ...missingPrograms, 'tools/**/*-postgres.test.ts'],
        },
      },
      onEngine('pglite', onlyDiffering ? differing : ofTheServer, [
        'server/**/*-postgres.test.ts',
        throughPool,
      ]),
      ...(postgresUrl
        ? [
            onEngine(
              'postgres',
              [...ofTheServer, 'tools/**/*-postgres.test.ts'],
              ['server/main.test.ts', ...(pgBouncer ? [] : [throughPool])],
            ),
          ]
        : []),
    ],
  },
});
