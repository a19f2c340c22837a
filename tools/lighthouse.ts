// Judges the first view of the public pages as Lighthouse does for a phone, and how long their scripts block the main
// thread, compared with a page that only starts React. Lighthouse is installed on demand from its own lock file:
// `npm run lighthouse`.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startPortal } from '#server/testing/portal.ts';
import { findBrowser } from './browser.ts';
import { serveBarePage } from './lighthouse/bare-page.ts';

const paths = ['/', '/login', '/signup'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const SCORE_MIN = 99;
/** Runs per page, of which the median counts, because a busy machine lowers single scores. */
const RUNS = 5;
/** Blocking times vary more than scores. */
const BLOCKING_RUNS = 9;
/**
 * Limit of a page's blocking time relative to the bare page in the same run. Unlike a score, it does not depend on the
 * machine. The reason for the value is in docs/decisions/performance.md.
 */
const BLOCKING_RATIO_MAX = 2;
/** Least blocking time assumed for the bare page, because a fast machine may show none. */
const BLOCKING_FLOOR_MS = 50;

const forScores = [`--only-categories=${categories.join(',')}`];
/**
 * Slows the browser itself until the bare page blocks. Lighthouse's default computes a slow phone from a fast run, and
 * sometimes moves scripts before the first paint, where blocking does not count.
 */
const forBlocking = [
  '--only-audits=total-blocking-time',
  '--throttling-method=devtools',
  '--throttling.cpuSlowdownMultiplier=12',
  '--throttling.requestLatencyMs=0',
  '--throttling.downloadThroughputKbps=0',
  '--throttling.uploadThroughputKbps=0',
];

type Audit = { score: number | null; title: string; displayValue?: string; numericValue?: number };
type Report = {
  audits: Record<string, Audit>;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
};

const root = path.join(import.meta.dirname, '..');
const home = path.join(import.meta.dirname, 'lighthouse');
const temporary = mkdtempSync(path.join(tmpdir(), 'portico-lighthouse-'));
const isRoot = process.getuid?.() === 0;
let running: ChildProcess | undefined;
let isStopped = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isStopped = true;
    // Only this signal makes Lighthouse close its browser.
    running?.kill('SIGINT');
  });

async function run(program: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}) {
  const shell = process.platform === 'win32' && program === 'npm';
  const env = { ...process.env, ...more };
  const child = spawn(program, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (isStopped) throw new Error('Stopped.');
  return { output, code: child.exitCode };
}

async function install() {
  const { dependencies } = readJson('package.json') as { dependencies: { lighthouse: string } };
  const installedFile = 'node_modules/lighthouse/package.json';
  const isThere =
    existsSync(path.join(home, installedFile)) &&
    (readJson(installedFile) as { version: string }).version === dependencies.lighthouse;
  if (isThere) return;
  console.log('Installing Lighthouse…');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code } = await run('npm', ['ci', ...flags], home);
  if (code !== 0) throw new Error('Lighthouse could not be installed.');
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(home, file), 'utf8'));
}

/** One run; undefined if Lighthouse gave up, as it may on a busy machine. */
async function judge(url: string, about: string[]): Promise<Report | undefined> {
  const cli = path.join(home, 'node_modules/lighthouse/cli/index.js');
  const flags = [`--chrome-flags=--headless=new ${isRoot ? '--no-sandbox' : ''}`, '--quiet', '--output=json'];
  const env = { CHROME_PATH: findBrowser(), TMPDIR: temporary, TEMP: temporary };
  const { output, code } = await run(process.execPath, [cli, url, ...about, ...flags], home, env);
  const report = code === 0 ? (JSON.parse(output) as Report) : undefined;
  return report?.categories['performance']?.score === null ? undefined : report;
}

const scoresOf = (report: Report) =>
  categories.map((name) => Math.round((report.categories[name]?.score ?? 0) * 100));
const isGood = (report: Report) => scoresOf(report).every((score) => score >= SCORE_MIN);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** The audits that cost points, largest loss first. */
function lossesOf({ audits, categories: all }: Report): string[] {
  return Object.values(all)
    .flatMap(({ auditRefs }) => auditRefs)
    .map(({ id, weight }) => ({ id, lost: weight * (1 - (audits[id]?.score ?? 1)) }))
    .filter(({ lost }) => lost > 0)
    .toSorted((a, b) => b.lost - a.lost)
    .map(({ id }) => `  ${id}: ${audits[id]?.title ?? ''} ${audits[id]?.displayValue ?? ''}`);
}

const blockingOf = ({ audits }: Report) => audits['total-blocking-time']?.numericValue ?? Infinity;

/** The median report by a measure. */
function medianBy(reports: Report[], measure: (report: Report) => number): Report {
  const inOrder = reports.toSorted((a, b) => measure(a) - measure(b));
  const median = inOrder[Math.floor((inOrder.length - 1) / 2)];
  if (!median) throw new Error('A page could not be judged.');
  return median;
}

/** Judges the pages in turn, so that other load hits all alike. */
async function judgeInTurn(urls: string[], about: string[], times: number): Promise<Report[][]> {
  const reports = urls.map((): Report[] => []);
  for (let runs = 0; runs < times; runs += 1)
    for (const [at, url] of urls.entries()) {
      const report = await judge(url, about);
      if (report) reports[at]?.push(report);
    }
  return reports;
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
  const bare = await serveBarePage();
  try {
    await portal.ready();
    const urls = paths.map((page) => portal.url + page);
    const reports = await judgeInTurn(urls, forScores, RUNS);
    const [ofBare = [], ...ofPages] = await judgeInTurn([bare.url, ...urls], forBlocking, BLOCKING_RUNS);
    const bareMs = Math.max(blockingOf(medianBy(ofBare, blockingOf)), BLOCKING_FLOOR_MS);
    let allGood = true;
    const columns = [...categories, 'blocking', 'of bare'];
    console.log(`${''.padEnd(9)}${columns.map((name) => name.padStart(16)).join('')}`);
    for (const [at, page] of paths.entries()) {
      const report = medianBy(reports[at] ?? [], (one) => sum(scoresOf(one)));
      const blockingMs = blockingOf(medianBy(ofPages[at] ?? [], blockingOf));
      const ratio = blockingMs / bareMs;
      const values = [...scoresOf(report), `${Math.round(blockingMs)} ms`, ratio.toFixed(2)];
      console.log(page.padEnd(9) + values.map((value) => String(value).padStart(16)).join(''));
      if (!isGood(report)) console.log(lossesOf(report).join('\n'));
      allGood &&= isGood(report) && ratio <= BLOCKING_RATIO_MAX;
    }
    console.log(
      `The bare page blocks for ${Math.round(bareMs)} ms; a page may for ${BLOCKING_RATIO_MAX} times that.`,
    );
    return allGood;
  } finally {
    bare.close();
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
