// Takes the database away under load and checks that clients get honest answers, and that the portal recovers by itself.
import { setTimeout as pause } from 'node:timers/promises';
import { seconds, slowestOf, ledgerSummary, underLoad } from './crashes.ts';
import { failuresIn, isFailure, type Load, type Sample, statuses, within } from './load.ts';
import { until } from './processes.ts';
import { type Drill, joinParts, type Part, type Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { wireTo } from './wire.ts';

/** During an outage a 5xx must be a 503 with Retry-After. */
const rudeAnswers = (samples: readonly Sample[]) =>
  failuresIn(samples).filter(({ status, hasRetryAfter }) => status !== 503 || !hasRetryAfter);
export const rudeness = (samples: readonly Sample[]) =>
  rudeAnswers(samples).length === 0
    ? []
    : [`${statuses(rudeAnswers(samples))} instead of 503 with Retry-After`];

const RECOVERY_MS = 5000;
const IN_A_ROW = 20;
/** Waits for consecutive counted answers without any failure; returns when the first of them was requested. */
export async function waitForRecovery(
  load: Load,
  since: number,
  counts: (one: Sample) => boolean = () => true,
): Promise<number> {
  const run = () => {
    const after = within(load.samples, since).toSorted((a, b) => a.at - b.at);
    const last = after.findLastIndex(isFailure);
    return after.slice(last + 1);
  };
  await until('requests are answered again', 60_000, () => run().filter(counts).length >= IN_A_ROW, 20);
  return (run()[0]?.at ?? Number.NaN) - since;
}

const tooLate = (ms: number, limit: number, what: string) =>
  ms > limit ? [`${what} took ${seconds(ms)}`] : [];

/** Cuts connections in the middle of transactions, some at every moment. */
const connectionsCut: Scenario = {
  ids: ['L1'],
  name: 'Connections to the database are cut in the middle of transactions',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const durationMs = 1000 * drill.seconds(20, 120);
    const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
      stage.mailbox.excuseRepeats(true);
      let cutConnections = 0;
      for (const end = performance.now() + durationMs; performance.now() < end; await pause(50)) {
        const { rows } = await stage.database.query(
          `select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
           where datname = 'portico' and xact_start is not null and pid <> pg_backend_pid()`,
        );
        cutConnections += Number(rows[0]?.['cut']);
      }
      return { cutConnections, backMs: await waitForRecovery(load, performance.now()) };
    });
    const ends = ledgerSummary(ledger);
    const unknown = ledger.count('unknown');
    const breaches = [
      ...(await ledger.retry(stage.wire.ask)),
      ...(await stage.breaches({ ledgers: [ledger] })),
      ...leftovers,
      ...rudeness(samples),
      ...tooLate(result.backMs, RECOVERY_MS, 'recovery'),
      ...(unknown === 0 ? ['no write was cut'] : []),
    ];
    const summary = `${result.cutConnections} connections cut; ${statuses(samples)}; ${ends}; recovery ${seconds(result.backMs)}`;
    return { breaches, summary };
  },
};

const NO_HANG_MS = 2000;
/** The portal's own limit: a statement may take three seconds, so silence of the database shows only then. */
const SILENCE_MS = 4000;

/** The status that each process itself returns for a path during an outage. */
async function statusesAt(stage: Stage, path: string) {
  const ownStatuses: number[] = [];
  for (const { url } of stage.portals) {
    const wire = wireTo(url, { host: new URL(stage.url).host });
    ownStatuses.push((await wire.ask({ method: 'GET', path })).status);
    wire.close();
  }
  return ownStatuses;
}

