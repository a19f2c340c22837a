import { expect, test } from 'vitest';
import { timeZones } from '#contract/profile/countries.ts';
import { westToEast, zoneLabel } from './zone-label.ts';

const winter = new Date('2026-01-15T12:00:00Z');
const summer = new Date('2026-07-15T12:00:00Z');

test.each([
  ['Europe/Stockholm', winter, '(UTC+01:00) Europe/Stockholm'],
  ['Europe/Stockholm', summer, '(UTC+02:00) Europe/Stockholm'],
  ['Asia/Kolkata', winter, '(UTC+05:30) Asia/Kolkata'],
  ['America/New_York', winter, '(UTC-05:00) America/New York'],
  ['America/Argentina/Buenos_Aires', winter, '(UTC-03:00) America/Argentina/Buenos Aires'],
  ['Europe/London', winter, '(UTC+00:00) Europe/London'],
  ['Etc/UTC', winter, '(UTC+00:00) Etc/UTC'],
  ['Not/AZone', winter, '(UTC+00:00) Not/AZone'],
])('%s on %s reads %s', (zone, day, label) => {
  expect(zoneLabel(zone, day)).toBe(label);
});

test('every zone of the list has a label with its UTC offset', () => {
  for (const zone of timeZones) expect(zoneLabel(zone, winter)).toMatch(/^\(UTC[+-]\d\d:\d\d\) \S.+$/);
});

test('a country’s zones are sorted from west to east, then by name', () => {
  const zones = ['Pacific/Wake', 'America/New_York', 'Asia/Kolkata', 'Pacific/Midway', 'America/Detroit'];
  expect(westToEast(zones, winter)).toEqual([
    'Pacific/Midway',
    'America/Detroit',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Wake',
  ]);
});
