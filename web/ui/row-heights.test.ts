import { describe, expect, test } from 'vitest';
import { RowHeights } from './row-heights.ts';

function measured(heights: readonly number[]) {
  const rows = new RowHeights();
  for (const [row, height] of heights.entries()) rows.note(row, height);
  return rows;
}
const tens = (count: number) => measured(Array.from({ length: count }, () => 10));

describe('with a hundred rows of 10 px each, the window', () => {
  test.each([
    // from, to → first, end, above, below
    [0, 200, 0, 20, 0, 800],
    [-500, 150, 0, 15, 0, 850],
    [250, 450, 25, 45, 250, 550],
    [270, 420, 25, 45, 250, 550],
    [900, 1200, 90, 100, 900, 0],
    [-900, -300, 0, 5, 0, 950],
    [2000, 2400, 95, 100, 950, 0],
  ])('from %d to %d draws rows %d to %d', (from, to, first, end, above, below) => {
    expect(tens(100).between(from, to, 100)).toEqual({ first, end, above, below });
  });
});

test('unmeasured rows get the median height of the first measured ones', () => {
  expect(measured([10, 40, 20]).between(0, 100, 30)).toEqual({ first: 0, end: 5, above: 0, below: 500 });
  expect(measured([]).between(0, 100, 20)).toEqual({ first: 0, end: 5, above: 0, below: 1035 });
});

test('measuring a row does not move unmeasured rows', () => {
  const rows = tens(5);
  const { above } = rows.between(600, 700, 100);
  for (const row of [60, 61, 62, 63, 64]) rows.note(row, 50);
  expect(rows.between(600, 700, 100)).toMatchObject({ first: 60, above });
});

test('the latest measurement of a row counts', () => {
  const rows = tens(20);
  rows.note(0, 60);
  rows.note(0, 110);
  expect(rows.between(0, 150, 20)).toEqual({ first: 0, end: 5, above: 0, below: 150 });
});

test('a short list is drawn whole, and an empty list draws nothing', () => {
  expect(tens(3).between(0, 100, 3)).toEqual({ first: 0, end: 3, above: 0, below: 0 });
  expect(tens(0).between(0, 100, 0)).toEqual({ first: 0, end: 0, above: 0, below: 0 });
});

test('at every position the drawn and the hidden heights add up', () => {
  const heights = Array.from({ length: 237 }, (_, at) => 20 + ((at * 7) % 50));
  const all = heights.reduce((sum, height) => sum + height, 0);
  for (let from = -2000; from < all + 2000; from += 333) {
    const { first, end, above, below } = measured(heights).between(from, from + 900, 237);
    const drawn = heights.slice(first, end).reduce((sum, height) => sum + height, 0);
    expect(end).toBeGreaterThan(first);
    expect(above + drawn + below).toBe(all);
  }
});
