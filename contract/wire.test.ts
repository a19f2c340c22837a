import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { time } from './time.ts';
import {
  as,
  flag,
  input,
  memberId,
  nothing,
  type OrgId,
  orgId,
  roleId,
  sessionId,
  shape,
  type UserId,
  userId,
} from './wire.ts';

const fields = {
  firstName: z.string(),
  timeZone: as('timezone', z.string()),
  osName: as('OS_name', z.optional(z.string())),
  isOpen: z.optional(flag),
};
const ours = { firstName: 'Ann', timeZone: 'Etc/UTC', osName: 'Linux', isOpen: true };
const wire = { first_name: 'Ann', timezone: 'Etc/UTC', OS_name: 'Linux', is_open: 1 };

describe.each([
  ['input', input(fields)],
  ['shape', shape(fields)],
] as const)('%s', (_, schema) => {
  test('names are snake case on the wire, or the given spelling, both ways', () => {
    expect(z.decode(schema, wire as never)).toEqual(ours);
    expect(z.encode(schema, ours)).toEqual(wire);
  });

  test('omitted fields stay omitted, both ways', () => {
    expect(z.decode(schema, { first_name: 'a', timezone: 'b' })).toStrictEqual({
      firstName: 'a',
      timeZone: 'b',
    });
    expect(z.encode(schema, { firstName: 'a', timeZone: 'b', osName: undefined })).toStrictEqual({
      first_name: 'a',
      timezone: 'b',
    });
  });

  test.each([
    [{}],
    [{ ...wire, first_name: 5 }],
    [{ ...wire, is_open: true }],
    [ours],
    [[]],
    [null],
    ['x'],
    [undefined],
  ])('refuses %j', (value) => expect(z.safeDecode(schema, value as never).success).toBe(false));

  test('encoding after decoding gives the same body', () => {
    const body = fc.record(
      {
        first_name: fc.string(),
        timezone: fc.string(),
        OS_name: fc.string(),
        is_open: fc.constantFrom(0, 1),
      },
      { requiredKeys: ['first_name', 'timezone'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(body, (wireValue) => {
        expect(z.encode(schema, z.decode(schema, wireValue as never))).toEqual(wireValue);
      }),
    );
  });
});

describe('unknown keys', () => {
  test.for([
    ['typo', { ...wire, firts_name: 'x' }, ['firts_name']],
    ['our own spelling', { ...wire, firstName: 'x' }, ['firstName']],
    ['__proto__', JSON.parse('{"first_name":"a","timezone":"b","__proto__":{"admin":1}}'), ['__proto__']],
    ['constructor', { ...wire, constructor: 1, toString: 2 }, ['constructor', 'toString']],
  ] as const)('%s is refused in an input, by name', ([, body, keys]) => {
    expect(z.safeDecode(input(fields), body as never).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys },
    ]);
  });

  test('an empty input accepts no field', () => {
    expect(z.safeDecode(input({}), {}).success).toBe(true);
    expect(z.safeDecode(input({}), { a: 1 }).success).toBe(false);
  });

  test('never leave with an answer, not even inside lists', () => {
    const person = { ...ours, passwordHash: 'secret', timezone: 'wrong spelling' };
    expect(z.encode(shape(fields), person)).toEqual(wire);
    expect(z.encode(shape({ people: z.array(shape(fields)) }), { people: [person] })).toEqual({
      people: [wire],
    });
    expect(z.encode(nothing as z.core.$ZodType, { secret: 1 })).toEqual({});
  });

  test('in an answer are dropped by the client, so that a newer server does not break it', () => {
    expect(z.decode(shape(fields), { ...wire, new_field: 1 })).toEqual(ours);
  });
});

test('an input maps wire keys to our names, and form values to wire keys', () => {
  const schema = input(fields);
  expect(['first_name', 'timezone', 'OS_name', 'unknown'].map(schema.ours)).toEqual([
    'firstName',
    'timeZone',
    'osName',
    'unknown',
  ]);
  expect(
    schema.wire({ firstName: '', timeZone: 'x', osName: undefined, isOpen: 'unchecked', more: 1 }),
  ).toStrictEqual({
    first_name: '',
    timezone: 'x',
    is_open: 'unchecked',
  });
});

const acceptedValues = (schema: z.core.$ZodType, values: unknown[]) =>
  values.filter((value) => z.safeDecode(schema, value).success);

describe('flag', () => {
  test.each([
    [0, false],
    [1, true],
  ] as const)('%i is %s', (wireValue, value) => {
    expect(z.decode(flag, wireValue)).toBe(value);
    expect(z.encode(flag, value)).toBe(wireValue);
  });
  test('nothing else is a flag', () => {
    expect(acceptedValues(flag, [2, -1, 0.5, '1', true, null, undefined])).toEqual([]);
  });
});

test('a time is in UTC, to the millisecond, both ways', () => {
  const text = '2026-02-28T23:59:59.123Z';
  expect(z.decode(time, text)).toEqual(new Date(text));
  expect(z.encode(time, new Date(text))).toBe(text);
  const others = ['2026-01-01T00:00:00+02:00', '2026-01-01T00:00:00', '2026-01-01', 'yesterday', '', 0, null];
  expect(acceptedValues(time, others)).toEqual([]);
});

describe('ids', () => {
  test.each(Object.entries({ userId, orgId, roleId, sessionId, memberId }))(
    '%s is a positive integer',
    (_, id) => {
      expect(acceptedValues(id, [1, 2 ** 53 - 1, 0, -1, 1.5, 2 ** 53, '1', 'c1', null])).toEqual([
        1,
        2 ** 53 - 1,
      ]);
    },
  );

  test('one kind of id is not assignable to another', () => {
    expectTypeOf<OrgId>().not.toExtend<UserId>();
    expectTypeOf<number>().not.toExtend<OrgId>();
    expectTypeOf<OrgId>().toExtend<number>();
  });
});

describe('org_id in a query', () => {
  test.each([
    ['12', 12],
    ['c12', 12],
    ['1', 1],
    ['999999999999999', 999_999_999_999_999],
  ])('%s is %i', (text, value) => {
    expect(z.decode(orgIdInQuery, text)).toBe(value);
  });

  test('anything else is refused', () => {
    const near =
      '|c|C12|cc12|c 12|c-12|12c|d12|c012|012|0|c0|-1|+1|1.0|1e1|0x10| 12|12 |12\n|1,2|1_000|1;2'.split('|');
    const foreign = [
      '١٢',
      '１２',
      '9223372036854775808',
      '9007199254740993',
      12,
      null,
      undefined,
      ['12'],
      true,
    ];
    expect(acceptedValues(orgIdInQuery, [...near, ...foreign])).toEqual([]);
  });

  test('is sent as digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e15 - 1 }), (id) => {
        const wireValue = z.encode(orgIdInQuery, id as OrgId);
        expect(wireValue).toBe(String(id));
        expect(z.decode(orgIdInQuery, wireValue)).toBe(id);
        expect(z.decode(orgIdInQuery, `c${wireValue}`)).toBe(id);
      }),
    );
  });
});
