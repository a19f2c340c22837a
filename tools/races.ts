// The races of docs/security.md in full: `npm run races`, with RACE_ROUNDS, or for a folder (`-- server/roles`).
import { spawnSync } from 'node:child_process';
import { startPostgres } from './postgres.ts';

const files = process.argv.slice(2);
const postgres = await startPostgres();
if (!postgres) {
  console.error('PostgreSQL was not found: races need the programs initdb and postgres.');
  process.exit(1);
}
const testFiles = files.length > 0 ? files : ['races-postgres', 'bursts-postgres', 'devices-postgres'];
const { status } = spawnSync('vitest', ['run', '--project', 'postgres', ...testFiles], {
  env: { ...process.env, RACE_ROUNDS: process.env['RACE_ROUNDS'] ?? '200', TEST_POSTGRES_URL: postgres.url },
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
await postgres.stop();
process.exitCode = status ?? 1;
