import fc from 'fast-check';
import * as z from 'zod/mini';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { JSON_BODY_MAX_BYTES } from '#contract/limits.ts';
import { type Spoiling, spoilings } from '#server/testing/fuzz-raw.ts';
import { actors } from '#server/testing/matrix-world.ts';
import { TYPED_CODE } from '#server/testing/people.ts';

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
  '<script>',
  'constructor',
  '__proto__',
  'NaN',
  '١٢٣٤٥٦',
  '0x10',
  '1e3',
  '-1',
  '1',
  '999999999999999',
  'c1',
  '2026-02-30T25:61:00Z',
  'İ',
  'ß',
  'ı',
  'a@b',
  'a@b.c',
  '"a"@b.example',
  'ä@bücher.example',
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

const letters = (of: string) => fc.constantFrom(...Array.from(of));

/** Headers that a client may send. Headers that end the connection have their own tests. */
const spoiledHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.record(
    {
      origin: fc.constantFrom('https://evil.example', 'null', 'x'),
      cookie: fc.string({ unit: letters('portico=; "%\\,\t\u00e4[]{}_'), maxLength: 200 }),
      'x-forwarded-for': fc.constantFrom('1.2.3.4', '::ffff:1.2.3.4, x', 'unknown', '"', '1'.repeat(500)),
      'user-agent': fc.string({ unit: letters('Mozila/5.0 ();\u00ff'), maxLength: 700 }),
      'sec-fetch-site': fc.constantFrom('cross-site', 'same-origin', 'none', ''),
      'accept-encoding': fc.constantFrom('gzip', 'br;q=x', '*;q=0'),
      'accept-language': fc.constantFrom('*', 'x'.repeat(300)),
      'if-none-match': fc.constant('*'),
      range: fc.constantFrom('bytes=0-', 'bytes=9-1'),
    },
    { requiredKeys: [] },
  ),
  fc.record({ host: fc.constantFrom('evil.example', 'localhost', '') }),
);

const headers = often<Record<string, string>>({}, spoiledHeaders);

const contentTypes = [
  'application/json',
  'application/json; charset=utf-7',
  'application/json;',
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'x',
  '',
];
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));

/** How the fields are sent: as the call expects, a field twice, or as arbitrary bytes. */
const framing = often<Framing>(
  { as: 'usual' },
  fc.record({ as: fc.constant('bytes' as const), type: fc.constantFrom(...contentTypes), body: bytes }),
  fc.record({
    as: fc.constant('bytes' as const),
    type: fc.constant('application/json'),
    body: fc
      .constantFrom(
        '',
        'null',
        '[]',
        '"x"',
        '1',
        '{',
        '{}x',
        '{"a":1,}',
        '\uFEFF{}',
        '[['.repeat(20_000),
        '{"a":'.repeat(5000),
        '{"__proto__":{"a":1}}',
        '{"constructor":{"prototype":{}}}',
        ' '.repeat(JSON_BODY_MAX_BYTES + 1),
      )
      .map((words) => Buffer.from(words)),
  }),
  fc.record({
    as: fc.constant('bytes' as const),
    type: fc.constant('multipart/form-data; boundary=x'),
    body: fc
      .array(
        fc.constantFrom(
          '--x\r\n',
          '--x--\r\n',
          '\r\n',
          'Content-Disposition: form-data; name="file"',
          '; filename="a',
          ': ',
          'x',
        ),
        {
          maxLength: 30,
        },
      )
      .map((parts) => Buffer.from(parts.join(''))),
  }),
  fc.record({ as: fc.constant('twice' as const), value: anything }),
  fc.record({
    as: fc.constant('usual' as const),
    tail: fc.constantFrom('?', '?%', '?a&a', '?org_id=1&org_id=2', '#x', '?%00=%ff'),
  }),
);
type Framing =
  | { readonly as: 'usual'; readonly tail?: string }
  | { readonly as: 'twice'; readonly value: unknown }
  | { readonly as: 'bytes'; readonly type: string; readonly body: Buffer };

/** A hostile request: its caller, and the changes to a valid input. */
export type Plan = {
  readonly call: FuzzedCall;
  readonly actor: (typeof actors)[number];
  readonly set: Record<string, unknown>;
  readonly drop: readonly string[];
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly framing: Framing;
  /** Changes to its bytes, if they are spoiled. */
  readonly spoiling?: Spoiling;
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
    headers,
    framing,
  });
}

const isForm = ({ endpoint }: FuzzedCall) => endpoint.body === 'form';
const anyCall = fc.oneof(...calls.map(planOf));
/**
 * Plans by kind of hostility: any call, calls with JSON or a query, calls with a form, the request head, or
 * raw bytes.
 */
export const plansOf = {
  any: anyCall,
  json: fc.oneof(...calls.filter((call) => !isForm(call)).map(planOf)),
  form: fc.oneof(...calls.filter(isForm).map(planOf)),
  head: fc.tuple(anyCall, spoiledHeaders).map(([plan, spoiled]) => ({ ...plan, headers: spoiled })),
  raw: fc.tuple(anyCall, spoilings).map(([plan, spoiling]): Plan => ({ ...plan, spoiling })),
} satisfies Record<string, fc.Arbitrary<Plan>>;
export type FuzzKind = keyof typeof plansOf;
