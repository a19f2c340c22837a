// The whole gate: `npm test` and CI run it. Every step runs even after a failure, so that one run shows
// everything. `npm run check -- lint types` runs the steps whose names start with these words, and `npm test
// -- --every-engine` runs all server tests on both engines.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { hasApache } from '#server/testing/apache.ts';
import { hasSwift } from '#server/testing/swift.ts';
import { findBrowser } from './browser.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type Tally, countCrash, playwrightTally, vitestTally } from './test-report.ts';

interface Step {
  name: string;
  command: string[];
  /** More environment variables. */
  environment?: () => NodeJS.ProcessEnv;
  /** Test steps write a JSON report and count their tests; other steps count as one. */
  tally?: (report: never) => Tally;
}

const reports = 'node_modules/.cache/portico';

const fastSteps: Step[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types-contract', command: ['tsc', '-p', 'contract'] },
  { name: 'types-server', command: ['tsc', '-p', 'server'] },
  { name: 'types-web', command: ['tsc', '-p', 'web'] },
  { name: 'types-e2e', command: ['tsc', '-p', 'e2e'] },
  { name: 'structure', command: ['node', 'tools/check-structure.ts'] },
  { name: 'build', command: ['node', 'tools/run.mjs', 'build'] },
];

const unit: Step = {
  name: 'unit',
  command: [
    'vitest',
    'run',
    '--allowOnly=false',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${reports}/unit.json`,
  ],
  tally: vitestTally,
};

const e2e: Step = {
  name: 'e2e',
  command: ['playwright', 'test', '--forbid-only'],
  environment: () => ({
    TEST_ENGINE: process.env['TEST_ENGINE'] ?? (env['TEST_POSTGRES_URL'] ? 'postgres' : 'pglite'),
    CHROMIUM_PATH: findBrowser(),
  }),
  tally: playwrightTally,
};

const STEP_LIMIT_MILLISECONDS = 30 * 60_000;

process.chdir(path.join(import.meta.dirname, '..'));
const EVERY_ENGINE = '--every-engine';
const requested = process.argv.slice(2).filter((word) => word !== EVERY_ENGINE);
const isRequested = (step: Step) =>
  requested.length === 0 || requested.some((name) => step.name.startsWith(name));
const stepNames = [...fastSteps, unit, e2e].map((step) => step.name);
const unknown = requested.filter((name) => !stepNames.some((one) => one.startsWith(name)));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}; known are ${stepNames.join(', ')}.`);
  process.exit(1);
}

const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [path.dirname(process.execPath), path.resolve('node_modules/.bin'), process.env['PATH']].join(
    path.delimiter,
  ),
  ...(process.argv.includes(EVERY_ENGINE) && { EVERY_ENGINE: '1' }),
  PLAYWRIGHT_JSON_OUTPUT_FILE: path.resolve(reports, 'e2e.json'),
  // Tests create much short-lived garbage; a larger nursery reduces the time of its collection.
  NODE_OPTIONS: `--max-semi-space-size=64 ${process.env['NODE_OPTIONS'] ?? ''}`,
};
const running = new Set<ChildProcess>();
const total = { passed: 0, failed: 0 };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopAll(signal));
}

await inParallel(fastSteps.filter(isRequested));
const postgres = isRequested(unit) || isRequested(e2e) ? await preparePostgres() : undefined;
if (isRequested(unit) && !hasSwift())
  console.log('Swift not found: S3 is tested against a scripted server only');
if (isRequested(unit) && !hasApache())
  console.log('Apache with mod_auth_openidc not found: its tests of applications are left out');
// One after the other: side by side they wait for each other's work, and deadlines of browser tests pass.
for (const step of [unit, e2e].filter(isRequested)) await inParallel([step]);
await postgres?.stop();
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

interface Result {
  tally: Tally;
  output: string;
  seconds: number;
}

async function inParallel(steps: Step[]): Promise<void> {
  const results = steps.map((step) => run(step));
  for (const [index, step] of steps.entries()) {
    const result = await results[index];
    if (result) show(step, result);
  }
}

async function run({ name, command: [program = '', ...args], environment, tally }: Step): Promise<Result> {
  const startedAt = performance.now();
  const secondsSoFar = () => (performance.now() - startedAt) / 1000;
  let more: NodeJS.ProcessEnv | undefined;
  try {
    more = environment?.();
  } catch (error) {
    return { tally: countCrash(undefined, 1), output: messageOf(error), seconds: secondsSoFar() };
  }
  const report = path.join(reports, `${name}.json`);
  mkdirSync(reports, { recursive: true });
  rmSync(report, { force: true });
  const child = spawn(program, args, {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STEP_LIMIT_MILLISECONDS,
    shell: process.platform === 'win32',
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exitCode = await codeOf(child).catch((error: unknown) => {
    output += messageOf(error);
    return 1;
  });
  running.delete(child);
  const single = { passed: exitCode === 0 ? 1 : 0, failed: 0, skipped: 0, failures: [] };
  const counts = tally ? readReport(report, tally) : single;
  return { tally: countCrash(counts, exitCode), output, seconds: secondsSoFar() };
}

async function codeOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

function readReport(file: string, tally: (report: never) => Tally): Tally | undefined {
  try {
    return tally(JSON.parse(readFileSync(file, 'utf8')) as never);
  } catch {
    return undefined;
  }
}

function show({ name, tally: isTests }: Step, { tally, output, seconds }: Result): void {
  total.passed += tally.passed;
  total.failed += tally.failed;
  const skipNote = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  const counts = isTests ? `  ${tally.passed} passed, ${tally.failed} failed${skipNote}` : '';
  const verdict = tally.failed > 0 ? 'FAILED' : 'ok';
  console.log(`${verdict.padEnd(7)} ${name.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s${counts}`);
  if (tally.failed > 0) console.log([...tally.failures, '', output.trim(), ''].join('\n'));
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
