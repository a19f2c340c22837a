import { storedText } from '#web/lib/stored-text.ts';
import { asideTo } from '#web/lib/navigate.ts';

/** The mailed link opens a new tab, which lacks the query. */
const errand = storedText(() => localStorage, 'errand');

export const keepErrand = (minutes: number) =>
  errand.keep(`${Date.now() + minutes * 60_000} ${location.search}`);

export function errandIn(text: string | null, nowMs: number): string {
  const [, untilMs, search] = /^(\d+) (.*)$/.exec(text ?? '') ?? [];
  return Number(untilMs) > nowMs ? (search ?? '') : '';
}

export const resumeAt = (path: string) => asideTo(path, errandIn(errand.read(), Date.now()));
