import { expect, test } from 'vitest';
import type { Notification } from '#contract/communications/calls.ts';
import { daysOf } from './notification-days.ts';

const notification = (id: number, day: string) =>
  ({
    id,
    kind: 'new_device',
    text: '',
    createdAt: new Date(`${day}T09:00:00Z`),
    isRead: false,
  }) as Notification;
const dayName = (time: Date) => time.toISOString().slice(0, 10);

test('each day appears once with its notifications, newest first', () => {
  const all = [
    notification(4, '2026-03-02'),
    notification(3, '2026-03-02'),
    notification(2, '2026-03-01'),
    notification(1, '2026-02-27'),
  ];
  const days = daysOf(all, dayName).map((day) => [day.name, day.notifications.map(({ id }) => id)]);
  expect(days).toEqual([
    ['2026-03-02', [4, 3]],
    ['2026-03-01', [2]],
    ['2026-02-27', [1]],
  ]);
  expect(daysOf([], dayName)).toEqual([]);
});
