import { expect, test } from 'vitest';
import { waitMs } from './rules.ts';

test.each([
  [1, null, 5_000],
  [2, null, 10_000],
  [10, null, 2_560_000],
  [11, null, 3_600_000],
  [500, null, 3_600_000],
  [1, 60_000, 60_000],
  [11, 60_000, 3_600_000],
  [1, 10 * 86_400_000, 86_400_000],
])('after try %i and a wish of %s ms, the next waits %i ms', (attempts, wish, ms) =>
  expect(waitMs(attempts, wish)).toBe(ms),
);