/** Takes the database away and gives it back; reports the effect on clients meanwhile. */
async function withoutDatabase(
  stage: Stage,
  what: string,
  lasts: number,
  limitMs: number,
  take: () => unknown,
  give: () => unknown,
) {
  const breaches: string[] = [];
  const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    await take();
    const from = performance.now();
    await pause((1000 * lasts) / 2);
    for (const [path, expected] of [
      ['/healthz', 200],
      ['/readyz', 503],
    ] as const)
      for (const status of await statusesAt(stage, path))
        if (status !== expected) breaches.push(`${path} was ${status}`);
    const page = await stage.wire.ask({ method: 'GET', path: '/login' });
    if (page.status !== 200) breaches.push(`the login page was ${page.status}`);
    await pause((1000 * lasts) / 2);
    const to = performance.now();
    await give();
    return { from, to, backMs: await waitForRecovery(load, to) };
  });
  const meanwhile = within(samples, result.from, result.to);
  const slowest = slowestOf(meanwhile);
  const answers = meanwhile.filter(({ at, ms }) => at + ms < result.to);
  if (answers.length === 0) breaches.push('nobody was answered');
  if (!answers.every(isFailure)) breaches.push(`without a database ${statuses(answers)}`);
  breaches.push(
    ...leftovers,
    ...rudeness(samples),
    ...tooLate(slowest, limitMs, 'an answer'),
    ...tooLate(result.backMs, RECOVERY_MS, 'recovery'),
    ...(await stage.breaches({ ledgers: [ledger] })),
  );
  const summary = `${what} ${lasts} s: ${statuses(meanwhile)}, slowest ${seconds(slowest)}; recovery ${seconds(result.backMs)}`;
  return { summary, breaches };
}

const stopDatabase = ({ stage, seconds: lasts }: Drill) =>
  withoutDatabase(
    stage,
    'down',
    lasts(15, 60),
    NO_HANG_MS,
    () => stage.database.stopPrimary(),
    () => stage.database.startPrimary(),
  );

/** The database freezes: connections stay open and nothing answers. */
const freezeDatabase = ({ stage, seconds: lasts }: Drill) =>
  withoutDatabase(
    stage,
    'frozen',
    lasts(10, 60),
    SILENCE_MS,
    () => stage.database.freeze(),
    () => stage.database.thaw(),
  );

const SLOW_MS = 2000;

async function slowDatabase({ stage, rounds }: Drill): Promise<Part> {
  const times = rounds(2, 5);
  const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    for (let time = 0; time < times; time += 1) {
      stage.database.freeze();
      await pause(SLOW_MS);
      stage.database.thaw();
      await pause(SLOW_MS);
    }
    return waitForRecovery(load, performance.now());
  });
  const slowest = slowestOf(samples);
  const breaches = [
    ...leftovers,
    ...rudeness(samples),
    ...tooLate(slowest, SILENCE_MS, 'an answer'),
    ...tooLate(result, RECOVERY_MS, 'recovery'),
    ...(await stage.breaches({ ledgers: [ledger] })),
  ];
  const summary = `slow ${times} × 2 s: ${statuses(samples)}, slowest ${seconds(slowest)}`;
  return { summary, breaches };
}

async function lockTable(drill: Drill): Promise<Part> {
  const { stage } = drill;
  const lasts = drill.seconds(10, 30);
  const { result, leftovers, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    await using client = await stage.database.client();
    await client.query('begin; lock table organizations in access exclusive mode');
    const from = performance.now();
    await pause(1000 * lasts);
    const to = performance.now();
    await client.query('commit');
    return { from, to, backMs: await waitForRecovery(load, to) };
  });
  const meanwhile = within(samples, result.from, result.to);
  const slowest = slowestOf(meanwhile);
  const breaches = [
    ...leftovers,
    ...rudeness(samples),
    ...tooLate(slowest, NO_HANG_MS, 'an answer'),
    ...tooLate(result.backMs, RECOVERY_MS, 'recovery'),
    ...(failuresIn(meanwhile).length === 0 ? ['nobody met the lock'] : []),
    ...(await stage.breaches({ ledgers: [ledger] })),
  ];
  const summary = `locked ${lasts} s: ${statuses(meanwhile)}, slowest ${seconds(slowest)}; recovery ${seconds(result.backMs)}`;
  return { summary, breaches };
}

const databaseAway: Scenario = {
  ids: ['L2'],
  name: 'The database is down, frozen, slow, locked',
  needs: 'cluster',
  async run(drill) {
    const parts: Part[] = [];
    for (const part of [stopDatabase, freezeDatabase, slowDatabase, lockTable]) {
      parts.push(await part(drill));
      drill.say(parts.at(-1)?.summary ?? '');
    }
    return joinParts(parts);
  },
};

export const outages: readonly Scenario[] = [connectionsCut, databaseAway];
