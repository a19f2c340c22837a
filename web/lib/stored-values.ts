import { useState } from 'react';

type Values = Record<string, string>;
type Form<V> = { readonly applyStored: (former: V, stored: V) => void };

/** Shows changes made elsewhere in a form of stored values, except in fields edited here. */
export function useStoredValues<V extends Values>({ applyStored }: Form<V>, stored: V) {
  const [baseline, setBaseline] = useState(stored);
  if (Object.keys(stored).every((name) => stored[name] === baseline[name])) return;
  setBaseline(stored);
  applyStored(baseline, stored);
}
