import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import {
  canonicalJson,
  changes,
  type ChainedRow,
  csvField,
  csvLine,
  csvSeparatorIn,
  kindsOf,
  linkText,
  seesOrigin,
  visibleJson,
} from './rules.ts';

const SUPER = { userId: 2, rank: 'superAdmin' } as const;

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
])('the changes from %j to %j are %j', (before, after, result) => {
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

  test('parses to the same value, and is the same text after a store that changes the order of keys', () => {
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
    module: MODULE.organization,
    activityType: ACTIVITY_TYPE.roleInformation,
    action: ACTION.update,
    recordId: null,
    informationMac: 'ab',
    orgId: 7,
    keyId: 'k1',
  };

  test('is a fixed text, so that old rows always verify', () => {
    expect(linkText(row, 'ff')).toBe(
      '{"action":3,"activityType":7,"before":"ff","chain":"org:7","createdAt":"2026-01-02T03:04:05.678Z",' +
        '"informationMac":"ab","keyId":"k1","module":1,"orgId":7,"position":3,"recordId":null,"userId":5}',
    );
  });

  test.each<Partial<ChainedRow>>([
    { chain: 'org:8' },
    { position: 4 },
    { userId: 6 },
    { createdAt: new Date('2026-01-02T03:04:05.679Z') },
    { module: MODULE.profile },
    { activityType: ACTIVITY_TYPE.permission },
    { action: ACTION.delete },
    { recordId: 0 },
    { informationMac: 'ac' },
    { orgId: 8 },
    { orgId: null },
    { keyId: 'k2' },
  ])('covers %j', (change) => {
    expect(linkText({ ...row, ...change }, 'ff')).not.toBe(linkText(row, 'ff'));
  });

  test('covers the row before', () => expect(linkText(row, 'fe')).not.toBe(linkText(row, 'ff')));
});

describe('kindsOf', () => {
  test('an empty filter means all kinds', () => expect(kindsOf({})).toBeUndefined());

  const types = Object.keys(ACTIVITY_TYPE).length;
  test.each([
    [{ module: MODULE.organization }, types * 8],
    [{ activityType: ACTIVITY_TYPE.roleInformation }, 6 * 8],
    [{ action: ACTION.update }, 6 * types],
    [{ module: MODULE.organization, action: ACTION.update }, types],
    [{ module: MODULE.organization, activityType: ACTIVITY_TYPE.roleInformation, action: ACTION.update }, 1],
  ])('%j matches %i kinds, all of which fit', (filter, count) => {
    const kinds = kindsOf(filter) ?? [];
    expect(new Set(kinds.map(String)).size).toBe(count);
    for (const [module, activityType, action] of kinds)
      expect({ module, activityType, action }).toMatchObject(filter);
  });
});

describe('csvField', () => {
  test.each([
    ['', '""'],
    ['plain', '"plain"'],
    ['a,b;c', '"a,b;c"'],
    ['he said "no"', '"he said ""no"""'],
    ['=1+1', `"'=1+1"`],
    ['+49', `"'+49"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['＝1', `"'＝1"`],
    ['＋1', `"'＋1"`],
    ['－1', `"'－1"`],
    ['＠a', `"'＠a"`],
    ['\t=1', `"'\\u0009=1"`],
    ['\r=1', `"'\\u000d=1"`],
    ['\0=1', `"'\\u0000=1"`],
    ['a=b', '"a=b"'],
    ["'=1", `"'=1"`],
    ['line\r\nbreak', '"line\\u000d\\u000abreak"'],
    ['evil\u202Etxt.exe', '"evil\\u202etxt.exe"'],
    ['\u2066a\u2069\u200e\u200f\u061c', '"\\u2066a\\u2069\\u200e\\u200f\\u061c"'],
    ['\u001b[2J\u007f\u0085', '"\\u001b[2J\\u007f\\u0085"'],
    ['\u2028\u2029', '"\\u2028\\u2029"'],
    ['Żak 東京 🌉', '"Żak 東京 🌉"'],
  ])('%j is %s', (text, field) => expect(csvField(text)).toBe(field));

  test('fields make a line', () => expect(csvLine(['a', '', 'b'])).toBe('"a","","b"\r\n'));

  test.each([
    ['en-GB', '"0.5","b"\r\n'],
    ['ja', '"0.5","b"\r\n'],
    ['de', '"0.5";"b"\r\n'],
    ['pt-BR', '"0.5";"b"\r\n'],
    ['nl', '"0.5";"b"\r\n'],
  ])('the separator in %s leaves decimals whole', (locale, line) =>
    expect(csvLine(['0.5', 'b'], csvSeparatorIn(locale))).toBe(line),
  );
});

test('visibleJson shows hidden characters and parses to the same value', () => {
  const value = { a: '\u202Eb\u0085\u200f\n\u2028"', list: [1, null, '\u2066'] };
  const text = visibleJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toBe('{"a":"\\u202eb\\u0085\\u200f\\n\\u2028\\"","list":[1,null,"\\u2066"]}');
});

describe('seesOrigin', () => {
  const ofOrganization = {
    user_id: 1,
    module: MODULE.organization,
    activity_type: ACTIVITY_TYPE.organizationInformation,
    record_id: 1,
  };
  test.each([
    ['their own', ofOrganization, { userId: 1 }, true],
    ['another’s, outside of an organization', ofOrganization, { userId: 2 }, false],
    ['another’s, as a member', ofOrganization, { userId: 2, rank: 'member' }, false],
    ['another’s, as an admin', ofOrganization, { userId: 2, rank: 'admin' }, false],
    ['another’s, as a Super Admin', ofOrganization, { userId: 2, rank: 'superAdmin' }, true],
    [
      'of an invitation of somebody',
      { ...ofOrganization, activity_type: ACTIVITY_TYPE.invitedContact, record_id: 9 },
      SUPER,
      true,
    ],
    [
      'of joining or declining',
      { ...ofOrganization, activity_type: ACTIVITY_TYPE.invitationAnswer },
      SUPER,
      false,
    ],
    ['of leaving', { ...ofOrganization, activity_type: ACTIVITY_TYPE.invitedContact }, SUPER, false],
    [
      'of an own profile',
      { ...ofOrganization, module: MODULE.profile, activity_type: ACTIVITY_TYPE.profileInformation },
      SUPER,
      false,
    ],
    [
      'of a deletion of an account',
      { ...ofOrganization, module: MODULE.deleteAccount, activity_type: ACTIVITY_TYPE.deleteAccount },
      SUPER,
      false,
    ],
  ] as const)('%s', (_what, row, reader, sees) => expect(seesOrigin(reader, row)).toBe(sees));
});
