import { readFileSync } from 'node:fs';
import { measureLeftovers } from './invariants.ts';
import { until } from './processes.ts';
import type { Scenario } from './scenario.ts';
import { atEachSite, type Site } from './site.ts';
import { HOST, replyTo, statusesIn } from './single.ts';

const PROXY = '127.0.0.1';
const STRANGER = '127.0.0.66';
const forgedHeader = 'X-Forwarded-For: 203.0.113.9';

/**
 * Headers, and the client address that the portal derives if the trusted proxy sends them. From an untrusted
 * client they have no effect.
 */
const spellings: Record<string, string> = {
  [forgedHeader]: '203.0.113.9',
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

/** Sends a header to a unique path, and reads from the log which client address was derived. */
async function clientAddressFor({ entry, portals }: Site, header: string, from: string, nth: number) {
  const path = `/api/whoever-${nth}-${from}`;
  const { text } = await replyTo(
    entry,
    `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${header}\r\n\r\n`,
    from,
    30,
  );
  if (statusesIn(text)[0] === 400) return 'refused';
  let line: string | undefined;
  // The log line is written after the answer.
  await until('the line of a request', 5000, () => {
    const lines = portals.flatMap(({ log }) => readFileSync(log, 'utf8').split('\n'));
    line = lines.find((one) => one.includes(`"path":"${path}"`));
    return line !== undefined;
  });
  return (JSON.parse(line ?? '{}') as { ip?: string }).ip;
}

/** The limit of wrong passwords per network and minute. */
const SIGN_INS_A_MINUTE = 20;
const GUESSES = 2 * SIGN_INS_A_MINUTE;

/** Tries to sign in, each time with another name and header; returns how often the password was checked. */
async function guess({ entry }: Site, times: number, from: string, headerOf: (nth: number) => string) {
  let checks = 0;
  for (let nth = 0; nth < times; nth += 1) {
    const body = JSON.stringify({
      email_id: `nobody${nth}@northwind.example`,
      password: 'not the one',
      timezone: '',
    });
    const head = `POST /api/signin HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\n`;
    const whole = `${head}Content-Length: ${body.length}\r\n${headerOf(nth)}\r\n\r\n${body}`;
    if (statusesIn((await replyTo(entry, whole, from, 30)).text)[0] === 401) checks += 1;
  }
  return checks;
}

/** The expected address of a header for each sender; the balancer trusts no sender. */
const expectedOf = ({ kind }: Site, expected: string) =>
  kind === 'balanced'
    ? [[STRANGER, expected === 'refused' ? expected : STRANGER] as const]
    : [[PROXY, expected] as const, [STRANGER, expected === 'refused' ? expected : STRANGER] as const];

async function runSpoofing(site: Site) {
  const breaches: string[] = [];
  const { result: counts, leftovers } = await measureLeftovers(site.portals, () => tryAll(site, breaches));
  for (const [what, checks] of Object.entries(counts))
    if (checks !== SIGN_INS_A_MINUTE)
      breaches.push(`${what}: ${checks} passwords in a minute for ${SIGN_INS_A_MINUTE}`);
  breaches.push(...leftovers, ...(await site.breaches()));
  const summary = `${Object.keys(spellings).length} spellings, ${Object.values(counts).join(' + ')} of ${GUESSES} guesses checked`;
  return [{ id: 'M1', breaches, summary } as const];
}

async function tryAll(site: Site, breaches: string[]) {
  for (const [nth, [header, expected]] of Object.entries(spellings).entries())
    for (const [from, expectedClient] of expectedOf(site, expected)) {
      const client = await clientAddressFor(site, header, from, nth);
      if (client !== expectedClient)
        breaches.push(`"${header.slice(0, 60)}" of ${from} is taken for ${client}, not ${expectedClient}`);
    }
  return {
    'forged addresses': await guess(site, GUESSES, STRANGER, (nth) => `X-Forwarded-For: 203.0.113.${nth}`),
    'one /64': await guess(site, GUESSES, PROXY, (nth) => `X-Forwarded-For: 2001:db8:1:2::${nth}`),
    'mapped and plain spellings': await guess(
      site,
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
  run: (drill) => atEachSite(drill, 'spoofed-addresses', runSpoofing),
};
