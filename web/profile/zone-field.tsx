import { useMemo, useState } from 'react';
import { profileText } from '#words/profile.ts';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { countries, zonesFor } from '#contract/profile/countries.ts';
import { countryOptions } from '#web/lib/country-options.ts';
import { westToEast, zoneLabel } from './zone-label.ts';

function zoneOptions(country: string, day: Date) {
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

type Props = {
  /** The zones of this country come first. */
  country: string;
  value: string;
  error: string | undefined;
  onChange: (zone: string) => void;
};

export function ZoneField({ country, value, error, onChange }: Props) {
  const [today] = useState(() => new Date());
  const options = useMemo(() => zoneOptions(country, today), [country, today]);
  return (
    <LateCombobox
      wide
      label={profileText.timeZone}
      placeholder={profileText.chooseTimeZone}
      options={options}
      value={value || null}
      error={error}
      onChange={(zone) => onChange(zone ?? '')}
    />
  );
}
