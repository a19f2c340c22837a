import { existsSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { pgBouncer } from './server/testing/pgbouncer.ts';
import { hasSwift } from './server/testing/swift.ts';

const postgresUrl = process.env['TEST_POSTGRES_URL'];

// The process itself is tested as newcomers start it, on the embedded database.
// Rules and the top-level foundations touch no database, so they need not run once per engine.
const pure = [
  'server/**/rules.test.ts',
  'server/**/rules-*.test.ts',
  'server/!(app|main).test.ts',
  'server/storage/*.test.ts',
  'server/{db/{empty,lock,stall},http/{downloads,encode,refusal,room},mail/{frame,transports},testing/databases}.test.ts',
];
// A server of other people's, where it is installed; elsewhere the file is no test of this run.
const withoutSwift = hasSwift() ? [] : ['server/storage/*-swift.test.ts'];

// Tests of Redis, HAProxy and nginx run where these are installed.
const folders = (process.env['PATH'] ?? '').split(path.delimiter);
const where = (program: string, tests: string) =>
  folders.some((folder) => existsSync(path.join(folder, program))) ? [] : [tests];
const missing = where('redis-server', 'server/**/*-redis.test.ts');
const missingProxies = [
  ...where('haproxy', 'tools/proxies/haproxy.test.ts'),
  ...where('nginx', 'tools/proxies/nginx.test.ts'),
];
// Those of PgBouncer need it, and a PostgreSQL behind it.
const throughPool = 'server/**/*-pgbouncer.test.ts';

const onEngine = (engine: string, exclude: string[]) => ({
  extends: true as const,
  test: {
    name: engine,
    include: ['server/**/*.test.ts', ...(engine === 'postgres' ? ['tools/**/*-postgres.test.ts'] : [])],
    exclude: [...pure, ...missing, ...exclude],
    env: { TEST_ENGINE: engine },
  },
});

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    // Every file has an app and a database of its own; the modules of the server are loaded once a worker.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // What a test printed is worth reading if it failed.
    silent: 'passed-only',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{bench,contract,web,tools}/**/*.test.{ts,tsx}', ...pure],
          exclude: [...withoutSwift, ...missingProxies, 'tools/**/*-postgres.test.ts'],
        },
      },
      onEngine('pglite', ['server/**/*-postgres.test.ts', throughPool]),
      ...(postgresUrl
        ? [onEngine('postgres', ['server/main.test.ts', ...(pgBouncer ? [] : [throughPool])])]
        : []),
    ],
  },
});
