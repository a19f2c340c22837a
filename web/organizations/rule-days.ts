export const dayOf = (moment: Date) =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

export const startOf = (day: string) => new Date(`${day}T00:00`);

export function dayAfter(days: number, today = new Date()) {
  return dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));
}
