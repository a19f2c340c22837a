import { countryRows, zoneAliases, zoneOwners } from '#contract/country-data.ts';
import { DEFAULT_COUNTRY } from '#contract/limits.ts';

type Country = { readonly code: string; readonly name: string; readonly zones: readonly string[] };

export const countries: readonly Country[] = countryRows.map(([code, name, zones]) => ({
  code,
  name,
  zones: zones === '' ? [] : zones.split(' '),
}));

const byName = new Map(countries.map((country) => [country.name, country]));
const aliases = new Map(zoneAliases);
const owners = new Map(zoneOwners);

/** Machines say these of themselves: no country's, each a whole number of hours from UTC (with the sign of POSIX). */
const fixedZones = [
  'Etc/UTC',
  ...Array.from({ length: 12 }, (_, at) => `Etc/GMT+${at + 1}`),
  ...Array.from({ length: 14 }, (_, at) => `Etc/GMT-${at + 1}`),
];
/** Greenwich in Intl's list is the meridian, without a summer time. */
const utcNames = /^(Etc\/)?(GMT([+-]?0)?|Greenwich)$/;

/** Every zone that some country uses, UTC and those fixed to it, each once and sorted. */
export const timeZones: readonly string[] = [
  ...new Set([...countries.flatMap((country) => country.zones), ...fixedZones]),
].toSorted();
const known = new Set(timeZones);

export const isCountry = (name: string) => byName.has(name);

/** The zone's name in our list, from it or an older spelling (browsers say Asia/Calcutta); undefined when unknown. */
export function zoneNamed(name: string): string | undefined {
  const zone = utcNames.test(name) ? 'Etc/UTC' : (aliases.get(name) ?? name);
  return known.has(zone) ? zone : undefined;
}

/** The country's own zones first, then all the others. */
export function zonesFor(countryName: string): readonly string[] {
  const own = byName.get(countryName)?.zones ?? [];
  return [...own, ...timeZones.filter((zone) => !own.includes(zone))];
}

/** The country that uses the zone; the default country when the zone is unknown or used by none (specification section 9). */
export function countryOfZone(zone: string): string {
  const name = zoneNamed(zone);
  if (name === undefined) return DEFAULT_COUNTRY;
  const owner = owners.get(name);
  const found = countries.find((country) =>
    owner === undefined ? country.zones.includes(name) : country.code === owner,
  );
  return found?.name ?? DEFAULT_COUNTRY;
}
