import { countryRows, zoneAliases, zoneOwners } from './country-data.ts';
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

/** Zones that belong to no country: whole hours from UTC, with the inverted sign of POSIX. Some machines report them. */
const fixedZones = [
  'Etc/UTC',
  ...Array.from({ length: 12 }, (_, at) => `Etc/GMT+${at + 1}`),
  ...Array.from({ length: 14 }, (_, at) => `Etc/GMT-${at + 1}`),
];
/** In Intl's list Greenwich is a zone without summer time. */
const utcNames = /^(Etc\/)?(GMT([+-]?0)?|Greenwich)$/;

export const timeZones: readonly string[] = [
  ...new Set([...countries.flatMap((country) => country.zones), ...fixedZones]),
].toSorted();
const zoneNames = new Set(timeZones);

export const isCountry = (name: string) => byName.has(name);

/** The current name of a zone, also from an older spelling (browsers say Asia/Calcutta). */
export function zoneNamed(name: string): string | undefined {
  const zone = utcNames.test(name) ? 'Etc/UTC' : (aliases.get(name) ?? name);
  return zoneNames.has(zone) ? zone : undefined;
}

export function zonesFor(countryName: string): readonly string[] {
  const own = byName.get(countryName)?.zones ?? [];
  return [...own, ...timeZones.filter((zone) => !own.includes(zone))];
}

/** The default country if the zone is unknown or has none (specification section 9). */
export function countryOfZone(zone: string): string {
  const name = zoneNamed(zone);
  if (name === undefined) return DEFAULT_COUNTRY;
  const owner = owners.get(name);
  const match = countries.find((country) =>
    owner === undefined ? country.zones.includes(name) : country.code === owner,
  );
  return match?.name ?? DEFAULT_COUNTRY;
}
