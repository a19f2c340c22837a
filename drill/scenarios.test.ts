import { expect, test } from 'vitest';
import { goals } from './goals.ts';
import { scenarios } from './scenarios.ts';

test('every row of the goals is measured', () => {
  expect(new Set(scenarios.flatMap(({ ids }) => ids))).toEqual(new Set(Object.keys(goals)));
});
