import { AsyncLocalStorage } from 'node:async_hooks';
import { SOURCE_LANGUAGE as DEFAULT } from '#contract/languages.ts';

const languages = new AsyncLocalStorage<string>();

/** Runs code that reads all texts in a language: the caller's, or the receiver's of a mail. */
export const inLanguage = <T>(language: string, code: () => T): T => languages.run(language, code);

/** The texts of a group, as one object that finds each text when it is read. Other languages are loaded when read. */
export function spoken<T extends object>(words: T, others: Readonly<Record<string, () => T>>): T {
  const loaded = new Map([[DEFAULT, words]]);
  return viewOf(words, () => {
    const language = languages.getStore() ?? DEFAULT;
    const texts = loaded.get(language) ?? others[language]?.();
    if (texts) loaded.set(language, texts);
    return texts ?? words;
  });
}

function viewOf<T extends object>(words: T, current: () => T): T {
  const view = {};
  for (const name of Object.keys(words) as (keyof T)[]) {
    const text = words[name];
    const group =
      typeof text === 'object' && text !== null && viewOf<object>(text, () => current()[name] as object);
    Object.defineProperty(view, name, { enumerable: true, get: () => group || current()[name] });
  }
  return view as T;
}
