import { spokenLanguage } from '#words/language.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
/** Shorter waits are the "moment" that the refusal itself mentions. */
const WORTH_TELLING_S = 10;

/** A wait in words, such as `5 minutes`, rounded up. Undefined for a short or unknown wait. */
export function waitWords(seconds: number): string | undefined {
  if (!(seconds >= WORTH_TELLING_S)) return undefined;
  const [unit, size] =
    seconds <= MINUTE_S ? ['second', 1] : seconds <= HOUR_S ? ['minute', MINUTE_S] : ['hour', HOUR_S];
  const inUnits = new Intl.NumberFormat(spokenLanguage.locale, { style: 'unit', unit, unitDisplay: 'long' });
  return inUnits.format(Math.ceil(seconds / size));
}
