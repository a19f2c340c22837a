import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, changes, type ChainedRow, linkText } from '#server/activity/rules.ts';

test.each<[before: object, after: object, result: object]>([
  [{ name: 'a', count: 1 }, { name: 'a', count: 1 }, {}],
  [{ name: 'a', count: 1 }, { name: 'b', count: 1 }, { name: ['a', 'b'] }],
  [{ name: 'a', count: 1 }, { name: 'b' }, { name: ['a', 'b'] }],
  [{ name: 'a', count: 1 }, { name: undefined, count: 2 }, { count: [1, 2] }],
  [{ name: 'a' }, { name: '' }, { name: ['a', ''] }],
  [{ count: null }, { count: 5 }, { count: [null, 5] }],
  [{ count: 5 }, { count: null }, { count: [5, null] }],
  [{ count: 0 }, { count: false }, { count: [0, false] }],
  [{}, { name: 'a' }, { name: [undefined, 'a'] }],
  [{ name: 'a' }, {}, {}],
])('from %j to %j is %j', (before, after, result) => {
  expect(changes(before, after)).toStrictEqual(result);
});

describe('canonicalJson', () => {
  test.each<[value: unknown, text: string]>([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ z: { d: 1, c: [{ b: 1, a: 2 }] } }, '{"z":{"c":[{"a":2,"b":1}],"d":1}}'],
    [{ 10: 'x', 9: 'y', A: 1, a: 2 }, '{"10":"x","9":"y","A":1,"a":2}'],
    [[3, 1, 2], '[3,1,2]'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [[undefined, null], '[null,null]'],
    [undefined, 'null'],
    [null, 'null'],
    ['quote " and \n', '"quote \\" and \\n"'],
    [-0, '0'],
    [Number.NaN, 'null'],
    [{}, '{}'],
    [[], '[]'],
    [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [{ '"': { '\u2028': 'ä' } }, `{"\\"":{"\u2028":"ä"}}`],
  ])('%#', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('says the same as JSON, and the same before and after a store that keeps no order', () => {
    const shuffled = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(text);
        expect(canonicalJson(shuffled(value))).toBe(text);
      }),
    );
  });
});

describe('linkText', () => {
  const row: ChainedRow = {
    chain: 'org:7',
    position: 3,
    userId: 5,
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    module: 1,
    activityType: 7,
    action: 3,
    recordId: null,
    informationMac: 'ab',
  };

  test('is one fixed text, so that old rows verify for ever', () => {
    expect(linkText(row, 'ff')).toBe(
      '{"action":3,"activityType":7,"before":"ff","chain":"org:7","createdAt":"2026-01-02T03:04:05.678Z",' +
        '"informationMac":"ab","module":1,"position":3,"recordId":null,"userId":5}',
    );
  });

  const newer = { ...row, version: 2, orgId: 7, keyId: 'k1' } as const;

  test('of a newer row names its version, and covers the organization and the key too', () => {
    expect(linkText(newer, 'ff')).toBe(
      '{"action":3,"activityType":7,"before":"ff","chain":"org:7","createdAt":"2026-01-02T03:04:05.678Z",' +
        '"informationMac":"ab","keyId":"k1","module":1,"orgId":7,"position":3,"recordId":null,"userId":5,"version":2}',
    );
  });

  test.each<Partial<ChainedRow>>([
    { chain: 'org:8' },
    { position: 4 },
    { userId: 6 },
    { createdAt: new Date('2026-01-02T03:04:05.679Z') },
    { module: 2 },
    { activityType: 11 },
    { action: 4 },
    { recordId: 0 },
    { informationMac: 'ac' },
    { orgId: 8 },
    { orgId: null },
    { keyId: 'k2' },
  ])('covers %j', (change) => {
    expect(linkText({ ...newer, ...change }, 'ff')).not.toBe(linkText(newer, 'ff'));
  });

  test('covers the row before', () => expect(linkText(row, 'fe')).not.toBe(linkText(row, 'ff')));
});
