const inZone = (zone: string | null) => zone && { timeZone: zone };

/**
 * Formats a day such as "2 Mar 2026" in the person's zone, or in the browser's when the person has set none.
 */
export const dayIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...inZone(zone) });
  return (time: Date) => format.format(time);
};

/** Formats a moment such as "2 Mar 2026, 10:14" in the same zone. */
export const momentIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...inZone(zone),
  });
  return (time: Date) => format.format(time);
};
