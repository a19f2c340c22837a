import { readFileSync } from 'node:fs';
import { keptFrom } from './invariants.ts';
import { until } from './processes.ts';
import type { Scenario } from './scenario.ts';
import { atEachPlace, type Place } from './place.ts';
import { HOST, said, statusesIn } from './single.ts';

const PROXY = '127.0.0.1';
const STRANGER = '127.0.0.66';
const forged = 'X-Forwarded-For: 203.0.113.9';

/** What is sent, and whom the portal takes it to be from when the proxy sends it; a stranger's word counts for nothing. */
const spellings: Record<string, string> = {
  [forged]: '203.0.113.9',
  'X-Forwarded-For: 198.51.100.1, 203.0.113.9': '203.0.113.9',
  'X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 203.0.113.9': '203.0.113.9',
  'X-Forwarded-For: 203.0.113.9, 127.0.0.1': '203.0.113.9',
  'X-Forwarded-For: nonsense, 203.0.113.9': '203.0.113.9',
  'X-Forwarded-For: 203.0.113.9,': '203.0.113.9',
  'X-Forwarded-For: 203.0.113.9, nonsense': PROXY,
  'X-Forwarded-For: nonsense': PROXY,
  'X-Forwarded-For: unknown': PROXY,
  'X-Forwarded-For: ,': PROXY,
  'X-Forwarded-For:': PROXY,
  'X-Forwarded-For: 203.0.113.9:1234': PROXY,
  'X-Forwarded-For: [2001:db8::1]': PROXY,
  'X-Forwarded-For: 0313.0.0161.9': PROXY,
  'X-Forwarded-For: 3405803785': PROXY,
  'X-Forwarded-For: 203.0.113': PROXY,
  'X-Forwarded-For: ::ffff:203.0.113.9': '203.0.113.9',
  'X-Forwarded-For: ::FFFF:CB00:7109': '203.0.113.9',
  'X-Forwarded-For: 0:0:0:0:0:ffff:203.0.113.9': '203.0.113.9',
  'X-Forwarded-For: 2001:DB8:0:0:0:0:0:1': '2001:db8::1',
  'X-Forwarded-For: 2001:0db8::0001': '2001:db8::1',
  'X-Forwarded-For: fe80::1%eth0': 'fe80::1',
  'X_Forwarded_For: 203.0.113.9': PROXY,
  'X-Forwarded-For : 203.0.113.9': 'refused',
  'Forwarded: for=203.0.113.9': PROXY,
  'X-Real-IP: 203.0.113.9': PROXY,
  'X-Client-IP: 203.0.113.9': PROXY,
  'True-Client-IP: 203.0.113.9': PROXY,
  'CF-Connecting-IP: 203.0.113.9': PROXY,
  [`X-Forwarded-For: ${'198.51.100.1, '.repeat(1000)}203.0.113.9`]: '203.0.113.9',
};

/** Sends it with an address of its own, and finds in the log whom that was taken to be from. */
async function takenFor({ door, portals }: Place, header: string, from: string, nth: number) {
  const path = `/api/whoever-${nth}-${from}`;
  const { text } = await said(door, `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${header}\r\n\r\n`, from, 30);
  if (statusesIn(text)[0] === 400) return 'refused';
  let line: string | undefined;
  // It is written once the answer is out.
  await until('the line of a request', 5000, () => {
    const lines = portals.flatMap(({ log }) => readFileSync(log, 'utf8').split('\n'));
    line = lines.find((one) => one.includes(`"path":"${path}"`));
    return line !== undefined;
  });
  return (JSON.parse(line ?? '{}') as { ip?: string }).ip;
}

/** How often a network may be wrong about a password in a minute. */
const SIGN_INS_A_MINUTE = 20;
const GUESSES = 2 * SIGN_INS_A_MINUTE;

/** Signs in so often, each time under another name and another forged address; tells how often the password was looked at. */
async function guess({ door }: Place, times: number, from: string, headerOf: (nth: number) => string) {
  let looked = 0;
  for (let nth = 0; nth < times; nth += 1) {
    const body = JSON.stringify({ email_id: `nobody${nth}@northwind.example`, password: 'x', timezone: '' });
    const head = `POST /api/signin HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\n`;
    const whole = `${head}Content-Length: ${body.length}\r\n${headerOf(nth)}\r\n\r\n${body}`;
    if (statusesIn((await said(door, whole, from, 30)).text)[0] === 401) looked += 1;
  }
  return looked;
}

/** Whom each spelling has to be taken for, by who sends it; the balancer believes nobody, not even what it could. */
const expectedOf = ({ kind }: Place, expected: string) =>
  kind === 'balanced'
    ? [[STRANGER, expected === 'refused' ? expected : STRANGER] as const]
    : [[PROXY, expected] as const, [STRANGER, expected === 'refused' ? expected : STRANGER] as const];

async function mistaken(place: Place) {
  const broken: string[] = [];
  const { result: counts, kept } = await keptFrom(place.portals, () => tryAll(place, broken));
  for (const [what, looked] of Object.entries(counts))
    if (looked !== SIGN_INS_A_MINUTE)
      broken.push(`${what}: ${looked} passwords in a minute for ${SIGN_INS_A_MINUTE}`);
  broken.push(...kept, ...(await place.broken()));
  const senders = place.kind === 'embedded' ? 'a proxy and a stranger' : 'a stranger';
  const measured = `${Object.keys(spellings).length} spellings from ${senders}, each taken for whom it is from; of ${GUESSES} guesses each under forged addresses, one /64 and two spellings, ${Object.values(counts).join(' + ')} were looked at`;
  return [{ id: 'M1', broken, measured } as const];
}

async function tryAll(place: Place, broken: string[]) {
  for (const [nth, [header, expected]] of Object.entries(spellings).entries())
    for (const [from, whom] of expectedOf(place, expected)) {
      const taken = await takenFor(place, header, from, nth);
      if (taken !== whom)
        broken.push(`"${header.slice(0, 60)}" of ${from} is taken for ${taken}, not ${whom}`);
    }
  return {
    'forged addresses': await guess(place, GUESSES, STRANGER, (nth) => `X-Forwarded-For: 203.0.113.${nth}`),
    'one /64': await guess(place, GUESSES, PROXY, (nth) => `X-Forwarded-For: 2001:db8:1:2::${nth}`),
    'mapped and plain spellings': await guess(
      place,
      GUESSES,
      PROXY,
      (nth) => `X-Forwarded-For: ${nth % 2 === 0 ? '::ffff:' : ''}198.51.100.7`,
    ),
  };
}

export const spoofedAddresses: Scenario = {
  ids: ['M1'],
  name: 'Forged addresses',
  needs: 'places',
  run: (drill) => atEachPlace(drill, 'spoofed-addresses', mistaken),
};
