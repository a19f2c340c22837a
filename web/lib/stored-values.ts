import { useState } from 'react';

type Values = Record<string, string>;
type Form<V> = { readonly takeOver: (former: V, stored: V) => void };

/** Shows changes made elsewhere in a form of stored values, except in fields edited here. */
export function useStoredValues<V extends Values>({ takeOver }: Form<V>, stored: V) {
  const [begun, setBegun] = useState(stored);
  if (Object.keys(stored).every((name) => stored[name] === begun[name])) return;
  setBegun(stored);
  takeOver(begun, stored);
}
