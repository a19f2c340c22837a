import { kept } from '#web/lib/kept.ts';
import { asideTo } from '#web/lib/navigate.ts';

/** What somebody came with who has to open a mail first: its link opens in a tab of its own, without their query. */
const errand = kept(() => localStorage, 'errand');

/** Keeps this page's query in the browser for as long as the mailed link serves. */
export const keepErrand = (minutes: number) =>
  errand.keep(`${Date.now() + minutes * 60_000} ${location.search}`);

/** The query that was kept, unless its time is over. */
export function errandIn(text: string | null, nowMs: number): string {
  const [, untilMs, search] = /^(\d+) (.*)$/.exec(text ?? '') ?? [];
  return Number(untilMs) > nowMs ? (search ?? '') : '';
}

/** The path of another step before signing in, with what the person came with before the mail. */
export const resumeAt = (path: string) => asideTo(path, errandIn(errand.read(), Date.now()));
