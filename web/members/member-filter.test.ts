import { describe, expect, test } from 'vitest';
import { filterIn, isNarrow, sortedBy, toAddress } from './member-filter.ts';

const everybody = {
  search: '',
  status: undefined,
  roleId: undefined,
  lacks: undefined,
  sort: undefined,
  descending: false,
};

describe('the address', () => {
  test.each([
    [{}, {}],
    [
      { search: 'ma', status: '1', role: '12' },
      { search: 'ma', status: 1, roleId: 12 },
    ],
    [
      { sort: 'name', order: 'descending' },
      { sort: 'name', descending: true },
    ],
    [{ lacks: 'strong' }, { lacks: 'strong' }],
    [{ lacks: 'addresses' }, { lacks: 'addresses' }],
    [{ sort: 'role' }, { sort: 'role' }],
  ])('%o and the filter match', (address, filter) => {
    expect(filterIn(address)).toEqual({ ...everybody, ...filter });
    expect(toAddress({ ...everybody, ...filter } as never)).toEqual(address);
  });

  test.each([
    { status: '5' },
    { status: '' },
    { role: 'c12' },
    { role: '0' },
    { lacks: 'none' },
    { sort: 'designation' },
    { order: 'descending' },
  ])('%o does not narrow the list', (address) => {
    expect(filterIn(address)).toEqual(everybody);
  });

  test('keeps the search within the rules of the server', () => {
    expect(filterIn({ search: 'a\tb' }).search).toBe('a b');
    expect(filterIn({ search: 'x'.repeat(300) }).search).toHaveLength(254);
  });
});

test.each([
  [{}, false],
  [{ search: ' ' }, false],
  [{ sort: 'name' as const, descending: true }, false],
  [{ search: 'm' }, true],
  [{ status: 1 as const }, true],
  [{ roleId: 3 as never }, true],
  [{ lacks: 'any' as const }, true],
])('%o leaves members out: %s', (filter, narrow) => {
  expect(isNarrow({ ...everybody, ...filter })).toBe(narrow);
});

test('pressing a head sorts up, then down, then not at all', () => {
  const up = sortedBy(everybody, 'name');
  const down = sortedBy(up, 'name');
  expect(up).toEqual({ ...everybody, sort: 'name' });
  expect(down).toEqual({ ...everybody, sort: 'name', descending: true });
  expect(sortedBy(down, 'name')).toEqual(everybody);
  expect(sortedBy(down, 'role')).toEqual({ ...everybody, sort: 'role' });
});
