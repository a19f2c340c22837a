import * as z from 'zod/mini';
import type { Pair } from '#contract/wire.ts';

/** From a handler's answer to what is sent. */
export type Encode = (value: unknown) => unknown;

/** What is sent as it is held. */
const plain = new Set<string>(['string', 'number', 'boolean', 'literal', 'custom']);
const asHeld: Encode = (value) => value;

/**
 * How answers of a call are written, worked out once from their schema: names and values turned as it says, and nothing that
 * it does not list. What it says of plain values is not checked again: an answer is ours, and the compiler has held it to it.
 */
export function encoderOf(schema: z.core.$ZodType): Encode {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (plain.has(def.type)) return asHeld;
  if ('pairs' in schema) return encoderOfFields(schema.pairs as readonly Pair[]);
  if (def.type === 'object')
    return encoderOfFields(
      Object.entries(def.shape).map(([name, type]) => ({ ours: name, wire: name, type })),
    );
  if (def.type === 'pipe' && def.reverseTransform) {
    const [encode, turn] = [encoderOf(def.in), def.reverseTransform];
    return (value) => encode(turn(value, { value, issues: [] }));
  }
  if (def.type === 'array') {
    const encode = encoderOf(def.element);
    return encode === asHeld ? asHeld : (value) => (value as readonly unknown[]).map(encode);
  }
  if (def.type === 'nullable' || def.type === 'optional') {
    const encode = encoderOf(def.innerType);
    if (encode === asHeld) return asHeld;
    return (value) => (value === null || value === undefined ? value : encode(value));
  }
  return (value) => z.encode(schema, value);
}

/**
 * Compiled for the one shape: each name stands in the code, so the engine learns where its value lies. A loop over names
 * would look each of them up in whatever object comes, which took a fifth of a page of members.
 */
function encoderOfFields(fields: readonly Pair[]): Encode {
  const encoders = fields.map(({ type }) => encoderOf(type));
  const written = fields.map(({ ours, wire }, at) => {
    const value = `held[${JSON.stringify(ours)}]`;
    const turned = `${value} === undefined ? undefined : encoders[${at}](${value})`;
    return `${JSON.stringify(wire)}: ${encoders[at] === asHeld ? value : turned}`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- of names that stand in our schemas, never of what comes in
  const compile = new Function('encoders', `return (held) => ({ ${written.join(', ')} });`);
  return compile(encoders) as Encode;
}
