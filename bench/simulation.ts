import TinyQueue from 'tinyqueue';
import { type Call, type Cost, type Costs, calls } from './model.ts';

// Simulates the portal's processes in front of one PostgreSQL, request by request, on a virtual clock. A
// process does one thing at a time: one turn of its loop serves all requests that have arrived, and their
// session look-ups are one statement. Passwords are hashed in the remaining time. A statement takes a
// connection of its process and then a core of PostgreSQL. Each request goes to the process with the fewest,
// as HAProxy does. Networks, disks and caches are not simulated.

export interface Simulation {
  readonly processes: number;
  readonly databaseCores: number;
  /** Per process. */
  readonly connections: number;
  readonly costs: Costs;
  /** The cost of a check whose look-up shares a statement. */
  readonly sharedCheck: Cost;
  /** Requests of each kind per second. */
  readonly aSecond: Readonly<Record<Call, number>>;
  readonly lastsMs: number;
  /** Multiplies the arrivals from `fromMs` to `toMs`. */
  readonly burst?: { readonly fromMs: number; readonly toMs: number; readonly times: number };
  /** When one process dies. Its requests in progress are cut, and it does not come back. */
  readonly lossAtMs?: number;
}

export interface Outcome {
  /** The arrival of each answered request and the time it took. */
  readonly answers: readonly { readonly atMs: number; readonly tookMs: number }[];
  readonly cutRequests: number;
  /** The largest number of a process's connections in use at once. */
  readonly connectionsUsed: number;
  /** The average number of look-ups per statement. */
  readonly lookupsPerStatement: number;
}

/** The hash's share of the portal's cost of a sign-in (docs/performance.md). */
const HASH_SHARE = 0.75;
/** The kernel shares the core, so a hash blocks the loop for at most this long. */
const SLICE_MS = 1;

type Work = { readonly ms: number; readonly done: () => void };

/** Reproducible pseudo-random numbers from 0 to 1 (Park and Miller's generator). */
function chance(seed = 1) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Serves `size` works at once; later ones wait in a queue. */
function station(size: number, work: (one: Work) => void, onBegin: (busy: number) => void = () => {}) {
  const line: Work[] = [];
  let next = 0;
  let busy = 0;
  const begin = ({ ms, done }: Work) => {
    busy += 1;
    onBegin(busy);
    work({
      ms,
      done: () => {
        busy -= 1;
        const following = line[next];
        if (following) {
          next += 1;
          begin(following);
        }
        done();
      },
    });
  };
  return (one: Work) => (busy < size ? begin(one) : void line.push(one));
}

/** Runs from the start until every request is answered or cut. */
export function play(setting: Simulation): Outcome {
  const { costs, sharedCheck, burst, lastsMs } = setting;
  const random = chance();
  let now = 0;
  const events = new TinyQueue<{ readonly at: number; readonly done: () => void }>([], (a, b) => a.at - b.at);
  const wait = (ms: number, done: () => void) => events.push({ at: now + ms, done });
  const database = station(setting.databaseCores, ({ ms, done }) => wait(ms, done));

  const answers: { atMs: number; tookMs: number }[] = [];
  let cutRequests = 0;
  let connectionsUsed = 0;
  const statements = { ofLookups: 0, lookups: 0 };

  const startProcess = () => {
    let arrivals: Work[] = [];
    let queries: (() => void)[] = [];
    const hashes: { leftMs: number; readonly done: () => void }[] = [];
    let inTurn = false;

    const onConnection = station(setting.connections, database, (used) => {
      connectionsUsed = Math.max(connectionsUsed, used);
    });
    const turn = () => {
      const [hash] = hashes;
      inTurn = arrivals.length > 0 || hash !== undefined;
      if (!inTurn || process.isGone) return;
      if (arrivals.length === 0 && hash) return slice(hash);
      const works = arrivals;
      arrivals = [];
      wait(
        works.reduce((sum, { ms }) => sum + ms, 0),
        () => {
          for (const { done } of works) done();
          if (queries.length > 0) lookUp();
          turn();
        },
      );
    };
    const slice = (hash: (typeof hashes)[number]) =>
      wait(Math.min(SLICE_MS, hash.leftMs), () => {
        hash.leftMs -= SLICE_MS;
        if (hash.leftMs <= 0) {
          hashes.shift();
          hash.done();
        }
        turn();
      });
    const lookUp = () => {
      const batch = queries;
      queries = [];
      statements.ofLookups += 1;
      statements.lookups += batch.length;
      arrivals.push({ ms: costs.check.appMs - sharedCheck.appMs, done: () => {} });
      const ms = costs.check.databaseMs + (batch.length - 1) * sharedCheck.databaseMs;
      onConnection({ ms, done: () => batch.forEach((resolve) => resolve()) });
    };
    const process = {
      isGone: false,
      underWay: 0,
      take: (call: Call) => {
        const atMs = now;
        process.underWay += 1;
        const { appMs, databaseMs } = call === 'check' ? sharedCheck : costs[call];
        const half = ((call === 'signIn' ? 1 - HASH_SHARE : 1) * appMs) / 2;
        const inLoop = (done: () => void) => {
          arrivals.push({ ms: half, done });
          if (!inTurn) turn();
        };
        const answer = () => {
          process.underWay -= 1;
          if (!process.isGone) answers.push({ atMs, tookMs: now - atMs });
        };
        const finish = () => inLoop(answer);
        const query = () => onConnection({ ms: databaseMs, done: finish });
        inLoop(() => {
          if (call === 'check') queries.push(finish);
          else if (call === 'signIn') hashes.push({ leftMs: HASH_SHARE * appMs, done: query });
          else query();
        });
      },
    };
    return process;
  };

  const processes = Array.from({ length: setting.processes }, startProcess);
  const total = calls.reduce((sum, call) => sum + setting.aSecond[call], 0);
  const someCall = () => {
    let at = random() * total;
    return calls.find((call) => (at -= setting.aSecond[call]) < 0) ?? 'check';
  };
  const arrive = () => {
    if (now >= lastsMs) return;
    const living = processes.filter(({ isGone }) => !isGone);
    living.reduce((least, one) => (one.underWay < least.underWay ? one : least)).take(someCall());
    arriveLater();
  };
  const arriveLater = () => {
    const times = burst && now >= burst.fromMs && now < burst.toMs ? burst.times : 1;
    wait((-Math.log(1 - random()) * 1000) / (total * times), arrive);
  };
  arriveLater();
  if (setting.lossAtMs !== undefined)
    events.push({
      at: setting.lossAtMs,
      done: () => {
        const [victim] = processes;
        if (!victim) return;
        victim.isGone = true;
        cutRequests = victim.underWay;
      },
    });
  for (let event = events.pop(); event; event = events.pop()) {
    now = event.at;
    event.done();
  }
  return {
    answers,
    cutRequests,
    connectionsUsed,
    lookupsPerStatement: statements.lookups / statements.ofLookups,
  };
}
