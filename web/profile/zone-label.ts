import { profileText } from '#words/profile.ts';

/** The offset on that day, such as `+01:00`, or `+00:00` for a zone unknown to this browser. */
function offsetOf(zone: string, day: Date): string {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(day).find((part) => part.type === 'timeZoneName')?.value ?? '';
    return name.replace('GMT', '') || '+00:00';
  } catch {
    return '+00:00';
  }
}

/** The label of a zone: `(UTC+01:00) Europe/Stockholm`. */
export const zoneLabel = (zone: string, day: Date) =>
  profileText.zoneLabel({ offset: offsetOf(zone, day), zone: zone.replaceAll('_', ' ') });

export const westToEast = (zones: readonly string[], day: Date) =>
  zones
    .map((zone) => ({ zone, minutes: minutesOf(offsetOf(zone, day)) }))
    .toSorted((a, b) => a.minutes - b.minutes || a.zone.localeCompare(b.zone))
    .map(({ zone }) => zone);

function minutesOf(offset: string) {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
