import { setTimeout as pause } from 'node:timers/promises';
import { populateContest, startContests } from './contests.ts';
import { measureLeftovers } from './invariants.ts';
import { contestedKinds, Ledger } from './ledger.ts';
import { failuresIn, type Load, type Sample, startLoad, statuses } from './load.ts';
import { withDeps } from './people.ts';
import { lostPictures, type Picture, uploadPicture } from './pictures.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const parts = ['package.json', 'contract', 'server', 'words', 'docs', 'web/dist'];

/** Changes that a release may make to used tables while the previous one serves. */
const migration = `
alter table users add column drilled text;
alter table sessions add column drilled integer not null default 0;
create table drilled (id bigint constraint drilled_pkey primary key, created_at timestamptz not null);
create index if not exists activity_drilled on activity (created_at) where user_id = 0;
`;

function makeNextRelease(folder: string): string {
  for (const part of parts.filter((name) => existsSync(path.join(root, name))))
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'server/db/migrations/9999_drill.sql'), migration);
  return path.join(folder, 'server/main.ts');
}

/** A quarter of the mixed-load goal, so that the machine has room for the fault. */
const FAULT_RATE = 50;
const WARM_UP_MS = 2000;

/** Runs a fault under load and contests; returns what clients saw, and resources that were not released. */
export async function underLoad<T>(stage: Stage, run: (load: Load) => Promise<T>, rate = FAULT_RATE) {
  const ledger = new Ledger();
  stage.mailbox.excuseRepeats(false);
  const { wire, people, inspector, portals } = stage;
  const contestants = await withDeps(inspector, populateContest);
  await using load = startLoad({ wire, people, rate, ledger });
  await using contests = startContests({ wire, contestants, ledger });
  await pause(WARM_UP_MS);
  const { result, leftovers } = await measureLeftovers(portals, () => run(load));
  const samples = (await Promise.all([load.stop(), contests.stop()])).flat();
  return { result, leftovers, ledger, samples };
}

/** Milliseconds from `since` until the start of the last request that failed. */
export const lastFailure = (samples: readonly Sample[], since: number) =>
  Math.max(0, ...failuresIn(samples).map(({ at }) => at - since));

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
export const longest = (durations: readonly number[]) => Math.max(...durations);
export const spread = (durations: readonly number[]) =>
  `${seconds(Math.min(...durations))} to ${seconds(longest(durations))}`;
export const slowestOf = (samples: readonly Pick<Sample, 'ms'>[]) => longest(samples.map(({ ms }) => ms));

export function ledgerSummary(ledger: Ledger): string {
  const contestedCount = contestedKinds.reduce((sum, kind) => sum + ledger.count('acknowledged', kind), 0);
  const total = `${ledger.count('acknowledged')} writes`;
  return `${total}${contestedCount > 0 ? ` (${contestedCount} contested)` : ''}, ${ledger.count('unknown')} unknown`;
}

interface Kill {
  readonly at: number;
  readonly endedAt: number;
  readonly backMs: number;
  readonly picture: Picture | undefined;
}

/** Splits the failures by whether a killed process held the request; also the longest time from kill to failure. */
export function splitByKill(kills: readonly Pick<Kill, 'at' | 'endedAt'>[], samples: readonly Sample[]) {
  const cutRequests: Sample[] = [];
  const stray: Sample[] = [];
  let failedAfterMs = 0;
  for (const one of failuresIn(samples)) {
    const answeredAt = one.at + one.ms;
    const kill = kills.find(({ at, endedAt }) => one.at <= endedAt && answeredAt >= at);
    (kill ? cutRequests : stray).push(one);
    if (kill) failedAfterMs = Math.max(failedAfterMs, answeredAt - kill.at);
  }
  return { cutRequests, stray, failedAfterMs };
}

const SETTLE_MS = 1500;
const UPLOAD_MS = 500;
const FULL_SERVICE_MS = 2000;

