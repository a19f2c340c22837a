import { badPath, fieldOf, type Path, readPath } from '#server/company-sign-in/scim/filters.ts';
import { invalid, ScimRefusal } from '#server/company-sign-in/scim/refusals.ts';

// One table names the fields that a directory may change. All else is accepted and dropped: passwords, roles, other
// schemas.

/** Texts are empty if the directory never sent them. */
export type UserFields = {
  readonly userName: string;
  readonly externalId: string;
  readonly active: boolean;
  readonly givenName: string;
  readonly familyName: string;
  readonly displayName: string;
  readonly title: string;
  readonly email: string;
};
export type GroupFields = {
  readonly displayName: string;
  readonly externalId: string;
  /** Ids of users. */
  readonly members: ReadonlySet<string>;
};

const userPaths = new Map<string, keyof UserFields>([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['active', 'active'],
  ['name.givenname', 'givenName'],
  ['name.familyname', 'familyName'],
  ['displayname', 'displayName'],
  ['title', 'title'],
  ['emails', 'email'],
  ['emails.value', 'email'],
]);
const groupPaths = new Map<string, keyof GroupFields>([
  ['displayname', 'displayName'],
  ['externalid', 'externalId'],
  ['members', 'members'],
]);

const TEXT_MAX = 500;
type Body = Readonly<Record<string, unknown>>;
type Kind = 'add' | 'replace' | 'remove';
type Change = { readonly kind: Kind; readonly path: Path; readonly value: unknown };

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueError = (name: string) => invalid('invalidValue', `The value of ${name} has a wrong type.`);

/** Entra also sends a single value in a list: `[{"value": "x"}]`. */
const single = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) ? value[0]['value'] : value;

function textOf(given: unknown): string | undefined {
  const value = single(given) ?? '';
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // PostgreSQL stores no NUL, and names reach mails.
  const text = String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return text.length <= TEXT_MAX ? text : undefined;
}

/** Entra sends the texts "True" and "False". */
function flagOf(given: unknown): boolean | undefined {
  const value = single(given);
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  return text === true || text === 'true' ? true : text === false || text === 'false' ? false : undefined;
}

/** The primary address, else that of work, else the first. */
function addressIn(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(isObject(value) ? value['value'] : value);
  const list = value.filter(isObject);
  const chosen = list.find(({ primary }) => flagOf(primary)) ?? list.find(({ type }) => type === 'work');
  return textOf((chosen ?? list[0])?.['value']);
}

/** The changes that a value without a path stands for. Its keys may have dots and URNs. */
function changesIn(kind: Kind, value: Body): Change[] | ScimRefusal {
  const found: Change[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const path = readPath(key);
    if (path instanceof ScimRefusal) return path;
    if (path) found.push(...spread({ kind, path, value: inner }));
  }
  return found;
}

/** The only attribute with parts that are kept. */
const spread = ({ kind, path, value }: Change): Change[] =>
  path.name === 'name' && path.part === undefined && isObject(value)
    ? Object.entries(value).map(([part, inner]) => ({
        kind,
        path: { name: 'name', part: part.toLowerCase() },
        value: inner,
      }))
    : [{ kind, path, value }];

function changesOf(body: Body): Change[] | ScimRefusal {
  const operations = body['Operations'] ?? body['operations'];
  if (!Array.isArray(operations)) return invalid('invalidSyntax', 'Operations is missing.');
  const found: Change[] = [];
  for (const operation of operations as unknown[]) {
    const { op, path: text, value } = isObject(operation) ? operation : {};
    const kind = (['add', 'replace', 'remove'] as const).find((one) => one === String(op).toLowerCase());
    if (!kind) return invalid('invalidSyntax', 'An operation is add, replace or remove.');
    const changes = changesAt(kind, text ?? undefined, value);
    if (changes instanceof ScimRefusal) return changes;
    found.push(...changes);
  }
  return found;
}
function changesAt(kind: Kind, text: unknown, value: unknown) {
  if (text === undefined) {
    if (kind === 'remove') return invalid('noTarget', 'A removal needs a path.');
    return isObject(value)
      ? changesIn(kind, value)
      : invalid('invalidValue', 'Without a path the value is an object.');
  }
  const path = typeof text === 'string' ? readPath(text) : undefined;
  if (!path) return badPath(typeof text === 'string' ? text : JSON.stringify(text));
  return path instanceof ScimRefusal ? path : spread({ kind, path, value });
}

/** The fields after all changes. One of them names the resource, so it is never empty. */
function changeFields<F extends object>(
  before: F,
  changes: Change[] | ScimRefusal,
  paths: ReadonlyMap<string, keyof F & string>,
  name: keyof F & string,
): F | ScimRefusal {
  if (changes instanceof ScimRefusal) return changes;
  const fields = { ...before };
  for (const change of changes) {
    const field = fieldOf(change.path, paths);
    if (field === undefined) continue;
    const value = valueAfter(change, field, fields[field]);
    if (value === undefined || (field === name && value === '')) return valueError(field);
    Object.assign(fields, { [field]: value });
  }
  return fields[name] === '' ? invalid('invalidValue', `${name} is missing.`) : fields;
}

/** Undefined if the given value has a wrong type. A missing or removed `active` changes nothing. */
function valueAfter(change: Change, field: string, before: unknown) {
  const { kind, value } = change;
  const given = kind === 'remove' ? '' : value;
  if (field === 'members') return membersAfter(change, before as ReadonlySet<string>);
  if (field === 'active') return kind === 'remove' || value === null ? before : flagOf(value);
  return field === 'email' ? addressIn(given) : textOf(given);
}

/** The ids in a list of members, or of one. */
function idsIn(value: unknown): string[] | undefined {
  const ids = (Array.isArray(value) ? (value as unknown[]) : [value ?? []].flat()).map((one) =>
    isObject(one) ? one['value'] : one,
  );
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

function membersAfter({ kind, path, value }: Change, before: ReadonlySet<string>) {
  if (path.where && (path.where.name !== 'value' || kind !== 'remove')) return undefined;
  const ids = path.where ? [path.where.value] : idsIn(value);
  // Entra's default names the members to remove in the value; without one all go.
  const isFresh = kind === 'replace' || (kind === 'remove' && value === undefined && !path.where);
  const members = new Set(isFresh ? [] : before);
  for (const id of ids ?? []) members[kind === 'remove' ? 'delete' : 'add'](id);
  return ids && members;
}

/** POST and PUT. Fields that they leave out stay as they are. */
export const replaceUser = (before: UserFields, body: Body) =>
  changeFields(before, changesIn('replace', body), userPaths, 'userName');
export const patchUser = (before: UserFields, body: Body) =>
  changeFields(before, changesOf(body), userPaths, 'userName');
export const replaceGroup = (before: GroupFields, body: Body) =>
  changeFields(before, changesIn('replace', body), groupPaths, 'displayName');
export const patchGroup = (before: GroupFields, body: Body) =>
  changeFields(before, changesOf(body), groupPaths, 'displayName');

export const newUser: UserFields = {
  userName: '',
  externalId: '',
  active: true,
  givenName: '',
  familyName: '',
  displayName: '',
  title: '',
  email: '',
};
export const newGroup: GroupFields = { displayName: '', externalId: '', members: new Set() };
