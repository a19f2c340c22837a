import { describe, expect, test } from 'vitest';
import {
  canFind,
  withoutFilters,
  filterIn,
  inScope,
  isNarrow,
  isReversed,
  rangeOf,
  toAddress,
} from './activity-filter.ts';

const all = filterIn({});

describe('the address', () => {
  test.each([
    [{}, {}],
    [{ scope: 'mine' }, { isMine: true }],
    [
      { module: '1', type: '13', action: '8', person: '12', time: 'week' },
      { module: 1, type: 13, action: 8, userId: 12, period: 'week' },
    ],
    [
      { time: 'custom', from: '2026-02-28', to: '2026-03-02' },
      { period: 'custom', from: '2026-02-28', to: '2026-03-02' },
    ],
    [{ time: 'custom' }, { period: 'custom' }],
  ])('%o and the filter match', (address, filter) => {
    expect(filterIn(address)).toEqual({ ...all, ...filter });
    expect(toAddress({ ...all, ...filter } as never)).toEqual(address);
  });

  test.each([
    { scope: 'all' },
    { module: '7' },
    { module: '01' },
    { type: '99' },
    { action: '9' },
    { person: '0' },
    { person: 'me' },
    { time: 'year' },
    { from: '2026-03-02' },
  ])('%o does not narrow the log', (address) => expect(filterIn(address)).toEqual(all));

  test.each(['2026-02-30', '2026-2-3', '1969-12-31', '0000-01-01', '99999-01-01', 'today', ''])(
    '%j is not a day',
    (from) => expect(filterIn({ time: 'custom', from }).from).toBeUndefined(),
  );
});

test('only filters that leave rows out count as narrow and can be cleared', () => {
  expect(isNarrow(all)).toBe(false);
  expect(isNarrow({ ...all, isMine: true })).toBe(false);
  for (const narrow of [{ module: 1 }, { userId: 3 }, { period: 'today' }])
    expect(isNarrow({ ...all, ...narrow } as never)).toBe(true);
  expect(withoutFilters({ ...all, isMine: true, module: 1 } as never)).toEqual({ ...all, isMine: true });
});

test('switching scope keeps only filters that can find rows there, and no person', () => {
  const own = { ...all, isMine: true, module: 4, type: 13, action: 1, period: 'week' } as const;
  expect(inScope(own, false)).toEqual({ ...all, action: 1, period: 'week' });
  const shared = { ...all, module: 1, type: 8, userId: 3 as never } as const;
  expect(inScope(shared, true)).toEqual({ ...all, isMine: true, module: 1, type: 8 });
});

test.each([
  [canFind.module(1, false), true],
  [canFind.module(3, false), false],
  [canFind.module(3, true), true],
  [canFind.type(2, false), false],
  [canFind.type(2, true), true],
  [canFind.module(6, false), true],
  [canFind.module(4, false), false],
  [canFind.type(10, false), true],
  [canFind.type(13, false), false],
  [canFind.action(5, false), false],
  [canFind.action(5, true), false],
  [canFind.action(2, false), true],
])('only filters that can find rows are offered (%#)', (isOffered, expected) =>
  expect(isOffered).toBe(expected),
);

test.each([
  [{ from: '2026-03-02', to: '2026-03-01' }, true],
  [{ from: '2026-03-01', to: '2026-03-01' }, false],
  [{ from: '2026-03-02', to: undefined }, false],
])('%o is in the wrong order: %s', (days, reversed) => expect(isReversed(days)).toBe(reversed));

describe('the range of days', () => {
  const now = new Date('2026-03-10T05:00:00Z');
  const range = (filter: object, zone: string) => {
    const { from, to }: { from?: Date; to?: Date } = rangeOf({ ...all, ...filter }, zone, now);
    return [from?.toISOString(), to?.toISOString()];
  };
  test.each([
    [{}, 'UTC', undefined, undefined],
    [{ period: 'today' }, 'Pacific/Kiritimati', '2026-03-09T10:00:00.000Z', undefined],
    [{ period: 'today' }, 'America/Los_Angeles', '2026-03-09T07:00:00.000Z', undefined],
    // Clocks changed on 8 March.
    [{ period: 'week' }, 'America/Los_Angeles', '2026-03-03T08:00:00.000Z', undefined],
    [{ period: 'month' }, 'UTC', '2026-02-09T00:00:00.000Z', undefined],
    [{ period: 'custom' }, 'UTC', undefined, undefined],
    [{ period: 'custom', from: '2026-03-01' }, 'UTC', '2026-03-01T00:00:00.000Z', undefined],
    [{ period: 'custom', to: '2026-03-01' }, 'UTC', undefined, '2026-03-02T00:00:00.000Z'],
    [
      { period: 'custom', from: '2026-03-01', to: '2026-03-01' },
      'Europe/Stockholm',
      '2026-02-28T23:00:00.000Z',
      '2026-03-01T23:00:00.000Z',
    ],
    [
      { period: 'custom', from: '2026-03-05', to: '2026-03-01' },
      'UTC',
      '2026-03-01T00:00:00.000Z',
      '2026-03-06T00:00:00.000Z',
    ],
  ])('%o in %s', (filter, zone, from, to) => expect(range(filter, zone)).toEqual([from, to]));
});
