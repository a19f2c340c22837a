import { readFileSync } from 'node:fs';
import { measureLeftovers } from './invariants.ts';
import { atEachSite, type Site } from './site.ts';
import type { Drill, Scenario } from './scenario.ts';
import { HOST, replyTo, statusesIn, strangersNetwork } from './single.ts';

const head = (more: string) =>
  `POST /api/signin HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
const json = (body: string) => `${head(`Content-Length: ${Buffer.byteLength(body)}`)}${body}`;
const KIB_64 = 65_536;
const repeatToLimit = (unit: string) => unit.repeat(Math.floor((KIB_64 - 20) / unit.length));
const listOf = (count: number, of: (nth: number) => string) => Array.from({ length: count }, (_, n) => of(n));

/** The requests, and the statuses that count as a refusal. */
const giants: Record<string, { readonly bytes: string; readonly refusedBy: readonly number[] }> = {
  'a body said to be a gigabyte': { bytes: head('Content-Length: 1000000000'), refusedBy: [413] },
  'a body of 65,537 bytes': { bytes: json(`"${'x'.repeat(KIB_64 - 1)}"`), refusedBy: [413] },
  'chunks without end': {
    bytes: head('Transfer-Encoding: chunked') + `10000\r\n${'x'.repeat(KIB_64)}\r\n`.repeat(3),
    refusedBy: [413],
  },
  'extensions of a chunk': {
    bytes: `${head('Transfer-Encoding: chunked')}2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
    refusedBy: [400, 413],
  },
  'a header of a megabyte': { bytes: head(`A: ${'x'.repeat(1_000_000)}`), refusedBy: [431] },
  '5,000 headers': { bytes: head(listOf(5000, (n) => `H${n}: x`).join('\r\n')), refusedBy: [431] },
  'an address of a megabyte': { bytes: `GET /${'x'.repeat(1_000_000)}`, refusedBy: [431] },
  'an address of 15 KiB': {
    bytes: `GET /api/${'x/'.repeat(7500)} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    refusedBy: [404, 414, 431],
  },
  '3,000 names in a query': {
    bytes: `GET /api/auth?${listOf(3000, (n) => `${n}=`).join('&')} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    refusedBy: [400, 422, 431],
  },
  '4,000 cookies': {
    bytes: `GET /api/user HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${'a=;'.repeat(4000)}\r\n\r\n`,
    refusedBy: [401, 431],
  },
  'brackets in brackets': { bytes: json(repeatToLimit('[')), refusedBy: [400] },
  'objects in objects': { bytes: json(`${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`), refusedBy: [400] },
  '21 levels': { bytes: json(`${'['.repeat(21)}${']'.repeat(21)}`), refusedBy: [400] },
  '5,000 keys': {
    bytes: json(`{${listOf(5000, (n) => `"k${n}":0`).join(',')}}`),
    refusedBy: [400, 422],
  },
  'one key thousands of times': {
    bytes: json(`{${repeatToLimit('"email_id":"",')}"x":0}`),
    refusedBy: [400, 422],
  },
  'a number of 64 KiB': { bytes: json(`{"password":${repeatToLimit('9')}}`), refusedBy: [400, 422] },
  'letters that grow': {
    bytes: json(`{"email_id":"a@b.example","password":"${'ﷺ'.repeat(20_000)}"}`),
    refusedBy: [400, 422],
  },
  'an address of dashes': { bytes: json(`{"email_id":"a@${repeatToLimit('a-')}!"}`), refusedBy: [400, 422] },
};

const HUNG_UP = 0;
/** HAProxy's buffer for a head or one line, without its reserve. */
const BALANCER_BUFFER = 15_360;
/** HAProxy answers 400 to anything larger, and may disconnect before the client reads the answer. */
const isBeyondBalancer = (bytes: string) =>
  (bytes.split('\r\n\r\n', 1)[0] ?? '').length > BALANCER_BUFFER ||
  bytes.includes(`;${'x'.repeat(BALANCER_BUFFER)}`);
const CPU_MAX_MS = 100;
const TICK_MS = 10;
/** User and system time of a process and its threads so far. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function runGiants(drill: Drill, { kind, entry, portals, ...site }: Site) {
  const breaches: string[] = [];
  const rounds = drill.rounds(20, 50);
  const statusOf = async (bytes: string, from: string) => {
    const { text, hungUp } = await replyTo(entry, bytes, from, 5);
    return statusesIn(text)[0] ?? (hungUp ? HUNG_UP : Number.NaN);
  };
  /** One at a time, so that the processes' CPU time belongs to these requests. */
  const sendAll = async (bytes: string, from: string) => {
    const statuses = new Set<number>();
    for (let round = 0; round < rounds; round += 1) statuses.add(await statusOf(bytes, from));
    return statuses;
  };
  const cpuOfAll = () => portals.reduce((sum, portal) => sum + cpuMs(portal.program().pid), 0);
  await sendAll(json('{}'), strangersNetwork(0));
  let dearest = { what: '', ms: 0 };
  const sendGiants = async () => {
    for (const [nth, [what, { bytes, refusedBy }]] of Object.entries(giants).entries()) {
      const from = cpuOfAll();
      const statuses = await sendAll(bytes, strangersNetwork(nth));
      const ms = (cpuOfAll() - from) / rounds;
      site.say(`${what}: ${[...statuses].join(', ')} for ${ms.toFixed(1)} ms of CPU`);
      const refusing =
        kind === 'balanced' && isBeyondBalancer(bytes) ? [...refusedBy, 400, HUNG_UP] : refusedBy;
      for (const status of statuses) if (!refusing.includes(status)) breaches.push(`${what}: ${status}`);
      if (ms > CPU_MAX_MS) breaches.push(`${what} takes ${ms.toFixed(0)} ms of CPU`);
      if (ms > dearest.ms) dearest = { what, ms };
    }
  };
  // Every socket was closed; only the balancer keeps its connections to the processes for a while.
  const { leftovers } = await measureLeftovers(portals, sendGiants, kind === 'embedded' ? 0 : undefined);
  breaches.push(...leftovers, ...(await site.breaches()));
  const summary = `${Object.keys(giants).length} kinds refused, costliest ${dearest.ms.toFixed(1)} ms (${dearest.what})`;
  return [{ id: 'M3', breaches, summary } as const];
}

export const giantRequests: Scenario = {
  ids: ['M3'],
  name: 'Giant requests',
  needs: 'places',
  run: (drill) => atEachSite(drill, 'giant-requests', (site) => runGiants(drill, site)),
};
