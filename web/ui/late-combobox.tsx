import { ChevronsUpDown } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { showAlert } from './alert-store.ts';
import type { ComboboxProps } from './combobox.tsx';
import { TextField } from './field.tsx';

let known: ComponentType<ComboboxProps> | undefined;

/** A combobox that a page is drawn without: an equal-looking field holds its place until the code is here. */
export function LateCombobox(props: ComboboxProps) {
  const [Combobox, setCombobox] = useState(() => known);
  useEffect(() => {
    if (known) return;
    void import('./combobox.tsx').then(
      (loaded) => {
        known = loaded.Combobox;
        return setCombobox(() => loaded.Combobox);
      },
      () => showAlert({ kind: 'danger', text: uiText.wentWrong }),
    );
  }, []);
  if (Combobox) return <Combobox {...props} />;
  const { label, hint, error, aside, options, value, placeholder } = props;
  const shown = options.find((option) => option.value === value)?.label ?? '';
  return (
    <div inert>
      <TextField
        label={label}
        hint={hint}
        error={error}
        aside={aside}
        placeholder={placeholder}
        value={shown}
        onChange={() => undefined}
        end={<ChevronsUpDown />}
      />
    </div>
  );
}
