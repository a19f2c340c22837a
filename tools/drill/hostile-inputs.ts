import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type Scenario, unless } from './scenario.ts';

const tool = path.join(import.meta.dirname, '../fuzz.ts');
const engines = ['pglite', 'postgres'];

export const hostileInputs: Scenario = {
  ids: ['R11'],
  name: 'Hostile inputs to every call, on both engines',
  needs: 'alone',
  run: async (drill) => {
    const share = drill.rounds(1, 100) / 100;
    const broken: string[] = [];
    const measured = engines.map((engine) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [tool, '--engine', engine, '--share', String(share)],
        { encoding: 'utf8' },
      );
      if (status !== 0) broken.push(`on ${engine}: ${stderr.slice(0, 300)}`);
      const counts = [...stdout.matchAll(/: (\d+ of \w+), seed/g)].map(([, count]) => count);
      const lags = [...stdout.matchAll(/held up for (\d+) ms/g)].map(([, ms]) => Number(ms));
      return `${engine}: ${counts.join(', ')}, event loop held up for ${Math.max(...lags)} ms at most`;
    });
    return [
      drill.figure({
        id: 'R11',
        goal: '100,000 JSON, 20,000 forms, 20,000 heads: zero 5xx, zero crashes, event loop ≤ 200 ms; stretch 1,000,000',
        ...unless(broken, measured.join('; ')),
      }),
    ];
  },
};
