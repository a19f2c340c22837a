const inZone = (zone: string | null) => zone && { timeZone: zone };

/** A day such as "2 Mar 2026" as it is in the person's zone, or the browser's where they have set none. */
export const dayIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...inZone(zone) });
  return (time: Date) => format.format(time);
};

/** A moment such as "2 Mar 2026, 10:14", in the same zone. */
export const momentIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...inZone(zone),
  });
  return (time: Date) => format.format(time);
};
