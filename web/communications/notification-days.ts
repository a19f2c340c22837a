import type { Notification } from '#contract/communications/calls.ts';

export function daysOf(notifications: readonly Notification[], dayName: (time: Date) => string) {
  const days: { name: string; notifications: Notification[] }[] = [];
  for (const notification of notifications) {
    const name = dayName(notification.createdAt);
    const latestDay = days.at(-1);
    if (latestDay?.name === name) latestDay.notifications.push(notification);
    else days.push({ name, notifications: [notification] });
  }
  return days;
}
