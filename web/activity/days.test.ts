import { describe, expect, test } from 'vitest';
import { dayOf, daysLater, dayTitle, startOf, timeOf } from './days.ts';

const KIRITIMATI = 'Pacific/Kiritimati';
const LOS_ANGELES = 'America/Los_Angeles';
const at = (text: string) => new Date(text);

test.each([
  ['2026-03-02T09:59:59.999Z', KIRITIMATI, '2026-03-02', '23:59'],
  ['2026-03-02T10:00:00.000Z', KIRITIMATI, '2026-03-03', '00:00'],
  ['2026-03-02T07:59:59.999Z', LOS_ANGELES, '2026-03-01', '23:59'],
  ['2026-03-02T08:00:00.000Z', LOS_ANGELES, '2026-03-02', '00:00'],
  ['2026-12-31T23:30:00.000Z', 'Europe/Stockholm', '2027-01-01', '00:30'],
  ['2026-03-02T18:45:00.000Z', 'Asia/Kathmandu', '2026-03-03', '00:30'],
])('%s in %s is %s %s', (moment, zone, day, time) => {
  expect([dayOf(zone)(at(moment)), timeOf(zone)(at(moment))]).toEqual([day, time]);
});

test.each([
  ['2026-03-02', 1, '2026-03-03'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2024-03-01', -1, '2024-02-29'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-02', -29, '2026-02-01'],
])('%s and %i days is %s', (day, days, later) => expect(daysLater(day, days)).toBe(later));

describe('a day begins', () => {
  test.each([
    ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02', KIRITIMATI, '2026-03-01T10:00:00.000Z'],
    ['2026-03-02', LOS_ANGELES, '2026-03-02T08:00:00.000Z'],
    // The days on which clocks change, and the days after.
    ['2026-03-08', LOS_ANGELES, '2026-03-08T08:00:00.000Z'],
    ['2026-03-09', LOS_ANGELES, '2026-03-09T07:00:00.000Z'],
    ['2026-11-02', LOS_ANGELES, '2026-11-02T08:00:00.000Z'],
    // Clocks jump from midnight to one o'clock.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
    // Samoa skipped 30 December 2011, so that day begins when the 31st does.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s at %s', (day, zone, moment) => expect(startOf(day, zone).toISOString()).toBe(moment));
});

test.each([
  [KIRITIMATI, '2026-03-02T10:30:00Z', '2026-03-03T00:00:00Z', 'Today'],
  [KIRITIMATI, '2026-03-02T10:30:00Z', '2026-03-02T00:00:00Z', 'Yesterday'],
  [LOS_ANGELES, '2026-03-02T07:30:00Z', '2026-03-01T12:00:00Z', 'Today'],
  [LOS_ANGELES, '2026-03-02T07:30:00Z', '2026-02-28T12:00:00Z', 'Yesterday'],
  [LOS_ANGELES, '2026-03-02T07:30:00Z', '2026-02-28T07:59:00Z', '27 Feb 2026'],
  [LOS_ANGELES, '2026-03-02T07:30:00Z', '2025-03-01T12:00:00Z', '1 Mar 2025'],
])('in %s at %s the day of %s is called %s', (zone, now, moment, title) => {
  expect(dayTitle(zone, at(now))(at(moment))).toBe(title);
});
