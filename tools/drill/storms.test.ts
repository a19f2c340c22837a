import { expect, test } from 'vitest';
import { slopePerHour } from './storms.ts';

test.for([
  { name: 'stands', values: [7, 7, 7, 7], expected: 0 },
  { name: 'grows by two every ten seconds', values: [3, 5, 7, 9], expected: 720 },
  { name: 'shrinks', values: [9, 8, 7, 6], expected: -360 },
  { name: 'goes up and down by as much', values: [1, 2, 2, 1], expected: 0 },
])('what $name has the slope of its line', ({ values, expected }) => {
  const points = values.map((value, nth) => [nth * 10, value] as const);
  expect(slopePerHour(points)).toBeCloseTo(expected);
});
