import { defineConfig } from 'vitest/config';

const postgresUrl = process.env['TEST_POSTGRES_URL'];

// The process itself is tested as newcomers start it, on the embedded database.
// Rules and the top-level foundations touch no database, so they need not run once per engine.
const pure = ['server/**/rules.test.ts', 'server/**/rules-*.test.ts', 'server/!(app|main).test.ts'];

const onEngine = (engine: string, exclude: string[]) => ({
  extends: true as const,
  test: {
    name: engine,
    include: ['server/**/*.test.ts'],
    exclude: [...pure, ...exclude],
    env: { TEST_ENGINE: engine },
  },
});

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{contract,web,tools}/**/*.test.{ts,tsx}', ...pure] },
      },
      onEngine('pglite', ['server/**/*-postgres.test.ts']),
      ...(postgresUrl ? [onEngine('postgres', ['server/main.test.ts'])] : []),
    ],
  },
});
