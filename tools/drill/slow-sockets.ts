import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { brokenHoldings, holdingsOf } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failed, percentile, startLoad, statuses } from './load.ts';
import { type Portico, until } from './processes.ts';
import { type Scenario, unless } from './scenario.ts';
import { HOST, startSingle, strangersNetwork, strangersSocket } from './single.ts';

const head = `POST /api/signin HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\n`;

/** Ways to be slow: what is sent at once, what drips after it, and after how many seconds one has to be let go. */
const ways = {
  'says nothing': { says: '', drips: '', lastsSeconds: 10 },
  'never ends its head': { says: head, drips: 'A: b\r\n', lastsSeconds: 10 },
  'never ends its body': { says: `${head}Content-Length: 9000\r\n\r\n{`, drips: ' ', lastsSeconds: 30 },
  'asks nothing more': {
    says: `GET /healthz HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    drips: '',
    lastsSeconds: 30,
  },
};
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as Way[];
/** Timers of both ends, and a machine that does both. */
const LEEWAY_SECONDS = 4;
const DRIP_EVERY_MS = 2000;
const SOCKETS_A_NETWORK = 100;

/** Strangers who hold sockets open as long as they are let, and open new ones. */
class Crowd {
  readonly #portal: Pick<Portico, 'port'>;
  readonly #open = new Map<Socket, Way>();
  readonly longestSeconds = new Map<Way, number>();
  #ended = false;
  readonly #drip = setInterval(() => {
    for (const [socket, way] of this.#open) if (ways[way].drips) socket.write(ways[way].drips);
  }, DRIP_EVERY_MS);
  constructor(portal: Pick<Portico, 'port'>) {
    this.#portal = portal;
  }

  get open() {
    return this.#open.size;
  }

  add(way: Way, from: string) {
    const socket = strangersSocket(this.#portal, from);
    let began = 0;
    socket.once('connect', () => {
      began = performance.now();
      this.#open.set(socket, way);
      socket.write(ways[way].says);
    });
    socket.on('data', () => undefined);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#ended) return;
      if (began > 0) this.#lasted(way, (performance.now() - began) / 1000);
      this.add(way, from);
    });
  }

  #lasted(way: Way, seconds: number) {
    this.longestSeconds.set(way, Math.max(seconds, this.longestSeconds.get(way) ?? 0));
  }

  end() {
    this.#ended = true;
    clearInterval(this.#drip);
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

/** How many of the sockets that one network opens are kept. */
async function keptOfOneNetwork(portal: Portico) {
  const sockets = Array.from({ length: 2 * SOCKETS_A_NETWORK }, () =>
    strangersSocket(portal, strangersNetwork(5000)).resume(),
  );
  let closed = 0;
  for (const socket of sockets) socket.once('close', () => (closed += 1));
  await until('half are closed', 5000, () => closed >= SOCKETS_A_NETWORK);
  for (const socket of sockets) socket.destroy();
  return sockets.length - closed;
}

export const slowSockets: Scenario = {
  ids: ['M2', 'R13'],
  name: 'Slow sockets',
  needs: 'alone',
  run: async (drill) => {
    const { portal, people, wire, ...single } = await startSingle(drill, 'slow-sockets');
    const broken: string[] = [];
    const kept = await keptOfOneNetwork(portal);
    if (kept > SOCKETS_A_NETWORK) broken.push(`one network has ${kept} sockets`);

    const ledger = new Ledger();
    const mix = { writes: 15, signIns: 0 };
    const networks = drill.rounds(10, 100);
    const wave = async (seconds: number) => {
      const crowd = new Crowd(portal);
      for (let n = 0; n < networks; n += 1) {
        for (let socket = 0; socket < SOCKETS_A_NETWORK; socket += 1)
          crowd.add(wayNames[socket % wayNames.length] ?? 'says nothing', strangersNetwork(n));
        await pause(20);
      }
      await until('they have come', 60_000, () => crowd.open >= networks * SOCKETS_A_NETWORK * 0.95);
      drill.say(`${crowd.open} slow sockets from ${networks} networks`);
      const load = startLoad({ wire, people, rate: 20, mix, ledger });
      await pause(seconds * 1000);
      const slow = crowd.open;
      const samples = await load.stop();
      crowd.end();
      await pause(3000);
      return { crowd, slow, samples };
    };
    // What so many sockets take of the memory once is kept for the next ones; it is not to grow with each wave.
    await wave(15);
    const before = await holdingsOf(portal);
    const { crowd, slow, samples } = await wave(drill.seconds(45, 120));
    for (const [way, seconds] of crowd.longestSeconds)
      if (seconds > ways[way].lastsSeconds + LEEWAY_SECONDS)
        broken.push(`who ${way} is let go after ${seconds.toFixed(1)} s`);
    if (crowd.longestSeconds.size < wayNames.length) broken.push('not everybody slow was let go');
    const p99 = percentile(samples, 99);
    if (!(p99 <= 1000)) broken.push('others wait for more than a second');
    if (failed(samples).length > 0) broken.push(`others were answered ${statuses(samples)}`);
    broken.push(...brokenHoldings(before, await holdingsOf(portal)));
    broken.push(...(await single.broken({ ledgers: [ledger] })));
    const lasted = wayNames.map((way) => `${way}: ${(crowd.longestSeconds.get(way) ?? 0).toFixed(1)} s`);
    const others = `${samples.length} calls of others meanwhile, p99 ${p99.toFixed(0)} ms`;
    return [
      drill.figure({
        id: 'M2',
        goal: 'a head gets 10 s, a body 30 s, an idle socket 30 s, a network 100 sockets; others p99 ≤ 1 s',
        ...unless(
          broken,
          `let go at the latest, who ${lasted.join(', ')}; one network kept ${kept} of ${2 * SOCKETS_A_NETWORK} sockets; ${others}`,
        ),
      }),
      drill.figure({
        id: 'R13',
        goal: 'M2 with others p99 ≤ 1 s; stretch 10,000 sockets',
        ...unless(broken, `${slow} slow sockets; ${others}`),
      }),
    ];
  },
};
