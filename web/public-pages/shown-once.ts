import { useBrowserValue } from '#web/lib/navigate.ts';
import type { StoredText } from '#web/lib/stored-text.ts';

/** A hook for words that another page left for this one. After a reload they are gone. Call it as the module loads. */
export function shownOnce(note: StoredText) {
  const words = note.read();
  note.forget();
  return () => useBrowserValue(() => words, null);
}
