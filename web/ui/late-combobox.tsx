import { ChevronsUpDown } from 'lucide-react';
import { type ComponentType, useMemo, useState } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { showAlert } from './alert-store.ts';
import type { ComboboxProps } from './combobox.tsx';
import { TextField } from './field.tsx';

let known: ComponentType<ComboboxProps> | undefined;
let loading: Promise<ComponentType<ComboboxProps>> | undefined;

/**
 * A combobox whose code comes when somebody approaches it: an equal-looking field holds its place until then, and
 * hands over what was typed meanwhile.
 */
export function LateCombobox(props: ComboboxProps) {
  const { label, hint, error, aside, options, value, placeholder } = props;
  const [Combobox, setCombobox] = useState(() => known);
  const [typed, setTyped] = useState<string>();
  const [pressed, setPressed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const begun = useMemo(
    () => (hasFocus ? { typed: typed ?? '', pressed } : undefined),
    [hasFocus, typed, pressed],
  );
  if (Combobox) return <Combobox {...props} begun={begun} />;

  const load = async () => {
    try {
      loading ??= import('./combobox.tsx').then((module) => module.Combobox);
      known = await loading;
      setCombobox(() => known);
    } catch {
      loading = undefined;
      showAlert({ kind: 'danger', text: uiText.wentWrong });
    }
  };
  const shown = options.find((option) => option.value === value)?.label ?? '';
  return (
    <div onPointerEnter={() => void load()}>
      <TextField
        label={label}
        hint={hint}
        error={error}
        aside={aside}
        placeholder={placeholder}
        autoComplete="off"
        value={typed ?? shown}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={() => {
          setHasFocus(true);
          void load();
        }}
        onPointerDown={() => setPressed(true)}
        onBlur={() => setHasFocus(false)}
        end={<ChevronsUpDown />}
      />
    </div>
  );
}
