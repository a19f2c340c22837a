import { describe, expect, test } from 'vitest';
import { allRights, noRights } from '#contract/roles/permissions.ts';
import {
  mergeChanges,
  countChanges,
  isLocked,
  cellAfterKey,
  afterPress,
  stateAt,
} from './permission-grid.ts';

const reading = { ...noRights, read: true };
const table = { 1: allRights, 2: reading, 3: noRights };
const last = { row: 3, column: 4 };

describe('the box of a cell shows', () => {
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
    expect(afterPress(table, { row, column })).toEqual({ ...table, ...change });
  });

  test('unticking a full read column clears everything', () => {
    const all = { 1: allRights, 2: reading };
    expect(afterPress(all, { row: 0, column: 2 })).toEqual({ 1: noRights, 2: noRights });
  });
});

describe('if only some rights may be changed', () => {
  const own = { ...reading, create: true };
  const may = { 1: own, 2: own, 3: noRights };
  test.each([
    // row, column → the rows that change
    [1, 1, { 1: { ...allRights, create: false } }],
    [1, 0, { 1: { ...allRights, create: false } }],
    [2, 2, { 2: noRights }],
    [2, 0, { 2: own }],
    [0, 1, { 2: own }],
    [1, 3, {}],
    [1, 2, { 1: { ...allRights, create: false } }],
    [3, 0, {}],
  ])('pressing row %d column %d', (row, column, change) => {
    expect(afterPress(table, { row, column }, may)).toEqual({ ...table, ...change });
  });

  test.each([
    [1, 1, false],
    [1, 2, true],
    [1, 3, true],
    [1, 0, false],
    [3, 0, true],
    [3, 2, true],
    [0, 1, false],
    [0, 4, true],
  ])('row %d column %d is locked: %s', (row, column, locked) => {
    expect(isLocked(table, { row, column }, may)).toBe(locked);
  });
});

test('local changes stay on top of rights that somebody else has stored', () => {
  const mine = { ...table, 1: reading };
  const now = { ...table, 1: { ...allRights, update: false }, 3: reading };
  expect(mergeChanges(table, mine, now)).toEqual({ ...now, 1: reading });
  expect(mergeChanges(table, table, now)).toEqual(now);
});

test('changes are counted box by box', () => {
  expect(countChanges(table, table)).toBe(0);
  expect(countChanges(table, afterPress(table, { row: 3, column: 1 }))).toBe(2);
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
  expect(cellAfterKey(from, key, ctrl, last)).toEqual(to);
});
