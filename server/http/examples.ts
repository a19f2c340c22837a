import * as z from 'zod/mini';
import { OTP_CHARACTERS } from '#contract/limits.ts';

type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  minimum?: number;
};

/** Examples by the wire name of a field. They take precedence over the lists below. */
const words: Record<string, string> = {
  password: 'sturdy arch 42',
  first_name: 'Maya',
  last_name: 'Lindqvist',
  fullName: 'Maya Lindqvist',
  full_name: 'Maya Lindqvist',
  name: 'Sales',
  role: 'Admin',
  role_name: 'Sales',
  designation: 'Head of Sales',
  language: 'en',
  invited_by: 'Maya Lindqvist',
  organization: 'Northwind Traders',
  org: 'northwindtraders',
  contact: 'm•••@northwind.example',
  OrgName: 'Northwind Traders',
  OrgUrlName: 'northwindtraders',
  next: '/7/myprofile',
  path: 'myapps',
  search: 'maya',
  date: '2026-03-02',
  time: '09:00:00.000Z',
};

/** Examples for fields whose schema has no type. */
const open: Readonly<Record<string, object>> = {
  user_names: { 7: 'Maya Lindqvist' },
  role_info: { 3: 'Sales' },
  information: { designation: ['Clerk', 'Head of Sales'] },
  options: { challenge: 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDQzIGxldHRlcnM' },
};

/** Examples for all other fields; a field gets the first one that its rule accepts. */
const fallbacks = [
  'maya@northwind.example',
  'https://northwind.example/',
  'Europe/Stockholm',
  'Sweden',
  '1234567890'.slice(0, OTP_CHARACTERS),
  '7',
  '1',
  '2026-03-02T09:00:00Z',
  '2026-03-02',
  '1772442000000-7',
  '+46 70 123 45 67',
  'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDQzIGxldHRlcnM',
  '4F7KM-2QX9A',
  '7d0f1c6e-6f0b-4c5a-9d5e-2b8f4f1f9a3c',
  'msg_7d0f1c6e-6f0b-4c5a-9d5e-2b8f4f1f9a3c',
  'Northwind',
];
/** Examples for fields that accept any text, by a part of their name. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/email/i, 'maya@northwind.example'],
  [/zone/i, 'Europe/Stockholm'],
  [/country/i, 'Sweden'],
  [/url|site|icon|picture/i, 'https://northwind.example/'],
  [/digest|code|secret|file_?id/i, 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDQzIGxldHRlcnM'],
  [/phone|number/i, '+46 70 123 45 67'],
  [/^holders$/, '0f'.repeat(32)],
  [/(^|_)id$/i, '7'],
  [/limit/, '100'],
  [/path/i, '/7/myprofile'],
  [/application/i, 'Signwell'],
  [/^date$/, '2026-03-02'],
  [/^time$/, '09:00:00'],
  [/created_by/, 'Maya Lindqvist'],
];

const candidates = (key: string): string[] => {
  const hint = hints.find(([pattern]) => pattern.test(key))?.[1];
  return [words[key] ?? [], hint ?? [], 'Northwind', ...fallbacks].flat();
};

/** Each try replaces the words of refused fields. */
const TRIES_MAX = 20;

/** Each field gets a word that fits its name and passes its rule. Undefined if there is none, as for a file. */
export function exampleOf(schema: z.core.$ZodType, without: readonly string[] = []): unknown {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const refusals = new Map<string, number>();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const value = filled(shape, '', refusals, without);
    const result = z.safeDecode(schema, value);
    if (result.success) return value;
    // A value may break several rules of its field; it still moves on by one word.
    for (const field of new Set(refusedFields(result.error.issues)))
      refusals.set(field, (refusals.get(field) ?? 0) + 1);
  }
  return undefined;
}

/** The paths of the refused fields. In a union they are those of its first option, because only that is filled in. */
const refusedFields = (issues: readonly z.core.$ZodIssue[], at: readonly PropertyKey[] = []): string[] =>
  issues.flatMap((issue) => {
    const here = [...at, ...issue.path];
    return issue.code === 'invalid_union' && issue.errors[0]
      ? refusedFields(issue.errors[0], here)
      : here.join('.');
  });

/** A value of this shape; each refusal of a field moves it on to its next word. */
function filled(
  schema: Schema,
  at: string,
  refusals: ReadonlyMap<string, number>,
  without: readonly string[] = [],
): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[1] ?? schema.enum[0];
  if (schema.anyOf) {
    const first = schema.anyOf.find(({ type }) => type !== 'null');
    return first && filled(first, at, refusals);
  }
  if (schema.items) return [filled(schema.items, `${at && `${at}.`}0`, refusals)];
  if (schema.properties) {
    const fields = Object.entries(schema.properties).filter(([key]) => !without.includes(key));
    return Object.fromEntries(
      fields.map(([key, field]) => [key, filled(field, at ? `${at}.${key}` : key, refusals)]),
    );
  }
  const [type] = [schema.type].flat();
  if (type === undefined) return open[at.split('.').at(-1) ?? ''];
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 7);
  if (type === 'boolean') return true;
  const name = at.split('.').findLast((key) => !/^\d+$/.test(key)) ?? '';
  const choices = candidates(name);
  return choices[(refusals.get(at) ?? 0) % choices.length];
}
