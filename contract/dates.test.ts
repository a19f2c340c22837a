import { expect, test } from 'vitest';
import { dayIn, momentIn, zonedMomentIn } from './dates.ts';

test.each([
  ['Pacific/Kiritimati', '2026-03-02T10:30:00Z', '3 Mar 2026', '3 Mar 2026, 00:30', '00:30:00 GMT+14'],
  ['America/Los_Angeles', '2026-03-02T07:30:00Z', '1 Mar 2026', '1 Mar 2026, 23:30', '23:30:00 GMT-8'],
])('in %s %s is on “%s”, at “%s”', (zone, time, day, moment, exact) => {
  expect(dayIn(zone)(new Date(time))).toBe(day);
  expect(momentIn(zone)(new Date(time))).toBe(moment);
  expect(zonedMomentIn(zone)(new Date(time))).toBe(`${day}, ${exact}`);
});
