import { spokenLanguage } from '#words/language.ts';

const inZone = (zone: string | null) => zone && { timeZone: zone };

export const dayIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat(spokenLanguage.locale, { dateStyle: 'medium', ...inZone(zone) });
  return (time: Date) => format.format(time);
};

export const momentIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat(spokenLanguage.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...inZone(zone),
  });
  return (time: Date) => format.format(time);
};
