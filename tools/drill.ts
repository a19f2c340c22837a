// Breaks the portal on purpose, on one process and on two behind a balancer, and measures what comes of it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeReport } from './drill/report.ts';
import type { Drill, Figure, Scenario } from './drill/scenario.ts';
import { scenarios } from './drill/scenarios.ts';
import type { Stage } from './drill/stage.ts';

const help = `npm run drill -- [rows]

Starts what a portal with all its parts needs, on loopback, breaks it, and writes the figures to docs/reliability.md.
Rows are those of the goals and faults, such as L1 R5; without any, all are measured.

  --rounds N    how often to break what is broken time after time
  --minutes N   how long to measure what takes its time
  --full        as often and as long as the goals say
  --no-report   leave docs/reliability.md alone
  --help        this`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    full: { type: 'boolean', default: false },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

process.chdir(path.join(import.meta.dirname, '..'));
const known = scenarios.flatMap(({ ids }) => ids);
const unknown = positionals.filter((id) => !known.includes(id));
if (values.help) console.log(help);
else if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}; known are ${known.join(', ')}.`);
  process.exitCode = 2;
} else
  await run(
    scenarios.filter(({ ids }) => positionals.length === 0 || ids.some((id) => positionals.includes(id))),
  );

async function run(wanted: readonly Scenario[]) {
  const home = mkdtempSync('/tmp/portico-drill-');
  const figures: Figure[] = [];
  const asked = [
    values.full && '--full',
    values.rounds && `--rounds ${values.rounds}`,
    values.minutes && `--minutes ${values.minutes}`,
  ];
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const drill: Drill = {
    get stage(): Stage {
      throw new Error('there is no stage');
    },
    rounds: (usual, full) => number(values.rounds) ?? (values.full ? full : usual),
    seconds: (usual, full) => (number(values.minutes) ?? (values.full ? full : usual) / 60) * 60,
    folder: (name) => {
      const folder = path.join(home, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    say: (line) => console.log(`  ${line}`),
    figure: (row) => ({ ...row, command: ['npm run drill --', row.id, ...asked.filter(Boolean)].join(' ') }),
  };
  try {
    for (const scenario of wanted) {
      console.log(scenario.name);
      const found = await scenario.run(drill);
      for (const { id, measured, passed } of found)
        console.log(`${passed ? 'passed' : 'FAILED'}  ${id}  ${measured}`);
      figures.push(...found);
    }
  } finally {
    rmSync(home, { recursive: true });
  }
  if (!values['no-report']) writeReport('docs/reliability.md', figures);
  process.exitCode = figures.every(({ passed }) => passed) ? 0 : 1;
}
