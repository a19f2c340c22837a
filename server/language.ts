import { AsyncLocalStorage } from 'node:async_hooks';
import { SOURCE_LANGUAGE as ENGLISH } from '#contract/languages.ts';
import type { RuleTexts } from '#contract/rule-text.ts';

/** A language, or what happens to a text that is read in none. */
const languages = new AsyncLocalStorage<string | ((text: string) => void)>();

/** Runs code that reads all texts in a language: the caller's, or the receiver's of a mail. */
export const inLanguage = <T>(language: string, code: () => T): T => languages.run(language, code);

const choiceByHand = new AsyncLocalStorage<string>();
/** For a request from a browser where the person chose the language by hand since the last sign-in. */
export const inChosenLanguage = <T>(language: string, code: () => T): T =>
  choiceByHand.run(language, () => inLanguage(language, code));
export const chosenLanguage = (): string | undefined => choiceByHand.getStore();

/** For documents and answers that are always English. */
export const inEnglish = <T>(code: () => T): T => inLanguage(ENGLISH, code);

/** Requests and jobs have to choose a language; `report` gets the name of a text that is read without one. */
export const withoutLanguage = <T>(report: (text: string) => void, code: () => T): T =>
  languages.run(report, code);

/** Commands and tests have not begun with `withoutLanguage`, and read English. */
function languageFor(text: string): string {
  const current = languages.getStore() ?? ENGLISH;
  if (typeof current === 'string') return current;
  current(text);
  return ENGLISH;
}
export const languageNow = (): string => languageFor('languageNow');

/** The same content, written in the language of now while it is read later. */
export function inSameLanguage<T>(content: AsyncIterable<T>): AsyncIterable<T> {
  const language = languageNow();
  const source = content[Symbol.asyncIterator]();
  async function* parts() {
    try {
      for (;;) {
        const { done, value } = await inLanguage(language, () => source.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return parts();
}

/** A language if the portal offers it, else the portal's own. */
export const offeredLanguage = (offered: readonly string[], language: string | null): string =>
  language !== null && offered.includes(language) ? language : (offered[0] ?? ENGLISH);

/** The texts of a group as functions for Zod. `english` has their names; `words` are read when a function is called. */
export function readLate<T extends object>(english: T, words: T): RuleTexts<T> {
  const late = Object.entries(english).map(([name, text]: [string, unknown]) => {
    const read = () => words[name as keyof T] as unknown;
    if (typeof text === 'string') return [name, read];
    if (typeof text === 'function')
      return [name, (values: unknown) => () => (read() as (values: unknown) => string)(values)];
    return [name, readLate(text as object, read() as object)];
  });
  return Object.fromEntries(late) as RuleTexts<T>;
}

/** The texts of a group, as one object that finds each text when it is read. Other languages are loaded when read. */
export function spoken<T extends object>(words: T, others: Readonly<Record<string, () => T>>): T {
  const loaded = new Map([[ENGLISH, words]]);
  return viewOf(words, (name) => {
    const language = languageFor(name);
    const texts = loaded.get(language) ?? others[language]?.();
    if (texts) loaded.set(language, texts);
    return texts ?? words;
  });
}

function viewOf<T extends object>(words: T, current: (name: string) => T): T {
  const view = {};
  for (const name of Object.keys(words) as (keyof T & string)[]) {
    const text = words[name];
    const group =
      typeof text === 'object' &&
      text !== null &&
      viewOf<object>(text, (inner) => current(inner)[name] as object);
    Object.defineProperty(view, name, { enumerable: true, get: () => group || current(name)[name] });
  }
  return view as T;
}
