import { ChevronsUpDown } from 'lucide-react';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import type { ComboboxProps } from './combobox.tsx';
import { TextField } from './field.tsx';
import { lateCode, loadAtInteraction } from './late.tsx';

let Loaded: ComponentType<ComboboxProps> | undefined;
const loadCombobox = async () => (Loaded = (await import('./combobox.tsx')).Combobox);

/** Until the code has loaded, a field of the same look stands in and hands over what was typed. */
export function LateCombobox(props: ComboboxProps) {
  const { label, error, wide, options, value, placeholder } = props;
  const [Combobox, setCombobox] = useState(() => Loaded);
  const [typed, setTyped] = useState<string>();
  const [pressed, setPressed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const begun = useMemo(
    () => (hasFocus ? { typed: typed ?? '', pressed } : undefined),
    [hasFocus, typed, pressed],
  );
  useEffect(() => {
    loadAtInteraction(async () => {
      const loaded = await loadCombobox();
      setCombobox(() => loaded);
    });
  }, []);
  if (Combobox) return <Combobox {...props} begun={begun} />;
  const ask = (loadAnew?: () => void) =>
    void lateCode(loadCombobox, loadAnew).then((loaded) => setCombobox(() => loaded));

  const chosenLabel = options.find((option) => option.value === value)?.label ?? '';
  return (
    <TextField
      label={label}
      error={error}
      wide={wide}
      placeholder={placeholder}
      autoComplete="off"
      value={typed ?? chosenLabel}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        // Meant for the list that is about to open, not for the form.
        if (event.key !== 'Enter' && !event.key.startsWith('Arrow')) return;
        event.preventDefault();
        setPressed(true);
      }}
      onPointerDown={() => {
        setPressed(true);
        if (hasFocus) ask();
      }}
      onFocus={() => {
        setHasFocus(true);
        // Merely passing through the field must not reload the page.
        ask(() => {});
      }}
      onBlur={() => setHasFocus(false)}
      end={<ChevronsUpDown />}
    />
  );
}
