import { spokenLanguage } from '#words/language.ts';

const formatIn = (zone: string | null, timeStyle?: 'short' | 'long') => {
  const inZone = zone && { timeZone: zone };
  const format = new Intl.DateTimeFormat(spokenLanguage.locale, {
    dateStyle: 'medium',
    timeStyle,
    ...inZone,
  });
  return (time: Date) => format.format(time);
};

export const dayIn = (zone: string | null) => formatIn(zone);
export const momentIn = (zone: string | null) => formatIn(zone, 'short');
/** Names the zone, for a reader who may be elsewhere. */
export const zonedMomentIn = (zone: string | null) => formatIn(zone ?? 'UTC', 'long');
