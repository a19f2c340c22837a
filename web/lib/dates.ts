/** A day such as "2 Mar 2026" as it is in the person's zone, or the browser's where they have set none. */
export const dayIn = (zone: string | null) => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...(zone && { timeZone: zone }) });
  return (time: Date) => format.format(time);
};
