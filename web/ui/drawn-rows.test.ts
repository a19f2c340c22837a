import { describe, expect, test } from 'vitest';
import { drawnRows } from './drawn-rows.ts';

const tens = (count: number) => Array.from({ length: count }, () => 10);

describe('of a hundred rows, each 10 px high, the window', () => {
  test.each([
    // from, to → first, end, above, below
    [0, 200, 0, 20, 0, 800],
    [-500, 150, 0, 20, 0, 800],
    [250, 450, 20, 50, 200, 500],
    [300, 400, 30, 40, 300, 600],
    [900, 1200, 90, 100, 900, 0],
    [-900, -300, 0, 10, 0, 900],
    [2000, 2400, 90, 100, 900, 0],
  ])('from %d to %d draws rows %d to %d', (from, to, first, end, above, below) => {
    expect(drawnRows(tens(100), 100, from, to)).toEqual({ first, end, above, below });
  });
});

test('rows that were not measured are as high as the others on average', () => {
  expect(drawnRows([10, 30], 30, 0, 100)).toEqual({ first: 0, end: 10, above: 0, below: 400 });
  expect(drawnRows([], 20, 0, 100)).toEqual({ first: 0, end: 10, above: 0, below: 690 });
});

test('a short list is drawn whole, and an empty one is nothing', () => {
  expect(drawnRows(tens(7), 7, 0, 100)).toEqual({ first: 0, end: 7, above: 0, below: 0 });
  expect(drawnRows([], 0, 0, 100)).toEqual({ first: 0, end: 0, above: 0, below: 0 });
});

test('whatever the place, what is drawn and what is not add up', () => {
  const heights = Array.from({ length: 237 }, (_, at) => 20 + ((at * 7) % 50));
  const all = heights.reduce((sum, height) => sum + height, 0);
  for (let from = -2000; from < all + 2000; from += 333) {
    const { first, end, above, below } = drawnRows(heights, 237, from, from + 900);
    const drawn = heights.slice(first, end).reduce((sum, height) => sum + height, 0);
    expect(end).toBeGreaterThan(first);
    expect(above + drawn + below).toBe(all);
  }
});