/** Kills one process after the other with SIGKILL; each is restarted at once. */
const kills: Scenario = {
  ids: ['L4', 'R5'],
  name: 'A process is killed under load, time after time',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(5, 50);
    const { result, ledger, samples } = await underLoad(stage, async () => {
      stage.mailbox.excuseRepeats(true);
      const killList: Kill[] = [];
      for (let round = 0; round < rounds; round += 1) killList.push(await killOne(stage, round));
      return killList;
    });
    const { cutRequests, stray, failedAfterMs } = splitByKill(result, samples);
    const backMs = longest(result.map((kill) => kill.backMs));
    const unlike = cutRequests.filter(({ status }) => ![0, 502].includes(status));
    const pictures = result.flatMap(({ picture }) => picture ?? []);
    const breaches = [
      ...(await stage.breaches({ ledgers: [ledger] })),
      ...(await lostPictures(stage, pictures)),
      ...(pictures.length === 0 ? ['no upload succeeded'] : []),
      ...(stray.length > 0 ? [`no killed process held the requests that got ${statuses(stray)}`] : []),
      ...(unlike.length > 0 ? [`cut requests got ${statuses(unlike)}`] : []),
      ...(failedAfterMs > FULL_SERVICE_MS ? [`a cut request failed after ${seconds(failedAfterMs)}`] : []),
      ...(backMs > FULL_SERVICE_MS ? [`full service was back after ${seconds(backMs)}`] : []),
    ];
    const summary =
      `${rounds} kills, ${ledgerSummary(ledger)}, ${pictures.length} pictures; ${cutRequests.length} requests cut, all in flight; ${stage.mailbox.repeats().excused} mails twice; ` +
      `ready within ${seconds(backMs)}`;
    return { breaches, summary };
  },
};

async function killOne(stage: Stage, round: number): Promise<Kill> {
  const victim = stage.portals[round % 2] ?? stage.portals[0];
  const readers = stage.people.filter(({ isVisitor }) => !isVisitor);
  const somebody = readers[round % readers.length];
  await pause(500 + Math.random() * 1000);
  // Usually in progress at the kill.
  const upload = somebody && uploadPicture(stage, somebody);
  await pause(Math.random() * UPLOAD_MS);
  const at = performance.now();
  await victim.program().end('SIGKILL');
  const endedAt = performance.now();
  victim.launch();
  await victim.ready();
  const backMs = performance.now() - at;
  // The other process is next, so the balancer must see this one first.
  await stage.balancer.sees(round % 2);
  await pause(SETTLE_MS);
  return { at, endedAt, backMs, picture: await upload };
}

const ROLLING_RATE = 200;

/** Restarts one process after the other, as an update does; the last round changes tables and goes back. */
const rolling: Scenario = {
  ids: ['R14'],
  name: 'Both processes are restarted one after the other under load',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(2, 20);
    const next = makeNextRelease(drill.folder('next-release'));
    const roll = async (release?: string) => {
      for (const [nth, one] of stage.portals.entries()) {
        await one.program().end('SIGTERM');
        one.launch(release);
        await one.ready();
        await stage.balancer.sees(nth);
      }
    };
    const { ledger, samples } = await underLoad(
      stage,
      async () => {
        for (let round = 0; round < rounds; round += 1) await roll();
        await roll(next);
        await roll();
      },
      ROLLING_RATE,
    );
    const failures = failuresIn(samples);
    const breaches = [
      ...(await stage.breaches({ ledgers: [ledger] })),
      ...(failures.length > 0 ? [statuses(failures)] : []),
    ];
    const summary =
      `${rounds} rounds, one with a migration and one back, at ${ROLLING_RATE}/s: ${statuses(samples)}; ` +
      ledgerSummary(ledger);
    return { breaches, summary };
  },
};

export const crashes: readonly Scenario[] = [kills, rolling];
