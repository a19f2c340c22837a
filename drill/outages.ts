import { setTimeout as pause } from 'node:timers/promises';
import { seconds, slowestOf, ledgerSummary, underLoad } from './crashes.ts';
import { failed, isFailure, type Load, type Sample, statuses, within } from './load.ts';
import { until } from './processes.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';
import type { Stage } from './stage.ts';
import { wireTo } from './wire.ts';

/** During an outage a 5xx must be a 503 with Retry-After. */
const rude = (samples: readonly Sample[]) =>
  failed(samples).filter(({ status, hasRetryAfter }) => status !== 503 || !hasRetryAfter);
export const rudeness = (samples: readonly Sample[]) =>
  rude(samples).length === 0 ? [] : [`${statuses(rude(samples))} instead of 503 with Retry-After`];

const RECOVERY_MS = 5000;
const IN_A_ROW = 20;
/**
 * Waits for consecutive counted answers without any failure; returns when the first of them was requested.
 */
export async function recovered(
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
    const { result, kept, ledger, samples } = await underLoad(stage, async (load) => {
      stage.mailbox.excuseRepeats(true);
      let cut = 0;
      for (const end = performance.now() + durationMs; performance.now() < end; await pause(50)) {
        const { rows } = await stage.database.query(
          `select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
           where datname = 'portico' and xact_start is not null and pid <> pg_backend_pid()`,
        );
        cut += Number(rows[0]?.['cut']);
      }
      return { cut, backMs: await recovered(load, performance.now()) };
    });
    const ends = ledgerSummary(ledger);
    const unknown = ledger.count('unknown');
    const broken = [
      ...(await ledger.retry(stage.wire.ask)),
      ...(await stage.broken({ ledgers: [ledger] })),
      ...kept,
      ...rudeness(samples),
      ...tooLate(result.backMs, RECOVERY_MS, 'recovery'),
      ...(unknown === 0 ? ['no write was cut'] : []),
    ];
    const measured = `${result.cut} connections cut; ${statuses(samples)}; ${ends}; recovery ${seconds(result.backMs)}`;
    return [
      drill.figure({
        id: 'L1',
        ...unless(broken, measured),
      }),
    ];
  },
};

const NO_HANG_MS = 2000;
/** The portal's own limit: a statement may take three seconds, so silence of the database shows only then. */
const SILENCE_MS = 4000;

/** The status that each process itself returns for a path during an outage. */
async function saidBy(stage: Stage, path: string) {
  const ownStatuses: number[] = [];
  for (const { url } of stage.portals) {
    const wire = wireTo(url, { host: new URL(stage.url).host });
    ownStatuses.push((await wire.ask({ method: 'GET', path })).status);
    wire.close();
  }
  return ownStatuses;
}

type Part = { readonly measured: string; readonly broken: readonly string[] };

/** Takes the database away and gives it back; reports the effect on clients meanwhile. */
async function away(stage: Stage, lasts: number, limitMs: number, take: () => unknown, give: () => unknown) {
  const broken: string[] = [];
  const { result, kept, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    await take();
    const from = performance.now();
    await pause((1000 * lasts) / 2);
    for (const [path, expected] of [
      ['/healthz', 200],
      ['/readyz', 503],
    ] as const)
      for (const status of await saidBy(stage, path))
        if (status !== expected) broken.push(`${path} was ${status}`);
    const page = await stage.wire.ask({ method: 'GET', path: '/login' });
    if (page.status !== 200) broken.push(`the login page was ${page.status}`);
    await pause((1000 * lasts) / 2);
    const to = performance.now();
    await give();
    return { from, to, backMs: await recovered(load, to) };
  });
  const meanwhile = within(samples, result.from, result.to);
  const slowest = slowestOf(meanwhile);
  const answered = meanwhile.filter(({ at, ms }) => at + ms < result.to);
  if (answered.length === 0) broken.push('nobody was answered');
  if (!answered.every(isFailure)) broken.push(`without a database ${statuses(answered)}`);
  broken.push(
    ...kept,
    ...rudeness(samples),
    ...tooLate(slowest, limitMs, 'an answer'),
    ...tooLate(result.backMs, RECOVERY_MS, 'recovery'),
    ...(await stage.broken({ ledgers: [ledger] })),
  );
  const measured = `${statuses(meanwhile)}, slowest ${seconds(slowest)}; recovery ${seconds(result.backMs)}`;
  return { measured, broken };
}

