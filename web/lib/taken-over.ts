import { useState } from 'react';

type Values = Record<string, string>;
type Form<V> = { readonly values: V; readonly set: (name: keyof V & string, value: string) => void };

/** What was changed elsewhere meanwhile is taken over where nothing else was typed: for forms of what is stored. */
export function useTakenOver<V extends Values>({ values, set }: Form<V>, stored: V) {
  const [begun, setBegun] = useState(stored);
  const moved = Object.keys(stored).filter((name) => stored[name] !== begun[name]);
  if (moved.length === 0) return;
  setBegun(stored);
  for (const name of moved) if (values[name] === begun[name]) set(name, stored[name] ?? '');
}
