import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { keptFrom } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failed, percentile, startLoad, statuses } from './load.ts';
import { atEachPlace, type Place } from './place.ts';
import { until } from './processes.ts';
import { type Drill, type Scenario, tried } from './scenario.ts';
import { HOST, strangersNetwork, strangersSocket } from './single.ts';

const head = `POST /api/signin HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\n`;

const asking = `GET /api/ustat HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

/** Ways to be slow: what is sent at once, and what drips after it. */
const ways = {
  'says nothing': { says: '', drips: '' },
  'never ends its head': { says: head, drips: 'A: b\r\n' },
  'never ends its body': { says: `${head}Content-Length: 9000\r\n\r\n{`, drips: ' ' },
  'asks nothing more': { says: asking, drips: '' },
  'sends empty lines': { says: asking, drips: '\r\n' },
};
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];
/** After how many seconds one has to be let go, and an answer that nobody takes. */
const patience: Record<Place['kind'], { readonly ways: Record<Way, number>; readonly taking: number }> = {
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
  // As deploy/haproxy.cfg says; an answer waits for one silence of each direction. Of a body
  // that the portal has let go of HAProxy learns by the next byte that comes.
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
/** Timers of both ends, and a machine that does both. */
const LEEWAY_SECONDS = 4;
const DRIP_EVERY_MS = 2000;
const SOCKETS_A_NETWORK = 100;
const STRETCH_SOCKETS = 10_000;
/** For the stretch mark it takes `--rounds 130`, since some are always about to come back. */
const NETWORKS = 10;
/** No way to be slow lasts longer, so in this time nobody has to be let in on faith. */
const WATCHED_MIN_SECONDS = 45;

/** Strangers who hold sockets open as long as they are let, and open new ones. */
class Crowd {
  readonly #door: Place['door'];
  readonly #open = new Map<Socket, { readonly way: Way; readonly began: number }>();
  readonly longestSeconds = new Map<Way, number>();
  #ended = false;
  readonly #drip = setInterval(() => {
    for (const [socket, { way }] of this.#open) if (ways[way].drips) socket.write(ways[way].drips);
  }, DRIP_EVERY_MS);
  constructor(door: Place['door']) {
    this.#door = door;
  }

  get open() {
    return this.#open.size;
  }

  add(way: Way, from: string) {
    const socket = strangersSocket(this.#door, from);
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
    const held = this.#open.get(socket);
    if (!held) return;
    const { way, began } = held;
    const seconds = (performance.now() - began) / 1000;
    this.longestSeconds.set(way, Math.max(seconds, this.longestSeconds.get(way) ?? 0));
  }

  /** Who is still there then counts for as long as they have been let stay. */
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

/** How many of the sockets that one network opens are kept. */
async function keptOfOneNetwork(door: Place['door']) {
  const sockets = Array.from({ length: 2 * SOCKETS_A_NETWORK }, () =>
    strangersSocket(door, strangersNetwork(5000)).resume(),
  );
  let closed = 0;
  for (const socket of sockets) socket.once('close', () => (closed += 1));
  await until('half are closed', 5000, () => closed >= SOCKETS_A_NETWORK);
  for (const socket of sockets) socket.destroy();
  return sockets.length - closed;
}

const TAKEN_WITHIN_MS = 120_000;
const LARGEST_PATH = '/api/openapi.json';
const LARGEST = `GET ${LARGEST_PATH} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
/** An answer that has not left the portal by now does not fit between the two any more. */
const LEAVES_WITHIN_MS = 5000;

/** How many of the largest answers have left the portal to the last byte. */
async function answersThatLeft(portals: Place['portals']) {
  const counted = new RegExp(`^portico_requests_total\\{endpoint="GET ${LARGEST_PATH}",.*\\} (\\d+)$`, 'm');
  let count = 0;
  for (const { port } of portals) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    count += Number(counted.exec(text)?.[1] ?? 0);
  }
  return count;
}

/** Whether whoever stands at the door has not closed its end of a socket; the other end learns of it only once it takes what was sent before. */
function isHeld({ port }: Place['door'], { localPort = 0 }: Socket) {
  const hex = (one: number) => one.toString(16).toUpperCase().padStart(4, '0');
  const established = new RegExp(`:${hex(port)} [0-9A-F]+:${hex(localPort)} 01 `);
  return ['tcp', 'tcp6'].some((table) => established.test(readFileSync(`/proc/net/${table}`, 'utf8')));
}

