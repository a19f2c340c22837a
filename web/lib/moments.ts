import { spokenLanguage } from '#words/language.ts';
import { momentText } from '#words/moment.ts';
import { dayIn } from '#contract/dates.ts';

const DAY_MS = 86_400_000;

const inZone = (zone: string | null) => (zone === null ? {} : { timeZone: zone });

/** The calendar day of a moment, such as 2026-03-02, in the zone or else in the browser's zone. */
export function dayOf(zone: string | null) {
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...inZone(zone) });
  return (moment: Date) => format.format(moment);
}

/** By the calendar, because a day has 23 or 25 hours when clocks change. */
export const daysLater = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Formats days and moments in the person's zone: "Today", "Yesterday, 10:14", "2 Mar 2026". */
export function momentsIn(zone: string | null, now = new Date()) {
  const [day, isoDay] = [dayIn(zone), dayOf(zone)];
  const clock = new Intl.DateTimeFormat(spokenLanguage.locale, { timeStyle: 'short', ...inZone(zone) });
  const today = isoDay(now);
  const yesterday = daysLater(today, -1);
  const dayFormat = (words: { today: string; yesterday: string }) => (time: Date) => {
    const date = isoDay(time);
    if (date === today) return words.today;
    return date === yesterday ? words.yesterday : day(time);
  };
  const dayName = dayFormat(momentText);
  const dayInSentence = dayFormat(momentText.within);
  const timeOfDay = (time: Date) => clock.format(time);
  return {
    dayName,
    timeOfDay,
    moment: (time: Date) => momentText.at({ day: dayName(time), time: timeOfDay(time) }),
    /** The same inside a sentence: "today, 10:14". */
    momentWithin: (time: Date) => momentText.at({ day: dayInSentence(time), time: timeOfDay(time) }),
  };
}
