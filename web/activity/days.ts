import { spokenLanguage } from '#words/language.ts';
import { activityPageText as text } from '#words/activity-page.ts';
import { dayIn } from '#contract/dates.ts';

const DAY_MS = 86_400_000;
/** No zone is farther from UTC. */
const FARTHEST_MS = 15 * 3_600_000;

type Zone = string | null;
const inZone = (zone: Zone) => (zone === null ? {} : { timeZone: zone });

/** The calendar day of a moment, such as 2026-03-02, in the zone or else in the browser's zone. */
export function dayOf(zone: Zone) {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...inZone(zone) });
  return (moment: Date) => format.format(moment);
}

export const daysLater = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The moment when a calendar day begins in a zone. It searches, because clocks may jump at midnight or skip a day. */
export function startOf(day: string, zone: Zone): Date {
  const dayAt = dayOf(zone);
  const utc = Date.parse(`${day}T00:00:00Z`);
  let [low, high] = [utc - FARTHEST_MS, utc + FARTHEST_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayAt(new Date(middle)) < day) low = middle;
    else high = middle;
  }
  return new Date(high);
}

export function dayTitle(zone: Zone, now: Date) {
  const [dayAt, date] = [dayOf(zone), dayIn(zone)];
  const today = dayAt(now);
  const names = { [today]: text.today, [daysLater(today, -1)]: text.yesterday };
  return (moment: Date) => names[dayAt(moment)] ?? date(moment);
}

export function timeOf(zone: Zone) {
  const format = new Intl.DateTimeFormat(spokenLanguage.locale, { timeStyle: 'short', ...inZone(zone) });
  return (moment: Date) => format.format(moment);
}
