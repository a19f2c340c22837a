import * as z from 'zod/mini';

/** From a handler's answer to what is sent. */
export type Encode = (value: unknown) => unknown;

/** What is sent as it is held. */
const plain = new Set<string>(['string', 'number', 'boolean', 'literal', 'custom']);

/**
 * How answers of a call are written, worked out once from their schema: names and values turned as it says, and nothing that
 * it does not list. What it says of plain values is not checked again: an answer is ours, and the compiler has held it to it.
 */
export function encoderOf(schema: z.core.$ZodType): Encode {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (plain.has(def.type)) return (value) => value;
  if (def.type === 'object') return encoderOfFields(def.shape);
  if (def.type === 'pipe' && def.reverseTransform) {
    const [encode, turn] = [encoderOf(def.in), def.reverseTransform];
    return (value) => encode(turn(value, { value, issues: [] }));
  }
  if (def.type === 'array') {
    const encode = encoderOf(def.element);
    return (value) => (value as readonly unknown[]).map(encode);
  }
  if (def.type === 'nullable' || def.type === 'optional') {
    const encode = encoderOf(def.innerType);
    return (value) => (value === null || value === undefined ? value : encode(value));
  }
  return (value) => z.encode(schema, value);
}

function encoderOfFields(shape: z.core.$ZodShape): Encode {
  const fields = Object.entries(shape).map(([name, field]) => [name, encoderOf(field)] as const);
  return (value) => {
    const given = value as Record<string, unknown>;
    const encoded: Record<string, unknown> = {};
    for (const [name, encode] of fields) if (given[name] !== undefined) encoded[name] = encode(given[name]);
    return encoded;
  };
}