/** For how long an answer waits that nobody takes. The kernel would take a single one, so more are asked for until one stays. */
async function secondsWithoutTaking(
  { door, portals }: Pick<Place, 'door' | 'portals'>,
  from: string,
): Promise<number> {
  const socket = strangersSocket(door, from).pause();
  await once(socket, 'connect');
  let asked = 0;
  let began = 0;
  const hasLeft = async () => {
    while (performance.now() < began + LEAVES_WITHIN_MS) {
      if ((await answersThatLeft(portals)) === asked) return true;
      await pause(50);
    }
    return false;
  };
  do {
    socket.write(LARGEST);
    asked += 1;
    began = performance.now();
  } while (await hasLeft());
  await until('who takes nothing is let go', TAKEN_WITHIN_MS, () => !isHeld(door, socket), 250);
  socket.destroy();
  return (performance.now() - began) / 1000;
}

async function slow(drill: Drill, { kind, door, portals, people, wire, ...place }: Place) {
  const broken: string[] = [];
  const kept = await keptOfOneNetwork(door);
  if (kept > SOCKETS_A_NETWORK) broken.push(`one network has ${kept} sockets`);

  const ledger = new Ledger();
  const mix = { writes: 15, signIns: 0 };
  const networks = drill.rounds(NETWORKS, NETWORKS);
  const wave = async (seconds: number) => {
    using crowd = new Crowd(door);
    for (let n = 0; n < networks; n += 1) {
      for (let socket = 0; socket < SOCKETS_A_NETWORK; socket += 1)
        crowd.add(wayNames[socket % wayNames.length] ?? 'says nothing', strangersNetwork(n));
      await pause(20);
    }
    await until('they have come', 60_000, () => crowd.open >= networks * SOCKETS_A_NETWORK * 0.95);
    place.say(`${crowd.open} slow sockets from ${networks} networks`);
    await using load = startLoad({ wire, people, rate: 20, mix, ledger });
    await pause(seconds * 1000);
    const slow = crowd.open;
    const samples = await load.stop();
    crowd.end();
    await pause(3000);
    return { crowd, slow, samples };
  };
  // What so many sockets take of the memory once is kept for the next ones; it is not to grow with each wave.
  await wave(15);
  await using calm = startLoad({ wire, people, rate: 20 });
  const fault = await keptFrom(portals, () =>
    Promise.all([
      wave(Math.max(WATCHED_MIN_SECONDS, drill.seconds(45, 120))),
      secondsWithoutTaking({ door, portals }, strangersNetwork(5001)),
    ]),
  );
  await calm.stop();
  const [{ crowd, slow, samples }, tookNothing] = fault.result;
  const { ways: lasts, taking } = patience[kind];
  if (Math.abs(tookNothing - taking) > LEEWAY_SECONDS)
    broken.push(`who takes nothing of an answer is let go after ${tookNothing.toFixed(1)} s`);
  for (const [way, seconds] of crowd.longestSeconds)
    if (seconds > lasts[way] + LEEWAY_SECONDS)
      broken.push(`who ${way} is let go after ${seconds.toFixed(1)} s`);
  const p99 = percentile(samples, 99);
  if (!(p99 <= 1000)) broken.push('others wait for more than a second');
  if (failed(samples).length > 0) broken.push(`others were answered ${statuses(samples)}`);
  broken.push(...fault.kept, ...(await place.broken({ ledgers: [ledger] })));
  const lasted = [
    ...wayNames.map((way) => `${way}: ${(crowd.longestSeconds.get(way) ?? 0).toFixed(1)} s`),
    `takes nothing of its answer: ${tookNothing.toFixed(1)} s`,
  ];
  const others = `${samples.length} calls of others meanwhile, p99 ${p99.toFixed(0)} ms`;
  return [
    {
      id: 'M2',
      broken,
      measured: `let go at the latest, who ${lasted.join(', ')}; one network kept ${kept} of ${2 * SOCKETS_A_NETWORK} sockets; ${others}`,
    },
    {
      id: 'R13',
      broken,
      measured: `${slow} slow sockets; ${others}`,
      stretched: tried(slow, STRETCH_SOCKETS),
    },
  ] as const;
}

export const slowSockets: Scenario = {
  ids: ['M2', 'R13'],
  name: 'Slow sockets',
  needs: 'places',
  run: (drill) =>
    atEachPlace(drill, 'slow-sockets', (place) => slow(drill, place), { sockets: SOCKETS_A_NETWORK }),
};
