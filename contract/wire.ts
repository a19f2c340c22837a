import * as z from 'zod/mini';

type Type = z.core.$ZodType;
type Named = { readonly wire: string; readonly type: Type };
type Fields = Readonly<Record<string, Type | Named>>;
type Ours<F extends Fields> = z.output<
  z.ZodMiniObject<{
    -readonly [K in keyof F]: F[K] extends { wire: string; type: infer T extends Type }
      ? T
      : Extract<F[K], Type>;
  }>
>;
export type Pair = { ours: string; wire: string; type: Type };

/** A field whose wire name is not the snake_case of ours. */
export const as = <T extends Type>(wire: string, type: T): { wire: string; type: T } => ({ wire, type });

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isNamed = (field: Type | Named): field is Named => 'wire' in field;

const pairsOf = (fields: Fields): Pair[] =>
  Object.entries(fields).map(([ours, field]) =>
    isNamed(field) ? { ours, ...field } : { ours, wire: snakeCase(ours), type: field },
  );

function renamed(value: object, pairs: Pair[], from: 'ours' | 'wire', to: 'ours' | 'wire') {
  const source = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const pair of pairs) if (source[pair[from]] !== undefined) result[pair[to]] = source[pair[from]];
  return result;
}

const codecOf = <F extends Fields>(pairs: Pair[], object: typeof z.object | typeof z.strictObject) =>
  z.codec(object(Object.fromEntries(pairs.map((pair) => [pair.wire, pair.type]))), z.custom<Ours<F>>(), {
    decode: (value) => renamed(value, pairs, 'wire', 'ours') as Ours<F>,
    encode: (value) => renamed(value as object, pairs, 'ours', 'wire') as never,
  });

/** Maps our camelCase names to the wire's. Unknown keys are refused, so that a typo never silently does nothing. */
export function input<const F extends Fields>(fields: F) {
  const pairs = pairsOf(fields);
  const ours = new Map(pairs.map((pair) => [pair.wire, pair.ours]));
  return Object.assign(codecOf<F>(pairs, z.strictObject), {
    /** Our name of a wire key, to show the server's field messages beside the right field. */
    ours: (wire: string) => ours.get(wire) ?? wire,
    /** Form values under their wire keys, unchecked. Decoding them runs the rules of the server. */
    wire: (values: object) => renamed(values, pairs, 'ours', 'wire'),
  });
}
export type InputSchema = ReturnType<typeof input>;

/** An answer, mapping our camelCase names to the wire's. Keys that are not listed never leave the server. */
export function shape<const F extends Fields>(fields: F) {
  const pairs = pairsOf(fields);
  return Object.assign(codecOf<F>(pairs, z.object), { pairs });
}

/** 0 or 1 on the wire, a boolean in our code. */
export const flag = z.codec(
  z.literal([0, 1]),
  z.custom<boolean>((value) => typeof value === 'boolean'),
  { decode: (value) => value === 1, encode: (value) => (value ? 1 : 0) },
);

/** Ids are positive JSON integers. The brand keeps the kinds apart. */
const id = <B extends string>() => z.int().check(z.minimum(1)).brand<B>();
export const userId = id<'UserId'>();
export const orgId = id<'OrgId'>();
export const roleId = id<'RoleId'>();
export const sessionId = id<'SessionId'>();
export const memberId = id<'MemberId'>();
export type UserId = z.output<typeof userId>;
export type OrgId = z.output<typeof orgId>;
export type RoleId = z.output<typeof roleId>;
export type SessionId = z.output<typeof sessionId>;
export type MemberId = z.output<typeof memberId>;

export const nothing = z.object({});
