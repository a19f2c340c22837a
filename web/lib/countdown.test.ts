import { expect, it } from 'vitest';
import { asClock } from './countdown.ts';

it.each([
  [0, '0:00'],
  [9, '0:09'],
  [30, '0:30'],
  [60, '1:00'],
  [605, '10:05'],
])('writes %i seconds as %s', (seconds, clock) => {
  expect(asClock(seconds)).toBe(clock);
});
