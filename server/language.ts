import { AsyncLocalStorage } from 'node:async_hooks';

const DEFAULT = 'en';
const languages = new AsyncLocalStorage<string>();

/** Runs code that reads all texts in a language: the caller's, or the receiver's of a mail. */
export const inLanguage = <T>(language: string, code: () => T): T => languages.run(language, code);

/** The texts of a group by language, as one object that finds each text when it is read. */
export function spoken<T extends object>(words: { readonly [DEFAULT]: T }): T {
  const all = words as Readonly<Record<string, T>>;
  const view = {};
  for (const name of Object.keys(words[DEFAULT]) as (keyof T)[]) {
    const text = words[DEFAULT][name];
    const group = () =>
      Object.fromEntries(Object.entries(all).map(([language, texts]) => [language, texts[name]]));
    const found = typeof text === 'object' && spoken(group() as unknown as { [DEFAULT]: object });
    Object.defineProperty(view, name, {
      enumerable: true,
      get: () => found || (all[languages.getStore() ?? DEFAULT] ?? words[DEFAULT])[name],
    });
  }
  return view as T;
}
