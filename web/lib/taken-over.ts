import { useState } from 'react';

type Values = Record<string, string>;
type Form<V> = { readonly takeOver: (former: V, stored: V) => void };

/** What was changed elsewhere meanwhile is taken over where nothing else was typed: for forms of what is stored. */
export function useTakenOver<V extends Values>({ takeOver }: Form<V>, stored: V) {
  const [begun, setBegun] = useState(stored);
  if (Object.keys(stored).every((name) => stored[name] === begun[name])) return;
  setBegun(stored);
  takeOver(begun, stored);
}
