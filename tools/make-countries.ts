import { writeFileSync } from 'node:fs';
import { getAllCountries, getAllTimezones, getTimezone } from 'countries-and-timezones';

// Writes contract/profile/country-data.ts (or the given file) from the countries-and-timezones package (MIT).

const commonNames: Record<string, string> = { 'United States of America': 'United States' };
const oldSpellings = /\/(Asmera|Timbuktu|Truk|Yap|Ponape)$/;

const zones = Object.values(getAllTimezones({ deprecated: true }));

/** The data calls Europe/Stockholm an alias of Europe/Berlin, but people in Sweden expect Stockholm. */
const ownZones = zones.filter((zone) => {
  const target = zone.aliasOf && getTimezone(zone.aliasOf);
  const [country, ...others] = zone.countries;
  if (!target || !country || others.length > 0 || oldSpellings.test(zone.name)) return false;
  return /^[A-Z][a-z]+\//.test(zone.name) && target.countries[0] !== country;
});
const own = new Set(ownZones.map((zone) => zone.name));
/** Browsers still report older names such as Pacific/Truk; each leads to its own country's zone name. */
const aliases = zones.flatMap((zone) => {
  if (!zone.aliasOf || own.has(zone.name)) return [];
  const [country] = zone.countries;
  const here = ownZones.find((other) => other.aliasOf === zone.aliasOf && other.countries[0] === country);
  return [[zone.name, here?.name ?? zone.aliasOf]];
});

const countries = Object.values(getAllCountries()).map((country) => {
  const here = ownZones.filter((zone) => zone.countries[0] === country.id);
  const replacedNames = new Set(here.map((zone) => zone.aliasOf));
  const ownNames = country.timezones.filter((zone) => !replacedNames.has(zone));
  const names = [...ownNames, ...here.map((zone) => zone.name)].toSorted();
  return [country.id, commonNames[country.name] ?? country.name, names.join(' ')] as const;
});
const byName = countries.toSorted((a, b) => a[1].localeCompare(b[1], 'en'));

const sharedZones = byName
  .flatMap(([, , names]) => names.split(' '))
  .filter((zone, at, all) => all.indexOf(zone) !== at);
const owners = [...new Set(sharedZones)].map((zone) => [zone, getTimezone(zone)?.countries[0]]);

writeFileSync(
  process.argv[2] ?? 'contract/profile/country-data.ts',
  `// Made by tools/make-countries.ts from the countries-and-timezones package (MIT). Do not edit.

/** Code, English name, zone names apart by a space. */
export const countryRows: readonly (readonly [code: string, name: string, zones: string])[] = ${JSON.stringify(byName)};

/** Older zone name, the name it goes by now. */
export const zoneAliases: readonly (readonly [alias: string, zone: string])[] = ${JSON.stringify(aliases)};

/** Zone that several countries use, code of the one it lies in. */
export const zoneOwners: readonly (readonly [zone: string, code: string])[] = ${JSON.stringify(owners)};
`,
);
