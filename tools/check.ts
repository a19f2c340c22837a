// The whole gate: `npm test` and CI run it. Every step runs even after a failure, so that one run shows
// everything. `npm run check -- lint types` runs the steps whose names start with these words, and `npm test
// -- --every-engine` runs all server tests on both engines. `npm test -- --changed` runs what a change touches (changed.ts).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { hasSwift } from '#server/testing/swift.ts';
import { findBrowser } from './browser.ts';
import { chooseSince, commitBefore } from './changed.ts';
import { type Postgres, startPostgres } from './postgres.ts';

interface Step {
  name: string;
  command: string[];
  environment?: () => NodeJS.ProcessEnv;
  /** Test steps read their counts from the runner's JSON report; other steps count as one. */
  countsIn?: (report: never) => Counts;
  /** A change may touch no test. */
  mayFindNone?: boolean;
}

interface Counts {
  passed: number;
  failed: number;
}

const reports = 'node_modules/.cache/portico';
const reportOf = (name: string) => path.join(reports, `${name}.json`);

/** Checks again only the files that changed, and those that import them. */
const types = (room: string): Step => {
  const state = path.resolve(reports, `${room}.tsbuildinfo`);
  return {
    name: `types-${room}`,
    command: ['tsc', '-p', room, '--incremental', '--tsBuildInfoFile', state],
  };
};

const fastSteps: Step[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  ...['contract', 'server', 'web', 'e2e'].map(types),
  { name: 'words', command: ['node', 'tools/words.ts'] },
  { name: 'structure', command: ['node', 'tools/check-structure.ts'] },
  { name: 'build', command: ['node', 'tools/run.mjs', 'build'] },
];

const vitest = (name: string, ...options: string[]): Step => ({
  name,
  command: [
    'vitest',
    'run',
    '--allowOnly=false',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${reportOf(name)}`,
    ...options,
  ],
  countsIn: (report: { numPassedTests: number; numFailedTests: number }) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }),
});

const browser = (...walks: string[]): Step => ({
  name: 'e2e',
  command: ['playwright', 'test', '--forbid-only', ...walks],
  environment: () => ({
    TEST_ENGINE: process.env['TEST_ENGINE'] ?? (env['TEST_POSTGRES_URL'] ? 'postgres' : 'pglite'),
    CHROMIUM_PATH: findBrowser(),
  }),
  countsIn: ({ stats }: { stats: { expected: number; unexpected: number; flaky: number } }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
  }),
});

const STEP_LIMIT_MILLISECONDS = 30 * 60_000;

process.chdir(path.join(import.meta.dirname, '..'));
const EVERY_ENGINE = '--every-engine';
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const stepWords = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknownOption = options.find((word) => word !== EVERY_ENGINE && !/^--changed(=.+)?$/.test(word));
if (unknownOption) {
  console.error(
    `There is no option ${unknownOption}; known are ${EVERY_ENGINE}, --changed and --changed=<commit>.`,
  );
  process.exit(1);
}
const changedOption = options.find((word) => word.startsWith('--changed'));
const { fast, tests } = changedOption
  ? stepsSince(changedOption.split('=')[1] ?? commitBefore())
  : { fast: fastSteps, tests: [vitest('unit'), browser()] };
const isRequested = (step: Step) =>
  stepWords.length === 0 || stepWords.some((name) => step.name.startsWith(name));
const stepNames = [...fast, ...tests].map((step) => step.name);
const unknown = stepWords.filter((name) => !stepNames.some((one) => one.startsWith(name)));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}; known are ${stepNames.join(', ')}.`);
  process.exit(1);
}

const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [path.dirname(process.execPath), path.resolve('node_modules/.bin'), process.env['PATH']].join(
    path.delimiter,
  ),
  ...(options.includes(EVERY_ENGINE) && { EVERY_ENGINE: '1' }),
  PLAYWRIGHT_JSON_OUTPUT_FILE: path.resolve(reportOf('e2e')),
  // Tests create much short-lived garbage; a larger nursery reduces the time of its collection.
  NODE_OPTIONS: `--max-semi-space-size=64 ${process.env['NODE_OPTIONS'] ?? ''}`,
};
const running = new Set<ChildProcess>();
const total = { passed: 0, failed: 0 };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopAll(signal));
}

