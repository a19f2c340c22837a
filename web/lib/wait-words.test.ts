import { expect, test } from 'vitest';
import { waitWords } from './wait-words.ts';

test.each([
  [Number.NaN, undefined],
  [0, undefined],
  [5, undefined],
  [9, undefined],
  [10, '10 seconds'],
  [60, '60 seconds'],
  [61, '2 minutes'],
  [900, '15 minutes'],
  [3600, '60 minutes'],
  [3601, '2 hours'],
  [86_400, '24 hours'],
])('%d seconds are %s', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words);
});
