import { expect, test } from 'vitest';
import { dayOf, daysLater, momentsIn } from '#web/lib/moments.ts';

const at = (text: string) => new Date(text);

test.for([
  ['Europe/Stockholm', '2026-03-02T09:00:00Z', '2026-03-02T08:14:00Z', 'Today, 09:14'],
  ['Europe/Stockholm', '2026-03-02T09:00:00Z', '2026-03-01T23:30:00Z', 'Today, 00:30'],
  ['Europe/Stockholm', '2026-03-02T09:00:00Z', '2026-03-01T22:30:00Z', 'Yesterday, 23:30'],
  ['America/New_York', '2026-03-02T03:00:00Z', '2026-03-01T06:00:00Z', 'Today, 01:00'],
  ['Europe/Stockholm', '2026-03-02T09:00:00Z', '2026-02-28T12:00:00Z', '28 Feb 2026, 13:00'],
  // In the night when clocks go forward, one hour is missing.
  ['Europe/Stockholm', '2026-03-29T22:15:00Z', '2026-03-28T23:30:00Z', 'Yesterday, 00:30'],
  ['Europe/Stockholm', '2026-03-29T22:15:00Z', '2026-03-28T22:30:00Z', '28 Mar 2026, 23:30'],
] as const)('in %s at %s, %s is “%s”', ([zone, now, time, words]) => {
  expect(momentsIn(zone, at(now)).moment(at(time))).toBe(words);
});

test.for([
  ['2026-03-02T08:14:00Z', 'today, 09:14'],
  ['2026-03-01T08:14:00Z', 'yesterday, 09:14'],
  ['2026-02-28T08:14:00Z', '28 Feb 2026, 09:14'],
] as const)('inside a sentence %s is “%s”', ([time, words]) => {
  const { momentWithin } = momentsIn('Europe/Stockholm', at('2026-03-02T09:00:00Z'));
  expect(momentWithin(at(time))).toBe(words);
});

test('without a zone it uses the browser’s', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const now = at('2026-03-02T09:00:00Z');
  expect(momentsIn(null, now).moment(now)).toBe(momentsIn(timeZone, now).moment(now));
});

test.each([
  ['2026-03-02T09:59:59.999Z', 'Pacific/Kiritimati', '2026-03-02', '23:59'],
  ['2026-03-02T10:00:00.000Z', 'Pacific/Kiritimati', '2026-03-03', '00:00'],
  ['2026-03-02T07:59:59.999Z', 'America/Los_Angeles', '2026-03-01', '23:59'],
  ['2026-03-02T08:00:00.000Z', 'America/Los_Angeles', '2026-03-02', '00:00'],
  ['2026-12-31T23:30:00.000Z', 'Europe/Stockholm', '2027-01-01', '00:30'],
  ['2026-03-02T18:45:00.000Z', 'Asia/Kathmandu', '2026-03-03', '00:30'],
])('%s in %s is %s %s', (moment, zone, day, time) => {
  expect([dayOf(zone)(at(moment)), momentsIn(zone).timeOfDay(at(moment))]).toEqual([day, time]);
});

test.each([
  ['2026-03-02', 1, '2026-03-03'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2024-03-01', -1, '2024-02-29'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-02', -29, '2026-02-01'],
])('%s and %i days is %s', (day, days, later) => expect(daysLater(day, days)).toBe(later));
