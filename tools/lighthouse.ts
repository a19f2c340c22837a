// Judges the first view of the public pages as Lighthouse sees a phone. It is installed on demand, from a lock file of
// its own: `npm run lighthouse`.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startPortal } from '#server/testing/portal.ts';
import { findBrowser } from './browser.ts';

const paths = ['/', '/login', '/signup'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const SCORE_MIN = 99;
/** A page that falls short is judged this often, and the median counts: what else the machine does is part of a score. */
const RUNS_MAX = 5;

type Audit = { score: number | null; title: string; displayValue?: string };
type Report = {
  audits: Record<string, Audit>;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
};

const root = path.join(import.meta.dirname, '..');
const home = path.join(import.meta.dirname, 'lighthouse');
const temporary = mkdtempSync(path.join(tmpdir(), 'portico-lighthouse-'));
const isRoot = process.getuid?.() === 0;
let running: ChildProcess | undefined;
let stopped = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    stopped = true;
    // The one signal on which Lighthouse ends its browser too.
    running?.kill('SIGINT');
  });

/** Runs a program to its end. */
async function run(program: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}) {
  const shell = process.platform === 'win32' && program === 'npm';
  const env = { ...process.env, ...more };
  const child = spawn(program, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (stopped) throw new Error('Stopped.');
  return { printed, code: child.exitCode };
}

async function install() {
  const { dependencies } = readJson('package.json') as { dependencies: { lighthouse: string } };
  const installed = 'node_modules/lighthouse/package.json';
  const isThere =
    existsSync(path.join(home, installed)) &&
    (readJson(installed) as { version: string }).version === dependencies.lighthouse;
  if (isThere) return;
  console.log('Installing Lighthouse…');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code } = await run('npm', ['ci', ...flags], home);
  if (code !== 0) throw new Error('Lighthouse could not be installed.');
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(home, file), 'utf8'));
}

/** One run; none when Lighthouse says that it lost its way, as it may on a busy machine. */
async function judge(url: string): Promise<Report | undefined> {
  const cli = path.join(home, 'node_modules/lighthouse/cli/index.js');
  const flags = [`--chrome-flags=--headless=new ${isRoot ? '--no-sandbox' : ''}`, '--quiet', '--output=json'];
  const only = `--only-categories=${categories.join(',')}`;
  const env = { CHROME_PATH: findBrowser(), TMPDIR: temporary, TEMP: temporary };
  const { printed, code } = await run(process.execPath, [cli, url, only, ...flags], home, env);
  return code === 0 ? (JSON.parse(printed) as Report) : undefined;
}

const scoresOf = (report: Report) =>
  categories.map((name) => Math.round((report.categories[name]?.score ?? 0) * 100));
const isGood = (report: Report) => scoresOf(report).every((score) => score >= SCORE_MIN);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The audits that cost points, the dearest first. */
function lossesOf({ audits, categories: all }: Report): string[] {
  return Object.values(all)
    .flatMap(({ auditRefs }) => auditRefs)
    .map(({ id, weight }) => ({ id, lost: weight * (1 - (audits[id]?.score ?? 1)) }))
    .filter(({ lost }) => lost > 0)
    .toSorted((a, b) => b.lost - a.lost)
    .map(({ id }) => `  ${id}: ${audits[id]?.title ?? ''} ${audits[id]?.displayValue ?? ''}`);
}

async function judgePage(url: string): Promise<Report> {
  const reports: Report[] = [];
  for (let runs = 0; runs < RUNS_MAX; runs += 1) {
    const report = await judge(url);
    if (report) reports.push(report);
    if (runs === 0 && report && isGood(report)) return report;
  }
  const inOrder = reports.toSorted((a, b) => sum(scoresOf(a)) - sum(scoresOf(b)));
  const median = inOrder[Math.floor((inOrder.length - 1) / 2)];
  if (!median) throw new Error(`${url} could not be judged.`);
  return median;
}

async function judgeAll(): Promise<boolean> {
  await install();
  const build = await run(process.execPath, ['tools/run.mjs', 'build'], root);
  if (build.code !== 0) throw new Error('There is no build to judge.');
  const portal = await startPortal({
    NODE_ENV: 'production',
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: path.join(temporary, 'data'),
    LOG_LEVEL: 'error',
  });
  try {
    await portal.ready();
    let allGood = true;
    console.log(`${''.padEnd(9)}${categories.map((name) => name.padStart(16)).join('')}`);
    for (const page of paths) {
      const report = await judgePage(`${portal.url}${page}`);
      const scores = scoresOf(report).map((score) => String(score).padStart(16));
      console.log(page.padEnd(9) + scores.join(''));
      if (!isGood(report)) console.log(lossesOf(report).join('\n'));
      allGood &&= isGood(report);
    }
    return allGood;
  } finally {
    portal.kill('SIGTERM');
    await portal.ended;
  }
}

try {
  process.exitCode = (await judgeAll()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
