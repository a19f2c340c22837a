// Breaks the portal on purpose, as one process and as two behind a balancer, and measures the effect.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryHome } from './processes.ts';
import { writeReport } from './report.ts';
import { type Drill, type Figure, inWords, type Part, type Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { startStage } from './stage.ts';
import { findProgram } from '#server/testing/programs.ts';
import { databaseProgramsFolder } from './postgres.ts';

const programs = { haproxy: 'haproxy', 'redis-server': 'redis-server', 'util-linux': 'setpriv' };

/** The missing packages. Without Swift a folder stores the images. */
const missingPackages = () => [
  ...(databaseProgramsFolder() ? [] : ['postgresql']),
  ...Object.entries(programs).flatMap(([name, program]) => (findProgram(program) ? [] : [name])),
];

const help = `npm run drill -- [rows]

Starts what a portal with all its parts needs, on loopback, breaks it, and writes the figures to docs/reliability.md.
Rows are those of the goals and faults, such as L1 R5; without any, all are measured.

  --rounds N    how often to break what is broken time after time, or how many there are of what is counted
  --minutes N   how long to measure what takes its time
  --rate N      how much is asked for in a second, where that is measured
  --full        as often and as long as the goals say
  --no-report   leave docs/reliability.md alone
  --help        this`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    minutes: { type: 'string' },
    rate: { type: 'string' },
    full: { type: 'boolean', default: false },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

process.chdir(path.join(import.meta.dirname, '..'));
const rowIds: readonly string[] = scenarios.flatMap(({ ids }) => ids);
const unknown = positionals.filter((id) => !rowIds.includes(id));
if (values.help) console.log(help);
else if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}; known are ${rowIds.join(', ')}.`);
  process.exitCode = 2;
} else
  await run(
    scenarios.filter(
      ({ ids }) => positionals.length === 0 || ids.some((id: string) => positionals.includes(id)),
    ),
  );

async function run(chosen: readonly Scenario[]) {
  const lacks = missingPackages();
  const impossible = chosen.filter(({ needs }) => needs === 'cluster' && lacks.length > 0);
  const possible = chosen.filter((scenario) => !impossible.includes(scenario));
  for (const { ids } of impossible)
    console.log(`${ids.join(', ')} can't be measured here without ${lacks.join(', ')}`);
  const home = temporaryHome();
  // Temporary files of other programs are then removed with this folder.
  process.env['TMPDIR'] = home.folder;
  try {
    const figures = await measure(possible, home.folder);
    process.exitCode = impossible.length === 0 && figures.every(({ passes }) => passes) ? 0 : 1;
  } finally {
    await home.remove();
  }
}

async function measure(chosen: readonly Scenario[], home: string): Promise<Figure[]> {
  const { full, rounds, minutes, rate } = values;
  const flags = [rounds && `--rounds ${rounds}`, minutes && `--minutes ${minutes}`, rate && `--rate ${rate}`];
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const folder = (name: string) => {
    const place = path.join(home, name);
    mkdirSync(place, { recursive: true });
    return place;
  };
  let isWhole = true;
  const ofGoal = (amount: number, goal: number) => {
    isWhole &&= amount >= goal;
    return amount;
  };
  const say = (line: string) => console.log(`  ${line}`);
  const needsStage = chosen.some(({ needs }) => needs === 'cluster');
  const stage = needsStage ? await startStage({ folder, say }) : undefined;
  const drill: Drill = {
    get stage() {
      if (!stage) throw new Error('a scenario that needs the stage has to say so');
      return stage;
    },
    leftOut: (what) => {
      isWhole = false;
      say(`left out: ${what}`);
    },
    rounds: (usual, goal) => ofGoal(number(rounds) ?? (full ? goal : usual), goal),
    seconds: (usual, goal) => ofGoal((number(minutes) ?? (full ? goal : usual) / 60) * 60, goal),
    rate: (goal) => ofGoal(number(rate) ?? goal, goal),
    folder,
    say,
  };
  const figures: Figure[] = [];
  try {
    for (const scenario of chosen) {
      console.log(scenario.name);
      isWhole = true;
      const part = await scenario.run(drill).catch(cutShort);
      const { ids } = scenario;
      const passes = part.breaches.length === 0;
      const options = flags.filter(Boolean).join(' ');
      figures.push({ ids, summary: inWords(part), passes, isWhole, options });
      console.log(`${passes ? 'passed' : 'FAILED'}  ${ids.join(', ')}  ${inWords(part)}`);
      if (!values['no-report']) writeReport('docs/reliability.md', figures);
    }
  } finally {
    await stage?.stop();
  }
  return figures;
}

/** A scenario that threw fails all its rows. */
function cutShort(error: unknown): Part {
  console.error(error);
  const reason = error instanceof Error ? error.message : String(error);
  return { breaches: [`it came to no end: ${reason}`], summary: 'nothing' };
}
