import { storedText } from '#web/lib/stored-text.ts';
import { asideTo } from '#web/lib/navigate.ts';

/**
 * The query of a person who must open a mail first. The mailed link opens a new tab, which lacks the query.
 */
const errand = storedText(() => localStorage, 'errand');

/** Keeps this page's query for as long as the mailed link works. */
export const keepErrand = (minutes: number) =>
  errand.keep(`${Date.now() + minutes * 60_000} ${location.search}`);

/** The kept query, unless it has expired. */
export function errandIn(text: string | null, nowMs: number): string {
  const [, untilMs, search] = /^(\d+) (.*)$/.exec(text ?? '') ?? [];
  return Number(untilMs) > nowMs ? (search ?? '') : '';
}

/** The path of another step before sign-in, with the query kept before the mail. */
export const resumeAt = (path: string) => asideTo(path, errandIn(errand.read(), Date.now()));
