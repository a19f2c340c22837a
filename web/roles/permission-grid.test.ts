import { describe, expect, test } from 'vitest';
import { allRights, noRights } from '#contract/permissions.ts';
import { countChanges, moved, pressed, stateAt } from './permission-grid.ts';

const reading = { ...noRights, read: true };
const table = { 1: allRights, 2: reading, 3: noRights };
const last = { row: 3, column: 4 };

describe('the box at a place shows', () => {
  test.each([
    [1, 1, 'all'],
    [2, 1, 'none'],
    [2, 2, 'all'],
    [1, 0, 'all'],
    [2, 0, 'some'],
    [3, 0, 'none'],
    [0, 1, 'some'],
    [0, 2, 'some'],
  ])('row %d column %d: %s', (row, column, state) => {
    expect(stateAt(table, { row, column })).toBe(state);
  });
});

describe('pressing', () => {
  test.each([
    // row, column → the rows that change
    [3, 1, { 3: { ...reading, create: true } }],
    [1, 2, { 1: noRights }],
    [1, 1, { 1: { ...allRights, create: false } }],
    [2, 0, { 2: allRights }],
    [1, 0, { 1: noRights }],
    [0, 2, { 3: reading }],
    [0, 4, { 2: { ...reading, delete: true }, 3: { ...reading, delete: true } }],
  ])('row %d column %d', (row, column, change) => {
    expect(pressed(table, { row, column })).toEqual({ ...table, ...change });
  });

  test('a full column of read clears everything', () => {
    const all = { 1: allRights, 2: reading };
    expect(pressed(all, { row: 0, column: 2 })).toEqual({ 1: noRights, 2: noRights });
  });
});

test('changes are counted box by box', () => {
  expect(countChanges(table, table)).toBe(0);
  expect(countChanges(table, pressed(table, { row: 3, column: 1 }))).toBe(2);
});

test.each([
  ['ArrowUp', false, { row: 1, column: 2 }, { row: 0, column: 2 }],
  ['ArrowUp', false, { row: 1, column: 0 }, { row: 1, column: 0 }],
  ['ArrowUp', false, { row: 0, column: 2 }, { row: 0, column: 2 }],
  ['ArrowDown', false, { row: 3, column: 2 }, { row: 3, column: 2 }],
  ['ArrowLeft', false, { row: 0, column: 1 }, { row: 0, column: 1 }],
  ['ArrowLeft', false, { row: 2, column: 1 }, { row: 2, column: 0 }],
  ['ArrowRight', false, { row: 2, column: 4 }, { row: 2, column: 4 }],
  ['Home', false, { row: 2, column: 3 }, { row: 2, column: 0 }],
  ['Home', true, { row: 2, column: 3 }, { row: 0, column: 1 }],
  ['End', true, { row: 1, column: 1 }, { row: 3, column: 4 }],
  ['Tab', false, { row: 1, column: 1 }, undefined],
  [' ', false, { row: 1, column: 1 }, undefined],
])('%s (ctrl: %s) from %o leads to %o', (key, ctrl, from, to) => {
  expect(moved(from, key, ctrl, last)).toEqual(to);
});
