import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { databaseProgramsFolder } from './database.ts';
import { type Scenario, atLeast, unless } from './scenario.ts';

const tool = path.join(import.meta.dirname, '../tools/fuzz.ts');
const SHARES = 100;
const STRETCH_SHARES = 10 * SHARES;

export const hostileInputs: Scenario = {
  ids: ['R11'],
  name: 'Hostile inputs to every call, on both engines',
  needs: 'alone',
  run: async (drill) => {
    const shares = drill.rounds(1, SHARES);
    const engines = databaseProgramsFolder() ? ['pglite', 'postgres'] : ['pglite'];
    if (engines.length === 1) drill.leftOut('PostgreSQL, which is not installed');
    const breaches: string[] = [];
    const summary = engines.map((engine) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [tool, '--engine', engine, '--share', String(shares / SHARES)],
        { encoding: 'utf8' },
      );
      if (status !== 0) breaches.push(`on ${engine}: ${stderr.slice(0, 300)}`);
      const lags = [...stdout.matchAll(/held up for (\d+) ms/g)].map(([, ms]) => Number(ms));
      return `${engine}: event loop ${Math.max(...lags)} ms`;
    });
    return [
      drill.figure({
        id: 'R11',
        reachesStretch: atLeast(shares, STRETCH_SHARES),
        ...unless(breaches, summary.join('; ')),
      }),
    ];
  },
};
