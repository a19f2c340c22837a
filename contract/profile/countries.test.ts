import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { countries, countryOfZone, isCountry, timeZones, zoneNamed, zonesFor } from './countries.ts';
import { country, timeZone } from './calls.ts';
import { areaFieldText } from '#words/area-field.ts';
import { fieldText } from '#words/field.ts';

const zonesOf = (name: string) => countries.find((country) => country.name === name)?.zones;
const reportedByBrowsers = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

describe('the list', () => {
  test('has about 250 countries, each code and name once, in the order of their names', () => {
    expect(countries.length).toBeGreaterThanOrEqual(245);
    expect(countries.length).toBeLessThanOrEqual(255);
    expect(new Set(countries.map(({ code }) => code)).size).toBe(countries.length);
    expect(new Set(countries.map(({ name }) => name)).size).toBe(countries.length);
    expect(countries.filter(({ code }) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
    const names = countries.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  test('has zones for each inhabited country', () => {
    expect(countries.filter(({ zones }) => zones.length === 0).map(({ name }) => name)).toEqual([
      'Heard Island and McDonald Islands',
    ]);
    expect(countries.filter(({ zones }) => new Set(zones).size < zones.length)).toEqual([]);
  });

  test('holds each zone once, sorted, and only zones that Intl knows', () => {
    expect(timeZones).toEqual([...new Set(timeZones)].toSorted());
    expect(timeZones).toContain('Etc/UTC');
    const unknown = timeZones.filter((zone) => {
      try {
        return !reportedByBrowsers(zone);
      } catch {
        return true;
      }
    });
    expect(unknown).toEqual([]);
  });

  test('matches the output of the tool', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'countries-'));
    const root = path.join(import.meta.dirname, '../..');
    try {
      execFileSync(process.execPath, [path.join(root, 'tools/make-countries.ts'), `${folder}/data.ts`], {
        cwd: folder,
      });
      expect(readFileSync(path.join(root, 'contract/profile/country-data.ts'), 'utf8')).toBe(
        readFileSync(`${folder}/data.ts`, 'utf8'),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

// The reported zone, its current name and its country. Chrome still reports Asia/Calcutta, Africa/Asmera and
// Pacific/Truk.
test.each<[zone: string, name: string | undefined, country: string]>([
  ['Europe/Stockholm', 'Europe/Stockholm', 'Sweden'],
  ['Europe/Berlin', 'Europe/Berlin', 'Germany'],
  ['Asia/Calcutta', 'Asia/Kolkata', 'India'],
  ['Europe/Kiev', 'Europe/Kyiv', 'Ukraine'],
  ['Africa/Asmera', 'Africa/Asmara', 'Eritrea'],
  ['Africa/Timbuktu', 'Africa/Bamako', 'Mali'],
  ['Pacific/Truk', 'Pacific/Chuuk', 'Micronesia'],
  ['Iceland', 'Atlantic/Reykjavik', 'Iceland'],
  ['US/Pacific', 'America/Los_Angeles', 'United States'],
  ['UTC', 'Etc/UTC', 'United States'],
  ['Etc/UTC', 'Etc/UTC', 'United States'],
  ['', undefined, 'United States'],
  ['Mars/Olympus', undefined, 'United States'],
  ...['GMT', 'Etc/GMT', 'Greenwich', 'Etc/Greenwich', 'GMT0', 'GMT+0', 'Etc/GMT-0', 'Zulu', 'UCT'].map(
    (zone): [string, string, string] => [zone, 'Etc/UTC', 'United States'],
  ),
  ['Etc/GMT+5', 'Etc/GMT+5', 'United States'],
  ['Etc/GMT-14', 'Etc/GMT-14', 'United States'],
  ['Etc/GMT+13', undefined, 'United States'],
  ['europe/berlin', undefined, 'United States'],
  ['undefined', undefined, 'United States'],
  ['__proto__', undefined, 'United States'],
  ['toString', undefined, 'United States'],
])('%j is %s in %s', (zone, name, place) => {
  expect(zoneNamed(zone)).toBe(name);
  expect(countryOfZone(zone)).toBe(place);
});

test('every zone that Intl offers is known, so a browser’s own zone can be chosen', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => zoneNamed(zone) === undefined)).toEqual([]);
});

test('a zone outside all countries keeps its offset from UTC', () => {
  const distance = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(new Date('2026-07-01'));
  for (const zone of ['GMT', 'Greenwich', 'GMT0', 'Etc/GMT+12', 'Etc/GMT-14'])
    expect(distance(zoneNamed(zone) ?? '')).toBe(distance(zone));
});

test.each(countries.map(({ name }) => name))(
  '%s: its own zones come first, then all others, each once',
  (name) => {
    const zones = zonesFor(name);
    const own = zonesOf(name) ?? [];
    expect(zones.slice(0, own.length)).toEqual(own);
    expect(zones.slice(own.length)).toEqual(timeZones.filter((zone) => !own.includes(zone)));
  },
);

test('an unknown country has no zones of its own', () => expect(zonesFor('Atlantis')).toEqual(timeZones));

describe('as fields', () => {
  test('every country and every zone is accepted', () => {
    for (const { name } of countries) expect(z.decode(country, name)).toBe(name);
    for (const zone of timeZones) expect(z.decode(timeZone, zone)).toBe(zone);
    expect(z.decode(timeZone, 'Asia/Calcutta')).toBe('Asia/Kolkata');
  });

  test.each([
    [country, '', areaFieldText.country],
    [country, 'Atlantis', areaFieldText.country],
    [country, 'germany', areaFieldText.country],
    [country, 'DE', areaFieldText.country],
    [country, '__proto__', areaFieldText.country],
    [country, undefined, fieldText.required],
    [country, 49, fieldText.wrongType],
    [timeZone, '', areaFieldText.timeZone],
    [timeZone, 'Mars/Olympus', areaFieldText.timeZone],
    [timeZone, 'constructor', areaFieldText.timeZone],
    [timeZone, null, fieldText.wrongType],
  ])('%#: %j is refused', (field, value, message) => {
    expect(z.safeDecode(field, value as never).error?.issues[0]?.message).toBe(message);
    expect(isCountry(String(value))).toBe(false);
  });
});
