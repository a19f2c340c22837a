import * as z from 'zod/mini';
import type { ActIn } from '#contract/activity/recorded.ts';

/** One word or option of an act: its rule, and how the help writes its value. */
export type Field<T = unknown> = {
  readonly kind: 'one' | 'several' | 'flag' | 'file';
  readonly usage: string;
  readonly type: z.ZodMiniType<T>;
};
type Fields = Readonly<Record<string, Field>>;

export const field = <T>(usage: string, type: z.ZodMiniType<T>): Field<T> => ({ kind: 'one', usage, type });
export const text = (usage: string) => field(usage, z.string());
export const several = <T>(usage: string, type: z.ZodMiniType<T>): Field<T[]> => ({
  kind: 'several',
  usage,
  type: z.array(type),
});
export const flag = (usage: string): Field<boolean> => ({ kind: 'flag', usage, type: z.boolean() });
/** The contents of a file in base64. An empty name removes the value. */
export const file = (usage: string): Field<string> => ({ ...text(usage), kind: 'file' });

/** A date that does not exist would become one of the next month. */
function isMoment(value: string) {
  const at = new Date(value);
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.slice(0, 10));
  return /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(value) && isReal;
}
const MOMENT = 'takes a day or a time in UTC, such as 2026-12-24 or 2026-12-24T18:00:00Z';
/** `named` are words for certain moments. */
export const moment = (usage: string, named: Readonly<Record<string, Date>> = {}) =>
  field<Date>(
    usage,
    z.pipe(
      z.string().check(
        z.refine((value) => Object.hasOwn(named, value) || isMoment(value), {
          error: `${[MOMENT, ...Object.keys(named)].join(', or ')}.`,
        }),
      ),
      z.transform((value: string) => named[value] ?? new Date(value)),
    ),
  );

export const LOG_MAX = 10_000;
export const LOG_SHOWN = 50;
export const count = field(
  `<number>  at most ${LOG_MAX}; default: ${LOG_SHOWN}`,
  z.pipe(
    z.string().check(
      z.refine((value) => /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= LOG_MAX, {
        error: `takes a whole number from 1 to ${LOG_MAX}.`,
      }),
    ),
    z.transform(Number),
  ),
);

/** "1 session", "2 sessions". */
export const counted = (number: number, one: string, more = `${one}s`) =>
  `${number} ${number === 1 ? one : more}`;

export type Level = 'support' | 'full' | 'machine';
export type Subject = 'person' | 'application' | 'webhook';
const subjects: Readonly<Record<Subject, Field<string>>> = {
  person: text('<person>'),
  application: text('<client ID, or name>'),
  webhook: text('<address>'),
};

type Output = Readonly<Record<string, z.core.$ZodType>>;
type ValuesOf<R extends Output> = { readonly [K in keyof R]: z.output<R[K]> };
type Done<V> = string | ((output: V) => string | readonly string[]);

type Row<T extends Fields, O extends Fields, R extends Output> = {
  /** A person at the machine may do everything. */
  readonly level: Level;
  readonly does: string;
  /** The first word finds this. */
  readonly on?: Subject;
  readonly takes?: T;
  readonly options?: O;
  /** The fields of the answer, and the sentence that tells it, with their names in braces. */
  readonly output?: R;
  readonly done?: Done<ValuesOf<R>>;
  /** The row that a change leaves in the log. An act without one is a look. */
  readonly row?:
    | ActIn<'operator'>
    | `organization.${'invitedContact.update' | 'companyDomain.delete' | 'companyConnection.update'}`;
  /** At the desk, a second operator has to agree: always, or for an application that is first-party or becomes it. */
  readonly takesTwo?: 'always' | 'first-party';
  /** The command itself does it: no installation is open yet, or the files are the operator's own. */
  readonly byCommand?: true;
  /** A part of such a command. */
  readonly isStep?: true;
};
export type Act = Row<Fields, Fields, Output>;

const ofLevel =
  <const L extends Level>(level: L) =>
  <const T extends Fields, const O extends Fields, const R extends Output, const More = unknown>(
    does: string,
    row?: Omit<Row<T, O, R>, 'level' | 'does'> & More,
  ) =>
    ({ level, does, ...row }) as Row<T, O, R> & { readonly level: L } & More;
export const support = ofLevel('support');
export const full = ofLevel('full');
export const machine = ofLevel('machine');

/** An act without fields has those of its constraint, which name nothing. */
type Known<F, Values, Otherwise> = string extends keyof F ? Otherwise : Values;
type Values<F> = Known<F, { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }, unknown>;
export type InputOf<A> = A extends Row<infer T, infer O, infer _> ? Values<T> & Partial<Values<O>> : never;
export type OutputOf<A> = A extends Row<infer _T, infer _O, infer R> ? Known<R, ValuesOf<R>, object> : never;

const reason = field(
  '<words>  why, for the log',
  z
    .string()
    .check(
      z.trim(),
      z.minLength(3, { error: 'takes at least three characters.' }),
      z.maxLength(200, { error: 'takes at most 200 characters.' }),
    ),
);

/** The words of an act in their order, with its subject first. */
export const wordsOf = ({ on, takes = {} }: Act): Fields => ({ ...(on && { [on]: subjects[on] }), ...takes });
export const optionsOf = ({ options = {}, row }: Act): Fields => ({ ...options, ...(row && { reason }) });

const isOptional = ({ usage }: Field) => usage.startsWith('[');
export const neededWords = (row: Act) => Object.values(wordsOf(row)).filter((one) => !isOptional(one)).length;

const each = (fields: Fields, typeOf: (one: Field) => z.core.$ZodType) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, typeOf(one)]));
export const inputOf = (row: Act) =>
  z.strictObject({
    ...each(wordsOf(row), (one) => (isOptional(one) ? z.optional(one.type) : one.type)),
    ...each(optionsOf(row), ({ type }) => z.optional(type)),
  });
