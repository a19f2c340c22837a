import * as z from 'zod/mini';
import type { Pair } from '#contract/wire.ts';
import { withShownAddresses } from '#server/shown-address.ts';

export type Encode = (value: unknown) => unknown;

type Reader = 'person' | 'application';

/** Types whose wire form equals the value in memory. */
const plain = new Set<string>(['string', 'number', 'boolean', 'literal', 'custom']);
const asItIs: Encode = (value) => value;

/** Fields that may contain an address. Names do, because a person without a name is shown by their address. */
const addressFields = new Set(
  'email pendingEmail fullName contact createdBy invitedBy text information userNames'.split(' '),
);
const withAddresses: Encode = (value) => {
  if (typeof value === 'string') return withShownAddresses(value);
  if (Array.isArray(value)) return value.map(withAddresses);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withAddresses(inner)]));
};

/** Built once per schema; drops unlisted fields. Plain values are not validated: the compiler has checked our answers. */
export function encoderOf(schema: z.core.$ZodType, reader: Reader = 'person'): Encode {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (plain.has(def.type)) return asItIs;
  if ('pairs' in schema) return encoderOfFields(schema.pairs as readonly Pair[], reader);
  if (def.type === 'object')
    return encoderOfFields(
      Object.entries(def.shape).map(([name, type]) => ({ ours: name, wire: name, type })),
      reader,
    );
  if (def.type === 'pipe' && def.reverseTransform) {
    const [encode, turn] = [encoderOf(def.in, reader), def.reverseTransform];
    return (value) => encode(turn(value, { value, issues: [] }));
  }
  if (def.type === 'array') {
    const encode = encoderOf(def.element, reader);
    return encode === asItIs ? asItIs : (value) => (value as readonly unknown[]).map(encode);
  }
  if (def.type === 'nullable' || def.type === 'optional') {
    const encode = encoderOf(def.innerType, reader);
    if (encode === asItIs) return asItIs;
    return (value) => (value === null || value === undefined ? value : encode(value));
  }
  return (value) => z.encode(schema, value);
}

function encoderOfFields(fields: readonly Pair[], reader: Reader): Encode {
  const steps = fields.map(({ ours, wire, type }) => {
    const encode = encoderOf(type, reader);
    return {
      ours,
      wire,
      encode: encode === asItIs && reader === 'person' && addressFields.has(ours) ? withAddresses : encode,
    };
  });
  return (value) => {
    const encoded: Record<string, unknown> = {};
    for (const { ours, wire, encode } of steps) {
      const field = (value as Record<string, unknown>)[ours];
      encoded[wire] = field === undefined ? undefined : encode(field);
    }
    return encoded;
  };
}