const requestedTests = tests.filter(isRequested);
await Promise.all(fast.filter(isRequested).map(run));
const postgres = requestedTests.length > 0 ? await preparePostgres() : undefined;
if (requestedTests.some(({ name }) => name === 'unit') && !hasSwift())
  console.log('Swift not found: S3 is tested against a scripted server only');
// One after the other: side by side they wait for each other's work, and deadlines of browser tests pass.
for (const step of requestedTests) await run(step);
await postgres?.stop();
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function stepsSince(commit: string) {
  const { lint, rooms, serverTests, walks } = chooseSince(commit);
  const fast = fastSteps.flatMap((step): Step[] => {
    const { name, command } = step;
    if (name === 'build') return walks.length > 0 ? [step] : [];
    if (name === 'lint') return lint.length > 0 ? [{ name, command: [...command, ...lint] }] : [];
    return [step];
  });
  const unit = vitest('unit', '--project', 'unit', '--changed', commit, '--passWithNoTests', ...rooms);
  const server = vitest('server', '--project', '!unit', '--passWithNoTests', ...serverTests);
  return {
    fast,
    tests: [
      ...(rooms.length > 0 ? [{ ...unit, mayFindNone: true }] : []),
      ...(serverTests.length > 0 ? [{ ...server, mayFindNone: true }] : []),
      ...(walks.length > 0 ? [browser(...walks)] : []),
    ],
  };
}

/** Runs a step and shows its result; if it failed, with all its output, where the runner lists the failures. */
async function run(step: Step): Promise<void> {
  const startedAt = performance.now();
  const { exitCode, output } = await outcomeOf(step).catch((error: unknown) => ({
    exitCode: 1,
    output: messageOf(error),
  }));
  const { passed, failed } = countsOf(step, exitCode);
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const counts = step.countsIn ? `  ${passed} passed, ${failed} failed` : '';
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  console.log(`${verdict.padEnd(7)} ${step.name.padEnd(15)} ${seconds.padStart(6)} s${counts}`);
  if (failed > 0) console.log(`${output.trim()}\n`);
}

async function outcomeOf({ name, command: [program = '', ...args], environment }: Step) {
  mkdirSync(reports, { recursive: true });
  rmSync(reportOf(name), { force: true });
  const child = spawn(program, args, {
    env: { ...env, ...environment?.() },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STEP_LIMIT_MILLISECONDS,
    shell: process.platform === 'win32',
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  return { exitCode, output };
}

/** A crash, and a run without a single test, count as one failure. */
function countsOf({ name, countsIn, mayFindNone = false }: Step, exitCode: number | null): Counts {
  const isGood = exitCode === 0;
  if (!countsIn) return { passed: Number(isGood), failed: Number(!isGood) };
  if (!existsSync(reportOf(name))) return { passed: 0, failed: 1 };
  const { passed, failed } = countsIn(JSON.parse(readFileSync(reportOf(name), 'utf8')) as never);
  return { passed, failed: isGood && (passed > 0 || mayFindNone) ? failed : Math.max(failed, 1) };
}

async function preparePostgres(): Promise<Postgres | undefined> {
  if (env['TEST_POSTGRES_URL']) return undefined;
  let reason = 'not found';
  try {
    const server = await startPostgres();
    if (server) env['TEST_POSTGRES_URL'] = server.url;
    if (server) return server;
  } catch (error) {
    reason = `could not be started (${messageOf(error)})`;
  }
  console.log(`PostgreSQL ${reason}: tests run on the embedded database only`);
  return undefined;
}

/** Lets the running steps end by themselves; the database ends with this process in any case. */
async function stopAll(signal: NodeJS.Signals): Promise<never> {
  const ends = [...running].map((child) => once(child, 'exit'));
  for (const child of running) child.kill(signal);
  const limit = new Promise((resolve) => setTimeout(resolve, 5_000));
  await Promise.race([Promise.all(ends), limit]);
  process.exit(130);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
