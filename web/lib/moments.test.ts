import { expect, test } from 'vitest';
import { momentsIn } from './moments.ts';

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
