import type { Notification } from '#contract/communications.ts';

/** Notifications by the day they came on, in the order they are in. */
export function daysOf(notifications: readonly Notification[], dayName: (time: Date) => string) {
  const days: { name: string; notifications: Notification[] }[] = [];
  for (const one of notifications) {
    const name = dayName(one.createdAt);
    const last = days.at(-1);
    if (last?.name === name) last.notifications.push(one);
    else days.push({ name, notifications: [one] });
  }
  return days;
}
