import { expect, test } from 'vitest';
import { dayAfter, dayOf, startOf } from './rule-days.ts';

test('a day begins and ends in the zone of the browser', () => {
  expect(dayOf(startOf('2026-03-02'))).toBe('2026-03-02');
  expect(dayOf(new Date(startOf('2026-03-03').getTime() - 1))).toBe('2026-03-02');
});

test.each([
  ['2026-11-26', 7, '2026-12-03'],
  ['2026-12-31', 1, '2027-01-01'],
  // A day of 23 hours in zones with summer time.
  ['2026-03-28', 2, '2026-03-30'],
])('%s and %i days: %s', (today, days, day) => {
  expect(dayAfter(days, new Date(`${today}T23:30`))).toBe(day);
});
