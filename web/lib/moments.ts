import { spokenLanguage } from '#words/language.ts';
import { momentText } from '#words/moment.ts';
import { dayIn } from '#contract/dates.ts';

const DAY_MS = 86_400_000;

/** Formats days and moments in the person's zone: "Today", "Yesterday, 10:14", "2 Mar 2026". */
export function momentsIn(zone: string | null, now = new Date()) {
  const inZone = zone === null ? {} : { timeZone: zone };
  const day = dayIn(zone);
  const clock = new Intl.DateTimeFormat(spokenLanguage.locale, { timeStyle: 'short', ...inZone });
  const isoDate = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...inZone });
  const today = isoDate.format(now);
  // By the calendar, because a day has 23 or 25 hours when clocks change.
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10);
  const dayFormat = (words: { today: string; yesterday: string }) => (time: Date) => {
    const date = isoDate.format(time);
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
