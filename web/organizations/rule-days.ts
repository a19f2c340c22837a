/** The day of a moment in the browser's zone, as a date field writes it. */
export const dayOf = (moment: Date) =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** When a day of a date field begins in the browser's zone. */
export const startOf = (day: string) => new Date(`${day}T00:00`);

/** The day that is so many days after today. */
export function dayAfter(days: number, today = new Date()) {
  return dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));
}
