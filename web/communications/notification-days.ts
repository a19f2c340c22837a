import type { Notification } from '#contract/communications.ts';

/** Groups notifications by day and keeps their order. */
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
