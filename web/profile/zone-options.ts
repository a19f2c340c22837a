import { countries, zonesFor } from '#contract/profile/countries.ts';
import { profileText } from '#words/profile.ts';
import { countryOptions } from '#web/lib/country-options.ts';
import { westToEast, zoneLabel } from './zone-label.ts';

export function zoneOptions(country: string, day: Date) {
  const label = countryOptions.find(({ value }) => value === country)?.label ?? country;
  const countryZones = new Set(countries.find(({ name }) => name === country)?.zones);
  const others = zonesFor(country).filter((zone) => !countryZones.has(zone));
  return [...westToEast([...countryZones], day), ...others].map((zone) => {
    const name = zone.replaceAll('_', ' ');
    return {
      value: zone,
      label: zoneLabel(zone, day),
      alsoFoundBy: [name, name.slice(name.lastIndexOf('/') + 1), zoneLabel(zone, day).slice(1)],
      ...(countryZones.size > 0 && {
        group: countryZones.has(zone) ? label : profileText.otherZones,
      }),
    };
  });
}