/** The database is stopped and started again. */
async function down(drill: Drill): Promise<Part> {
  const { database } = drill.stage;
  const lasts = drill.seconds(15, 60);
  const part = await away(
    drill.stage,
    lasts,
    NO_HANG_MS,
    () => database.stopPrimary(),
    () => database.startPrimary(),
  );
  return { ...part, measured: `down ${lasts} s: ${part.measured}` };
}

/** The database freezes: connections stay open and nothing answers. */
async function frozen(drill: Drill): Promise<Part> {
  const { database } = drill.stage;
  const lasts = drill.seconds(10, 60);
  const part = await away(
    drill.stage,
    lasts,
    SILENCE_MS,
    () => database.freeze(),
    () => database.thaw(),
  );
  return { ...part, measured: `frozen ${lasts} s: ${part.measured}` };
}

const SLOW_MS = 2000;

/** The database freezes for two seconds, repeatedly. */
async function slow({ stage, rounds }: Drill): Promise<Part> {
  const times = rounds(2, 5);
  const { result, kept, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    for (let time = 0; time < times; time += 1) {
      stage.database.freeze();
      await pause(SLOW_MS);
      stage.database.thaw();
      await pause(SLOW_MS);
    }
    return recovered(load, performance.now());
  });
  const slowest = slowestOf(samples);
  const broken = [
    ...kept,
    ...rudeness(samples),
    ...tooLate(slowest, SILENCE_MS, 'an answer'),
    ...tooLate(result, RECOVERY_MS, 'recovery'),
    ...(await stage.broken({ ledgers: [ledger] })),
  ];
  const measured = `slow ${times} × 2 s: ${statuses(samples)}, slowest ${seconds(slowest)}`;
  return { measured, broken };
}

/** A session holds a lock that every write needs, for long. */
async function locked(drill: Drill): Promise<Part> {
  const { stage } = drill;
  const lasts = drill.seconds(10, 30);
  const { result, kept, ledger, samples } = await underLoad(stage, async (load) => {
    stage.mailbox.excuseRepeats(true);
    await using client = await stage.database.client();
    await client.query('begin; lock table organizations in access exclusive mode');
    const from = performance.now();
    await pause(1000 * lasts);
    const to = performance.now();
    await client.query('commit');
    return { from, to, backMs: await recovered(load, to) };
  });
  const meanwhile = within(samples, result.from, result.to);
  const slowest = slowestOf(meanwhile);
  const broken = [
    ...kept,
    ...rudeness(samples),
    ...tooLate(slowest, NO_HANG_MS, 'an answer'),
    ...tooLate(result.backMs, RECOVERY_MS, 'recovery'),
    ...(failed(meanwhile).length === 0 ? ['nobody met the lock'] : []),
    ...(await stage.broken({ ledgers: [ledger] })),
  ];
  const measured = `locked ${lasts} s: ${statuses(meanwhile)}, slowest ${seconds(slowest)}; recovery ${seconds(result.backMs)}`;
  return { measured, broken };
}

const databaseAway: Scenario = {
  ids: ['L2'],
  name: 'The database is down, frozen, slow, locked',
  needs: 'cluster',
  async run(drill) {
    const parts: Part[] = [];
    for (const part of [down, frozen, slow, locked]) {
      parts.push(await part(drill));
      drill.say(parts.at(-1)?.measured ?? '');
    }
    const broken = parts.flatMap((part) => part.broken);
    return [
      drill.figure({
        id: 'L2',
        ...unless(broken, parts.map(({ measured }) => measured).join('; ')),
      }),
    ];
  },
};

export const outages: readonly Scenario[] = [connectionsCut, databaseAway];
