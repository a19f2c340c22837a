import { readPath } from './filters.ts';
import { ScimRefusal } from './refusals.ts';

type Resource = Readonly<Record<string, unknown>>;
/** The parameters `attributes` and `excludedAttributes` leave this of an answer (RFC 7644, 3.9). */
export type Projection = {
  /** Whether an attribute may be in the answer; whether it was asked for by its name. */
  readonly keeps: (name: string) => boolean;
  readonly names: (name: string) => boolean;
  readonly of: (resource: Resource) => Resource;
};

/** Always in an answer (RFC 7643, 7). */
const ALWAYS = new Set(['id', 'schemas']);

/** Attributes by name, with the parts that were named; without parts the whole is meant. */
function readList(text: unknown) {
  if (typeof text !== 'string' || text === '') return undefined;
  const found = new Map<string, string[]>();
  for (const one of text.split(',')) {
    const path = readPath(one.trim());
    if (path === undefined || path instanceof ScimRefusal) continue;
    const parts = found.get(path.name);
    const isWhole = path.part === undefined || parts?.length === 0;
    found.set(path.name, isWhole ? [] : [...(parts ?? []), path.part ?? '']);
  }
  return found;
}

const pick = (value: unknown, has: (part: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => pick(one, has));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => has(part.toLowerCase())));
};

export function readProjection(query: Readonly<Record<string, unknown>>): Projection {
  const only = readList(query['attributes']);
  const without = only ? undefined : readList(query['excludedAttributes']);
  const listed = (name: string) => (only ?? without)?.get(name.toLowerCase());
  const keeps = (name: string) => {
    if (ALWAYS.has(name)) return true;
    return only ? listed(name) !== undefined : listed(name)?.length !== 0;
  };
  const partsOf = (name: string, value: unknown) => {
    const parts = ALWAYS.has(name) ? [] : (listed(name) ?? []);
    return parts.length === 0 ? value : pick(value, (part) => parts.includes(part) === (only !== undefined));
  };
  return {
    keeps,
    names: (name) => only?.has(name) === true,
    of: (resource) =>
      Object.fromEntries(
        Object.entries(resource)
          .filter(([name]) => keeps(name))
          .map(([name, value]) => [name, partsOf(name, value)]),
      ),
  };
}
