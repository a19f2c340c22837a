import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  allRights,
  type ModuleRights,
  noRights,
  type Right,
  rights,
  services,
  tick,
  tickColumn,
  tickState,
  withRead,
} from './permissions.ts';

const flags = [false, true];
const states: ModuleRights[] = flags.flatMap((create) =>
  flags.flatMap((read) =>
    flags.flatMap((update) => flags.map((remove) => ({ create, read, update, delete: remove }))),
  ),
);
/** The rights as letters: `cr-d` has create, read and delete. */
const letters = (state: ModuleRights) =>
  rights.map((right) => (state[right] ? right.charAt(0) : '-')).join('');

test('the registry is the specification’s: one service, five modules, four rights', () => {
  expect(Object.keys(services)).toEqual(['sign']);
  expect(services.sign.modules).toEqual({
    1: 'Document',
    2: 'Template',
    3: 'Sign For Others',
    4: 'Sign My Self',
    5: 'Contacts',
  });
  expect(rights).toEqual(['create', 'read', 'update', 'delete']);
  expectTypeOf<Right>().toEqualTypeOf<'create' | 'read' | 'update' | 'delete'>();
  expect([letters(noRights), letters(allRights)]).toEqual(['----', 'crud']);
});

describe('tick', () => {
  /** The two sentences of the specification, applied to the set of ticked boxes. */
  function oracle(state: ModuleRights, right: Right, on: boolean): string {
    const boxes = new Set(rights.filter((name) => state[name]));
    if (on) boxes.add(right);
    else boxes.delete(right);
    if (right === 'read' && !on) boxes.clear();
    if (['create', 'update', 'delete'].some((name) => boxes.has(name as Right))) boxes.add('read');
    return rights.map((name) => (boxes.has(name) ? name.charAt(0) : '-')).join('');
  }

  const moves = states.flatMap((state) =>
    rights.flatMap((right) => flags.map((on) => [state, right, on] as const)),
  );

  test('follows the specification in all 128 cases (16 states, 4 rights, on and off)', () => {
    expect(moves).toHaveLength(128);
    expect(moves.map(([state, right, on]) => letters(tick(state, right, on)))).toEqual(
      moves.map((move) => oracle(...move)),
    );
  });

  test.each([
    ['----', 'create', true, 'cr--'],
    ['----', 'read', true, '-r--'],
    ['----', 'update', true, '-ru-'],
    ['----', 'delete', true, '-r-d'],
    ['crud', 'read', false, '----'],
    ['crud', 'delete', false, 'cru-'],
    ['cr--', 'create', false, '-r--'],
    ['-r--', 'update', false, '-r--'],
  ] as const)('%s, %s to %s, is %s', (from, right, on, to) => {
    const state = states.find((candidate) => letters(candidate) === from) ?? noRights;
    expect(letters(tick(state, right, on))).toBe(to);
  });

  test('does not change its argument', () => {
    expect(tick(Object.freeze({ ...noRights }), 'create', true)).not.toEqual(noRights);
    tick(allRights, 'read', false);
    expect([letters(noRights), letters(allRights)]).toEqual(['----', 'crud']);
  });

  test('after any clicks, read is on if another right is, and storing changes nothing', () => {
    const click = fc.tuple(fc.constantFrom(...rights), fc.boolean());
    fc.assert(
      fc.property(fc.array(click, { maxLength: 12 }), (clicks) => {
        const end = clicks.reduce((state, [right, on]) => tick(state, right, on), noRights);
        expect(end.read).toBe(Object.values(end).some(Boolean));
        expect(withRead(end)).toEqual(end);
      }),
    );
  });
});

test('withRead adds read if another right is on, and changes nothing else', () => {
  expect(states.map((state) => letters(withRead(state)))).toEqual(
    states.map((state) => letters(state).replace(/^(?=.*[cud])(.)-/, '$1r')),
  );
});

test.each(rights.flatMap((right) => flags.map((on) => [right, on] as const)))(
  'a column header sets %s to %s in every module, by the tick rule',
  (right, on) => {
    const table = Object.fromEntries(states.map((state) => [letters(state), state]));
    const column = tickColumn(table, right, on);
    expect(Object.keys(column)).toEqual(Object.keys(table));
    for (const [module, state] of Object.entries(table))
      expect(column[module]).toEqual(tick(state, right, on));
    expect(tickState(Object.values(column).map((state) => state[right]))).toBe(on ? 'all' : 'none');
  },
);

test.each([
  [[true], 'all'],
  [[true, true], 'all'],
  [[false], 'none'],
  [[false, false], 'none'],
  [[true, false], 'some'],
  [[false, true], 'some'],
] as const)('%j shows as %s', (values, shown) => {
  expect(tickState(values)).toBe(shown);
});
