import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type Scenario, atLeast, unless } from './scenario.ts';

const tool = path.join(import.meta.dirname, '../tools/races.ts');
const STRETCH_ROUNDS = 2000;
/** With fewer rounds not every outcome of a race occurs. */
const ROUNDS_MIN = 10;

export const races: Scenario = {
  ids: ['R12'],
  name: 'Requests that race each other, at two portals on one database',
  needs: 'alone',
  run: async (drill) => {
    const rounds = Math.max(ROUNDS_MIN, drill.rounds(20, 200));
    const env = { ...process.env, RACE_ROUNDS: String(rounds) };
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool], { env, encoding: 'utf8' });
    const count = /^ *Tests +(\d+) passed \(\1\)$/m.exec(stdout)?.[1];
    const failures = [...stdout.matchAll(/^ FAIL +(.*)$/gm)].map(([, name = '']) => name);
    if (status !== 0 || count === undefined) failures.push(`it ended with ${status}: ${stderr.slice(-300)}`);
    return [
      drill.figure({
        id: 'R12',
        ...unless(failures, `${count} races, ${rounds} rounds each`),
        reachesStretch: atLeast(rounds, STRETCH_ROUNDS),
      }),
    ];
  },
};
