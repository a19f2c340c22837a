import { canonicalEmail } from '#server/accounts/rules.ts';
import { listTexts, userTexts } from './data-attributes.ts';
import type { Match } from './data.ts';
import { invalid, ScimRefusal } from './refusals.ts';

// Names are in lower case, because they are not case-sensitive (RFC 7643, 2.1).

export type Condition = { readonly name: string; readonly operator: string; readonly value: string };
/** `emails[type eq "work"].value` has the name `emails`, the condition `type` and the part `value`. */
export type Path = {
  readonly name: string;
  /** Conditions that `and` joins, or something else in brackets. */
  readonly where?: readonly Condition[] | 'unreadable';
  readonly part?: string;
};

const LENGTH_MAX = 1000;
const CONDITIONS_MAX = 5;
const PATH = /^(?:(urn:[\w.:-]+):)?([a-z_$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z_$][\w$-]*))?$/is;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)$/i;
/** An attribute with its brackets, an operator, and a value in quotes or without. */
const COMPARISON =
  /\s*((?:[^\s"[\]]|\[[^\]]*\])+)\s+(eq|ne|co|sw|ew|gt|ge|lt|le)\s+("(?:[^"\\]|\\.)*"|[^\s()"]+)\s*/iy;
const AND = /and\s+/iy;
const PROTOTYPE = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a path or key is the core schema itself, whose value is the whole user or group. */
export const isWhole = (text: string) => CORE.test(text);

/** Undefined if it names nothing of a user or group. An attribute of another schema is called by its whole URN. */
export function readPath(text: string): Path | ScimRefusal | undefined {
  const [, urn, name = '', inBrackets, part] = (text.length <= LENGTH_MAX && PATH.exec(text)) || [];
  if (text.split(/[.[\]\s:]/).some((word) => PROTOTYPE.has(word))) return badPath(text);
  if (name === '') return undefined;
  const where = inBrackets === undefined ? undefined : (comparisonsOf(inBrackets) ?? 'unreadable');
  return {
    name: (urn === undefined || CORE.test(urn) ? name : `${urn}:${name}`).toLowerCase(),
    ...(where !== undefined && { where }),
    ...(part !== undefined && { part: part.toLowerCase() }),
  };
}
export const badPath = (text: string) => invalid('invalidPath', `No attribute has the path ${quote(text)}.`);
const quote = (text: string) => JSON.stringify(text.slice(0, 100));

/** The comparisons that `and` joins. Undefined for anything else. */
function comparisonsOf(text: string): Condition[] | undefined {
  const found: Condition[] = [];
  for (let at = 0; ; at = AND.lastIndex) {
    COMPARISON.lastIndex = at;
    const [, name = '', operator = '', value = ''] = COMPARISON.exec(text) ?? [];
    const read = value.startsWith('"') ? readJson(value) : value;
    if (name === '' || read === undefined) return undefined;
    found.push({ name, operator: operator.toLowerCase(), value: read });
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

/** Which of a person's addresses conditions mean: the one that is kept, another one, or none that anybody knows. */
export function addressMeant(where: Path['where'], kept?: string): 'kept' | 'another' | 'none' | undefined {
  if (where === 'unreadable' || where?.some(({ operator }) => operator !== 'eq')) return undefined;
  const meant = (where ?? []).map(({ name, value }) => {
    const wanted = { type: 'work', primary: 'true' }[name.toLowerCase()];
    if (wanted !== undefined) return value.toLowerCase() === wanted ? 'kept' : 'another';
    const isKept = name.toLowerCase() === 'value' && kept !== undefined;
    return isKept && addressKey(value) === addressKey(kept) ? 'kept' : 'none';
  });
  return meant.find((one) => one === 'another') ?? meant.find((one) => one === 'none') ?? 'kept';
}

/** The field that a path means, by a table of names like `name.givenname`. */
export const fieldOf = <F>({ name, part }: Path, table: ReadonlyMap<string, F>): F | undefined =>
  table.get(part === undefined ? name : `${name}.${part}`);

/** Ids of users and groups. */
export const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
const NOBODY = '00000000-0000-0000-0000-000000000000';

const times = [
  ['meta.created', 'created_at'],
  ['meta.lastmodified', 'changed_at'],
] as const;
/** The columns that a filter may name. Entra asks for the manager, too, whom nobody has here. */
export const userFilters = new Map([
  ...listTexts().map(([field, { path }]) => [path.toLowerCase(), userTexts[field].column] as const),
  ['emails.value', 'email_key'],
  ['emails', 'email_key'],
  ['id', 'id'],
  ['active', 'is_active'],
  ['manager', 'manager'],
  ...times,
] as const);
export const groupFilters = new Map([
  ['displayname', 'display_name'],
  ['externalid', 'external_id'],
  ['id', 'id'],
  ['members', 'member'],
  ['members.value', 'member'],
  ...times,
] as const);

const SIGNS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;
const isTime = (column: string) => times.some(([, one]) => one === column);

/** A value in the spelling of its column. Undefined if no row can have it. */
function keyOf(column: string, value: string): string | boolean | Date | undefined {
  if (column === 'is_active') return { true: true, false: false }[value.toLowerCase()];
  if (isTime(column)) return Number.isNaN(Date.parse(value)) ? undefined : new Date(value);
  if (column === 'id' || column === 'member') return isId(value) ? value : NOBODY;
  // PostgreSQL knows no NUL.
  if (value.includes('\0')) return undefined;
  return column === 'email_key' ? addressKey(value) : value;
}
/** An address in the spelling of accounts. Directories also send other texts. */
export const addressKey = (text: string) => canonicalEmail(text) ?? text.toLowerCase();

export function readFilter<C extends string>(
  text: string | undefined,
  table: ReadonlyMap<string, C>,
): Match<C> | ScimRefusal {
  if (text === undefined) return [];
  const refusal = invalid(
    'invalidFilter',
    `Use "eq" and "and" with ${[...table.keys()].join(', ')}, and "gt", "ge", "lt" and "le" with times.`,
  );
  const comparisons = text.length <= LENGTH_MAX ? comparisonsOf(text) : undefined;
  if (!comparisons || comparisons.length > CONDITIONS_MAX) return refusal;
  const match: Match<C>[number][] = [];
  for (const { name, operator, value } of comparisons) {
    const path = readPath(name);
    if (path === undefined || path instanceof ScimRefusal) return refusal;
    if (path.where && (path.name !== 'emails' || addressMeant(path.where) !== 'kept')) return refusal;
    const column = fieldOf(path, table);
    const sign = operator === 'eq' || (column && isTime(column)) ? SIGNS[operator as 'eq'] : undefined;
    const key = column && keyOf(column, value);
    if (column === undefined || sign === undefined || key === undefined) return refusal;
    match.push({ column, sign, key });
  }
  return match;
}
