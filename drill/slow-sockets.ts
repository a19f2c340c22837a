import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { measureLeftovers } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failuresIn, percentile, startLoad, statuses } from './load.ts';
import { atEachSite, type Site } from './site.ts';
import { until } from './processes.ts';
import { type Drill, type Scenario, atLeast } from './scenario.ts';
import { HOST, strangersNetwork, strangersSocket } from './single.ts';

const head = `POST /api/signin HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\n`;

const asking = `GET /api/ustat HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

/** The kinds of slow clients: the bytes sent at once, and the bytes dripped afterwards. */
const ways = {
  'says nothing': { says: '', drips: '' },
  'never ends its head': { says: head, drips: 'A: b\r\n' },
  'never ends its body': { says: `${head}Content-Length: 9000\r\n\r\n{`, drips: ' ' },
  'asks nothing more': { says: asking, drips: '' },
  'sends empty lines': { says: asking, drips: '\r\n' },
};
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];
/** The seconds until each kind is disconnected, and until an unread answer is. */
const patience: Record<Site['kind'], { readonly ways: Record<Way, number>; readonly taking: number }> = {
  embedded: {
    ways: {
      'says nothing': 10,
      'never ends its head': 10,
      'never ends its body': 30,
      'asks nothing more': 30,
      'sends empty lines': 40,
    },
    taking: 60,
  },
  // The timeouts of deploy/haproxy.cfg; an unread answer waits for one timeout in each direction. HAProxy
  // notices that the portal gave up on a body only at the next byte.
  balanced: {
    ways: {
      'says nothing': 10,
      'never ends its head': 10,
      'never ends its body': 32,
      'asks nothing more': 35,
      'sends empty lines': 35,
    },
    taking: 70,
  },
};
/** For timers of both ends, and a machine that runs both. */
const LEEWAY_SECONDS = 4;
const DRIP_EVERY_MS = 2000;
const SOCKETS_A_NETWORK = 100;
const STRETCH_SOCKETS = 10_000;
/** The stretch goal needs `--rounds 130`, because some sockets are always about to reconnect. */
const NETWORKS = 10;
/** Longer than any kind of slow client may stay, so that each is seen disconnected. */
const WATCHED_MIN_SECONDS = 45;

/** Untrusted clients that hold sockets open as long as possible, and open new ones. */
class Crowd {
  readonly #entry: Site['entry'];
  readonly #open = new Map<Socket, { readonly way: Way; readonly began: number }>();
  readonly longestSeconds = new Map<Way, number>();
  #ended = false;
  readonly #drip = setInterval(() => {
    for (const [socket, { way }] of this.#open) if (ways[way].drips) socket.write(ways[way].drips);
  }, DRIP_EVERY_MS);
  constructor(entry: Site['entry']) {
    this.#entry = entry;
  }

  get open() {
    return this.#open.size;
  }

  add(way: Way, from: string) {
    const socket = strangersSocket(this.#entry, from);
    socket.once('connect', () => {
      this.#open.set(socket, { way, began: performance.now() });
      socket.write(ways[way].says);
    });
    socket.on('data', () => undefined);
    socket.once('close', () => {
      if (this.#ended) return;
      this.#lasted(socket);
      this.#open.delete(socket);
      this.add(way, from);
    });
  }

  #lasted(socket: Socket) {
    const socketInfo = this.#open.get(socket);
    if (!socketInfo) return;
    const { way, began } = socketInfo;
    const seconds = (performance.now() - began) / 1000;
    this.longestSeconds.set(way, Math.max(seconds, this.longestSeconds.get(way) ?? 0));
  }

  /** A socket that is still open counts with its time so far. */
  end() {
    this.#ended = true;
    clearInterval(this.#drip);
    for (const socket of this.#open.keys()) {
      this.#lasted(socket);
      socket.destroy();
    }
    this.#open.clear();
  }

  [Symbol.dispose]() {
    this.end();
  }
}

/** How many sockets of one network stay open. */
async function socketsOfOneNetwork(entry: Site['entry']) {
  const sockets = Array.from({ length: 2 * SOCKETS_A_NETWORK }, () =>
    strangersSocket(entry, strangersNetwork(5000)).resume(),
  );
  let closedCount = 0;
  for (const socket of sockets) socket.once('close', () => (closedCount += 1));
  await until('half are closed', 5000, () => closedCount >= SOCKETS_A_NETWORK);
  for (const socket of sockets) socket.destroy();
  return sockets.length - closedCount;
}

const TAKEN_WITHIN_MS = 120_000;
const LARGEST_PATH = '/api/openapi.json';
const LARGEST = `GET ${LARGEST_PATH} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
/** An answer that has not left the portal by then does not fit into the buffers in between. */
const LEAVES_WITHIN_MS = 5000;

/** How many of the largest answers have completely left the portal. */
async function answersThatLeft(portals: Site['portals']) {
  const answerCount = new RegExp(
    `^portico_requests_total\\{endpoint="GET ${LARGEST_PATH}",.*\\} (\\d+)$`,
    'm',
  );
  let count = 0;
  for (const { port } of portals) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    count += Number(answerCount.exec(text)?.[1] ?? 0);
  }
  return count;
}

