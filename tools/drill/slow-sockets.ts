import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { keptFrom } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failed, percentile, startLoad, statuses } from './load.ts';
import { type Portico, until } from './processes.ts';
import { type Scenario, tried, unless } from './scenario.ts';
import { HOST, said, startSingle, statusesIn, strangersNetwork, strangersSocket } from './single.ts';

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
const STRETCH_SOCKETS = 10_000;
/** For the stretch mark it takes `--rounds 130`, since some are always about to come back. */
const NETWORKS = 10;
/** Every way to be slow lasts half a minute at most, so in this time nobody has to be let in on faith. */
const WATCHED_MIN_SECONDS = 45;

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

/** An answer that nobody takes waits for a minute. */
const TAKING_SECONDS = 60;
const LARGEST = `GET /api/openapi.json HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

/** For how long a network keeps all its sockets that take nothing of their answers: no other is let in until then. */
async function secondsWithoutTaking(portal: Portico, from: string): Promise<number> {
  const sockets = Array.from({ length: SOCKETS_A_NETWORK }, () => strangersSocket(portal, from).pause());
  for (const socket of sockets) socket.write(LARGEST);
  await pause(1000);
  const isLetIn = async () => statusesIn((await said(portal, LARGEST, from, 50)).text).length > 0;
  if (await isLetIn()) throw new Error('a network has more sockets than it may');
  const ms = await until('who takes nothing is let go', 2000 * TAKING_SECONDS, isLetIn, 250);
  for (const socket of sockets) socket.destroy();
  return ms / 1000;
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
    const networks = drill.rounds(NETWORKS, NETWORKS);
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
    const calm = startLoad({ wire, people, rate: 20 });
    const fault = await keptFrom([portal], () =>
      Promise.all([
        wave(Math.max(WATCHED_MIN_SECONDS, drill.seconds(45, 120))),
        secondsWithoutTaking(portal, strangersNetwork(5001)),
      ]),
    );
    await calm.stop();
    const [{ crowd, slow, samples }, tookNothing] = fault.result;
    if (tookNothing > TAKING_SECONDS + LEEWAY_SECONDS)
      broken.push(`who takes nothing of an answer is let go after ${tookNothing.toFixed(1)} s`);
    for (const [way, seconds] of crowd.longestSeconds)
      if (seconds > ways[way].lastsSeconds + LEEWAY_SECONDS)
        broken.push(`who ${way} is let go after ${seconds.toFixed(1)} s`);
    if (crowd.longestSeconds.size < wayNames.length) broken.push('not everybody slow was let go');
    const p99 = percentile(samples, 99);
    if (!(p99 <= 1000)) broken.push('others wait for more than a second');
    if (failed(samples).length > 0) broken.push(`others were answered ${statuses(samples)}`);
    broken.push(...fault.kept);
    broken.push(...(await single.broken({ ledgers: [ledger] })));
    const lasted = [
      ...wayNames.map((way) => `${way}: ${(crowd.longestSeconds.get(way) ?? 0).toFixed(1)} s`),
      `takes nothing of its answer: ${tookNothing.toFixed(1)} s`,
    ];
    const others = `${samples.length} calls of others meanwhile, p99 ${p99.toFixed(0)} ms`;
    return [
      drill.figure({
        id: 'M2',
        ...unless(
          broken,
          `let go at the latest, who ${lasted.join(', ')}; one network kept ${kept} of ${2 * SOCKETS_A_NETWORK} sockets; ${others}`,
        ),
      }),
      drill.figure({
        id: 'R13',
        stretched: tried(slow, STRETCH_SOCKETS),
        ...unless(broken, `${slow} slow sockets; ${others}`),
      }),
    ];
  },
};
