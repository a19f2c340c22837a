import fc from 'fast-check';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { actors } from './matrix-world.ts';
import { TYPED_CODE } from './people.ts';

/** Every call with its feature and name. */
const calls = Object.entries<Record<string, Endpoint>>(api).flatMap(([feature, group]) =>
  Object.entries(group).map(([name, endpoint]) => ({ feature, name, endpoint })),
);
export type FuzzedCall = (typeof calls)[number];

type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};
type Values = fc.Arbitrary<unknown>;

/** Values that often break programs. */
const nasty = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e21,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202Eabc',
  '\u200B',
  '\uFEFF',
  '﷽'.repeat(60),
  'e\u0301'.repeat(900),
  'a'.repeat(2001),
  'a'.repeat(20_000),
  '%00',
  '%',
  '%ff',
  '../../etc/passwd',
  "'; drop table users; --",
  '{{digest}}',
  '${7*7}',
  ...'<script> constructor __proto__ NaN ١٢٣٤٥٦ 0x10 1e3 -1 1 999999999999999 c1'.split(' '),
  ...'2026-02-30T25:61:00Z İ ß ı a@b a@b.c "a"@b.example ä@bücher.example'.split(' '),
  `${'a'.repeat(64)}@${'b'.repeat(180)}.example`,
  'https://[::1',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  'http://a:b@c',
  '/',
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { toString: 1 },
  { constructor: { prototype: {} } },
);
const anything: Values = fc.oneof(
  { weight: 4, arbitrary: nasty },
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const text = ({ minLength = 0, maxLength = 100 }: Schema): Values =>
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 200)) }),
    fc.constantFrom(
      ...[maxLength - 1, maxLength, maxLength + 1].map((length) => 'x'.repeat(Math.max(0, length))),
    ),
    fc.constantFrom(
      'Maya',
      'Lindqvist & Söner',
      'maya@northwind.example',
      'Sweden',
      'Europe/Stockholm',
      TYPED_CODE,
    ),
  );

const number = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): Values =>
  fc.oneof(fc.constantFrom(minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1), fc.nat(50));

/** Values that fit a field's schema, mostly at its limits. */
function valuesOf(schema: Schema): Values {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.properties) return fc.record(fieldsOf(schema));
  if (schema.items) return fc.array(valuesOf(schema.items), { maxLength: 5 });
  if (schema.type === 'string') return text(schema);
  return schema.type === 'integer' || schema.type === 'number' ? number(schema) : anything;
}
const fieldsOf = ({ properties = {} }: Schema) =>
  Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, valuesOf(field)]));

const often = <T>(usual: T, ...rare: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6 * rare.length, arbitrary: fc.constant(usual) }, ...rare);

/** How the fields are sent: as the call expects, with a field twice, or with a strange end of the query. */
const framing = often<Framing>(
  { as: 'usual' },
  fc.record({ as: fc.constant('twice' as const), value: anything }),
  fc.record({
    as: fc.constant('usual' as const),
    tail: fc.constantFrom('?', '?%', '?a&a', '?org_id=1&org_id=2', '#x', '?%00=%ff'),
  }),
);
type Framing =
  | { readonly as: 'usual'; readonly tail?: string }
  | { readonly as: 'twice'; readonly value: unknown };

export type Plan = {
  readonly call: FuzzedCall;
  readonly actor: (typeof actors)[number];
  readonly set: Record<string, unknown>;
  readonly drop: readonly string[];
  readonly extra: Record<string, unknown>;
  readonly framing: Framing;
};

function planOf(call: FuzzedCall): fc.Arbitrary<Plan> {
  const fields = fieldsOf(
    z.toJSONSchema(call.endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema,
  );
  const either = Object.entries(fields).map(([key, values]) => [key, fc.oneof(values, anything)]);
  return fc.record({
    call: fc.constant(call),
    actor: fc.constantFrom(...actors),
    set: fc.oneof(
      fc.constant({}),
      fc.record(fields, { requiredKeys: [] }),
      fc.record(Object.fromEntries(either) as Record<string, Values>, { requiredKeys: [] }),
    ),
    drop: often<readonly string[]>([], fc.subarray(Object.keys(fields))),
    extra: often<Record<string, unknown>>(
      {},
      fc.dictionary(fc.string({ unit: 'binary' }), anything, { maxKeys: 3 }),
    ),
    framing,
  });
}

const isForm = ({ endpoint }: FuzzedCall) => endpoint.body === 'form';
export const plansOf = {
  any: fc.oneof(...calls.map(planOf)),
  json: fc.oneof(...calls.filter((call) => !isForm(call)).map(planOf)),
  form: fc.oneof(...calls.filter(isForm).map(planOf)),
} satisfies Record<string, fc.Arbitrary<Plan>>;
export type FuzzKind = keyof typeof plansOf;
