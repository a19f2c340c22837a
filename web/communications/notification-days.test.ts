import { expect, test } from 'vitest';
import type { Notification } from '#contract/communications.ts';
import { daysOf } from './notification-days.ts';

const told = (id: number, day: string) =>
  ({
    id,
    kind: 'new_device',
    text: '',
    createdAt: new Date(`${day}T09:00:00Z`),
    isRead: false,
  }) as Notification;
const dayName = (time: Date) => time.toISOString().slice(0, 10);

test('each day stands once, with what came on it, the newest first', () => {
  const all = [told(4, '2026-03-02'), told(3, '2026-03-02'), told(2, '2026-03-01'), told(1, '2026-02-27')];
  const days = daysOf(all, dayName).map((day) => [day.name, day.notifications.map(({ id }) => id)]);
  expect(days).toEqual([
    ['2026-03-02', [4, 3]],
    ['2026-03-01', [2]],
    ['2026-02-27', [1]],
  ]);
  expect(daysOf([], dayName)).toEqual([]);
});
