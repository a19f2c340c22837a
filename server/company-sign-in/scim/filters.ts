import { canonicalEmail } from '#server/accounts/rules.ts';
import type { Match } from '#server/company-sign-in/scim/data.ts';
import { invalid, ScimRefusal } from '#server/company-sign-in/scim/refusals.ts';

// Directories know `eq` and `and`. Names are in lower case, because they are not case-sensitive (RFC 7643, 2.1).

type Condition = { readonly name: string; readonly value: string };
/** `emails[type eq "work"].value` has the name `emails`, the condition `type` and the part `value`. */
export type Path = { readonly name: string; readonly where?: Condition; readonly part?: string };

const LENGTH_MAX = 1000;
const PATH = /^(?:(urn:[\w.:-]+):)?([a-z_$][\w$-]*)(?:\[([^[\]]*)\])?(?:\.([a-z_$][\w$-]*))?$/i;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)$/i;
/** An attribute with its brackets, `eq`, and a value in quotes or without. */
const COMPARISON = /\s*((?:[^\s"[\]]|\[[^\]]*\])+)\s+eq\s+("(?:[^"\\]|\\.)*"|[^\s()"]+)\s*/iy;
const AND = /and\s+/iy;
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype']);

/** Undefined if it names nothing of a user or group. An attribute of another schema is called by its whole URN. */
export function readPath(text: string): Path | ScimRefusal | undefined {
  const [, urn, name = '', inBrackets, part] = (text.length <= LENGTH_MAX && PATH.exec(text)) || [];
  if (text.split(/[.[\]\s:]/).some((word) => PROTOTYPE.has(word))) return badPath(text);
  if (name === '') return undefined;
  const conditions = inBrackets === undefined ? [] : comparisonsOf(inBrackets);
  if (!conditions || conditions.length > 1) return undefined;
  const [condition] = conditions;
  return {
    name: (urn === undefined || CORE.test(urn) ? name : `${urn}:${name}`).toLowerCase(),
    ...(condition && { where: { ...condition, name: condition.name.toLowerCase() } }),
    ...(part !== undefined && { part: part.toLowerCase() }),
  };
}
export const badPath = (text: string) => invalid('invalidPath', `No attribute has the path ${quoted(text)}.`);
const quoted = (text: string) => JSON.stringify(text.slice(0, 100));

/** The comparisons that `and` joins. Undefined for anything else. */
function comparisonsOf(text: string): Condition[] | undefined {
  const found: Condition[] = [];
  for (let at = 0; ; at = AND.lastIndex) {
    COMPARISON.lastIndex = at;
    const [, name = '', value = ''] = COMPARISON.exec(text) ?? [];
    const read = value.startsWith('"') ? readJson(value) : value;
    if (name === '' || read === undefined) return undefined;
    found.push({ name, value: read });
    AND.lastIndex = COMPARISON.lastIndex;
    if (AND.lastIndex === text.length) return found;
    if (!AND.test(text)) return undefined;
  }
}

function readJson(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Whether a path means the one address that a person has here. */
const isWorkAddress = ({ name, where }: Path) =>
  name === 'emails' && (where?.name === 'type' ? where.value === 'work' : isPrimary(where));
const isPrimary = (where: Condition | undefined) =>
  where?.name === 'primary' && where.value.toLowerCase() === 'true';

/** The field that a path means, by a table of names like `name.givenname`. */
export function fieldOf<F extends string>(path: Path, table: ReadonlyMap<string, F>): F | undefined {
  if (path.where && path.name !== 'members' && !isWorkAddress(path)) return undefined;
  return table.get(path.part === undefined ? path.name : `${path.name}.${path.part}`);
}

/** Ids of users and groups. */
export const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The columns that a filter may name. Entra asks for the manager, too, whom nobody has here. */
export const userFilters = new Map([
  ['username', 'user_name_key'],
  ['externalid', 'external_id'],
  ['emails.value', 'email_key'],
  ['emails', 'email_key'],
  ['id', 'id'],
  ['manager', 'manager'],
] as const);
export const groupFilters = new Map([
  ['displayname', 'name_key'],
  ['externalid', 'external_id'],
  ['id', 'id'],
  ['members', 'member'],
] as const);

/** A value in the spelling of its column. */
function keyOf(column: string, value: string) {
  if (column === 'id' || column === 'member') return isId(value) ? value : NOBODY;
  return column === 'email_key' ? addressKey(value) : value;
}
/** An address in the spelling of accounts. Directories also send other texts. */
export const addressKey = (text: string) => canonicalEmail(text) ?? text.toLowerCase();

export function readFilter<C extends string>(
  text: string | undefined,
  table: ReadonlyMap<string, C>,
): Match<C> | ScimRefusal {
  if (text === undefined) return [];
  const refusal = invalid('invalidFilter', `Use "eq" and "and" with ${[...table.keys()].join(', ')}.`);
  const comparisons = text.length <= LENGTH_MAX ? comparisonsOf(text) : undefined;
  if (!comparisons) return refusal;
  const match: [C, string][] = [];
  for (const { name, value } of comparisons) {
    const path = readPath(name);
    if (path === undefined || path instanceof ScimRefusal || (path.where && path.name === 'members'))
      return refusal;
    const column = fieldOf(path, table);
    // PostgreSQL knows no NUL.
    if (column === undefined || value.includes('\0')) return refusal;
    match.push([column, keyOf(column, value)]);
  }
  return match;
}
