import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLocations, type Location, type LocationFile } from './locations.ts';

const silent = pino({ level: 'silent' });

test.for([
  ['81.2.69.160', 'London, United Kingdom'],
  ['::ffff:81.2.69.160', 'London, United Kingdom'],
  ['::ffff:5102:45a0', 'London, United Kingdom'],
  ['2001:6b0::1', 'Stockholm, Sweden'],
])('%s is in %s', async ([address, place]) => {
  // A long patience, because a busy machine may take long to read 70 MB.
  expect(await createLocations(silent, { patienceMs: 30_000 }).find(address ?? '')).toBe(place);
});

type Use = { readonly family: 4 | 6; readonly address?: string; readonly released?: true };
let uses: Use[];
beforeEach(() => {
  uses = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const lund: Location = { city: 'Lund', country_code: 'SE' };
const openerOf =
  (location: Location | null) =>
  async (family: 4 | 6): Promise<LocationFile> => {
    uses.push({ family });
    return {
      get: (address) => {
        uses.push({ family, address });
        return location;
      },
      release: () => void uses.push({ family, released: true }),
    };
  };
const locationsWith = (openFile: (family: 4 | 6) => Promise<LocationFile>) =>
  createLocations(silent, { idleMs: 60_000, patienceMs: 1000, openFile });

test.for([
  ...'127.0.0.1|::1|10.1.2.3|172.31.255.255|192.168.0.1|100.64.0.1|169.254.1.1'.split('|'),
  ...'203.0.113.9|255.255.255.255|::ffff:10.0.0.1|fe80::1|fd00::1|2001:db8::1|'.split('|'),
  ...'nonsense'.split('|'),
])('%j has no place, and no file is opened for it', async (address) => {
  expect(await locationsWith(openerOf(lund)).find(address ?? '')).toBe('Unknown');
  expect(uses).toEqual([]);
});

test.for<[Location | null, string]>([
  [lund, 'Lund, Sweden'],
  [{ city: 'Stockholm (Norrmalm)', country_code: 'SE' }, 'Stockholm, Sweden'],
  [{ city: '', country_code: 'SE' }, 'Sweden'],
  [{ city: 'Lund', country_code: '??' }, 'Lund'],
  [{}, 'Unknown'],
  [null, 'Unknown'],
])('%j is called %s', async ([location, place]) => {
  expect(await locationsWith(openerOf(location)).find('81.2.69.160')).toBe(place);
});

test('a file is opened once, at its first lookup, and released after a time without one', async () => {
  const locations = locationsWith(openerOf(lund));
  await Promise.all([locations.find('81.2.69.160'), locations.find('81.2.69.161')]);
  await vi.advanceTimersByTimeAsync(59_000);
  await locations.find('81.2.69.160');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(uses.filter(({ address }) => !address)).toEqual([{ family: 4 }]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(uses.at(-1)).toEqual({ family: 4, released: true });
  await locations.find('81.2.69.160');
  await locations.find('2001:6b0::1');
  expect(uses.filter(({ address }) => !address).slice(2)).toEqual([{ family: 4 }, { family: 6 }]);
});

test('an unreadable file leaves the place unknown, and the next lookup tries again', async () => {
  let works = false;
  const open = openerOf(lund);
  const locations = locationsWith((family) => (works ? open(family) : Promise.reject(new Error('gone'))));
  expect(await locations.find('81.2.69.160')).toBe('Unknown');
  works = true;
  expect(await locations.find('81.2.69.160')).toBe('Lund, Sweden');
});

test('no lookup waits longer than a second', async () => {
  const location = locationsWith(() => new Promise(() => undefined)).find('81.2.69.160');
  vi.useRealTimers();
  expect(await location).toBe('Unknown');
});
