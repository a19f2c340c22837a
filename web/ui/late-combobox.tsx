import { ChevronsUpDown } from 'lucide-react';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { showAlert } from './alert-store.ts';
import type { ComboboxProps } from './combobox.tsx';
import { TextField } from './field.tsx';

let known: ComponentType<ComboboxProps> | undefined;
let loading: Promise<ComponentType<ComboboxProps>> | undefined;

async function loadCombobox() {
  try {
    loading ??= import('./combobox.tsx').then((module) => module.Combobox);
    known = await loading;
  } catch {
    loading = undefined;
    showAlert({ kind: 'danger', text: uiText.wentWrong });
  }
}

/**
 * A combobox whose code comes with the first press or key on the page: an equal-looking field holds its place until
 * then, and hands over what was typed meanwhile.
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
  useEffect(() => {
    const signs = ['pointerdown', 'pointermove', 'keydown', 'focusin'];
    const load = () => void loadCombobox().then(() => setCombobox(() => known));
    for (const sign of signs) document.addEventListener(sign, load, { once: true });
    return () => {
      for (const sign of signs) document.removeEventListener(sign, load);
    };
  }, []);
  if (Combobox) return <Combobox {...props} begun={begun} />;

  const shown = options.find((option) => option.value === value)?.label ?? '';
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      aside={aside}
      placeholder={placeholder}
      autoComplete="off"
      value={typed ?? shown}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        // Meant for the list that is about to open, not for the form around.
        if (event.key !== 'Enter' && !event.key.startsWith('Arrow')) return;
        event.preventDefault();
        setPressed(true);
      }}
      onPointerDown={() => setPressed(true)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      end={<ChevronsUpDown />}
    />
  );
}