/**
 * Whether the portal or balancer still holds its end of a socket. The client cannot see it, because it learns
 * of a close only after reading the earlier data.
 */
function isHeld({ port }: Site['entry'], { localPort = 0 }: Socket) {
  const hex = (one: number) => one.toString(16).toUpperCase().padStart(4, '0');
  const established = new RegExp(`:${hex(port)} [0-9A-F]+:${hex(localPort)} 01 `);
  return ['tcp', 'tcp6'].some((table) => established.test(readFileSync(`/proc/net/${table}`, 'utf8')));
}

/**
 * How long an unread answer is held. The kernel would buffer a single one, so answers are requested until one
 * gets stuck.
 */
async function secondsWithoutTaking(
  { entry, portals }: Pick<Site, 'entry' | 'portals'>,
  from: string,
): Promise<number> {
  const socket = strangersSocket(entry, from).pause();
  await once(socket, 'connect');
  let requests = 0;
  let began = 0;
  const hasLeft = async () => {
    while (performance.now() < began + LEAVES_WITHIN_MS) {
      if ((await answersThatLeft(portals)) === requests) return true;
      await pause(50);
    }
    return false;
  };
  do {
    socket.write(LARGEST);
    requests += 1;
    began = performance.now();
  } while (await hasLeft());
  await until('the unread answer is dropped', TAKEN_WITHIN_MS, () => !isHeld(entry, socket), 250);
  socket.destroy();
  return (performance.now() - began) / 1000;
}

async function runSlowSockets(drill: Drill, { kind, entry, portals, people, wire, ...site }: Site) {
  const breaches: string[] = [];
  const socketCount = await socketsOfOneNetwork(entry);
  if (socketCount > SOCKETS_A_NETWORK) breaches.push(`one network has ${socketCount} sockets`);

  const ledger = new Ledger();
  const mix = { writes: 15, signIns: 0 };
  const networks = drill.rounds(NETWORKS, NETWORKS);
  const wave = async (seconds: number) => {
    using crowd = new Crowd(entry);
    for (let n = 0; n < networks; n += 1) {
      for (let socket = 0; socket < SOCKETS_A_NETWORK; socket += 1)
        crowd.add(wayNames[socket % wayNames.length] ?? 'says nothing', strangersNetwork(n));
      await pause(20);
    }
    await until('they have come', 60_000, () => crowd.open >= networks * SOCKETS_A_NETWORK * 0.95);
    site.say(`${crowd.open} slow sockets from ${networks} networks`);
    await using load = startLoad({ wire, people, rate: 20, mix, ledger });
    await pause(seconds * 1000);
    const slow = crowd.open;
    const samples = await load.stop();
    crowd.end();
    await pause(3000);
    return { crowd, slow, samples };
  };
  // The first wave takes memory that is reused; later waves must not increase it.
  await wave(15);
  await using calm = startLoad({ wire, people, rate: 20 });
  const fault = await measureLeftovers(portals, () =>
    Promise.all([
      wave(Math.max(WATCHED_MIN_SECONDS, drill.seconds(45, 120))),
      secondsWithoutTaking({ entry, portals }, strangersNetwork(5001)),
    ]),
  );
  await calm.stop();
  const [{ crowd, slow, samples }, unreadSeconds] = fault.result;
  const { ways: lasts, taking } = patience[kind];
  if (Math.abs(unreadSeconds - taking) > LEEWAY_SECONDS)
    breaches.push(`an unread answer is dropped after ${unreadSeconds.toFixed(1)} s`);
  for (const [way, seconds] of crowd.longestSeconds)
    if (seconds > lasts[way] + LEEWAY_SECONDS)
      breaches.push(`a client that ${way} is disconnected after ${seconds.toFixed(1)} s`);
  const p99 = percentile(samples, 99);
  if (!(p99 <= 1000)) breaches.push('others wait for more than a second');
  if (failuresIn(samples).length > 0) breaches.push(`others were answered ${statuses(samples)}`);
  breaches.push(...fault.leftovers, ...(await site.breaches({ ledgers: [ledger] })));
  const durations = [...wayNames.map((way) => crowd.longestSeconds.get(way) ?? 0), unreadSeconds].map(
    (seconds) => seconds.toFixed(1),
  );
  const others = `others p99 ${p99.toFixed(0)} ms`;
  return [
    {
      id: 'M2',
      breaches,
      summary: `closed after ${durations.join(', ')} s; ${socketCount} of ${2 * SOCKETS_A_NETWORK} sockets kept; ${others}`,
    },
    {
      id: 'R13',
      breaches,
      summary: `${slow} slow sockets; ${others}`,
      reachesStretch: atLeast(slow, STRETCH_SOCKETS),
    },
  ] as const;
}

export const slowSockets: Scenario = {
  ids: ['M2', 'R13'],
  name: 'Slow sockets',
  needs: 'places',
  run: (drill) =>
    atEachSite(drill, 'slow-sockets', (site) => runSlowSockets(drill, site), { sockets: SOCKETS_A_NETWORK }),
};
