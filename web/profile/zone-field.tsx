import { useMemo, useState } from 'react';
import { profileText } from '#words/profile.ts';
import { LateCombobox } from '#web/ui/late-combobox.tsx';
import { zoneOptions } from './zone-options.ts';

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
      label={profileText.timeZone}
      placeholder={profileText.chooseTimeZone}
      options={options}
      value={value || null}
      error={error}
      onChange={(zone) => onChange(zone ?? '')}
    />
  );
}
