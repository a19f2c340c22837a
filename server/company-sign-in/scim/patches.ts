// Reads what company directories send about users and groups, with the habits of each maker, and turns it into plain fields.
import { listTexts, type UserTexts } from './data-attributes.ts';
import { addressKey, addressMeant, badPath, fieldOf, isWhole, type Path, readPath } from './filters.ts';
import { invalid, ScimRefusal } from './refusals.ts';

/** Texts are empty if the directory never sent them. */
export type UserFields = UserTexts & { readonly active: boolean; readonly email: string };
/** Ids of users and whether each is in. A fresh list replaces the members that it does not name. */
export type MembersEdit = { readonly isFresh: boolean; readonly ids: ReadonlyMap<string, boolean> };
export type GroupFields = {
  readonly displayName: string;
  readonly externalId: string;
  readonly members: MembersEdit;
};

const userPaths = new Map<string, keyof UserFields>([
  ...listTexts().map(([field, { path }]) => [path.toLowerCase(), field] as const),
  ['active', 'active'],
  ['emails', 'email'],
  ['emails.value', 'email'],
]);
const groupPaths = new Map<string, keyof GroupFields>([
  ['displayname', 'displayName'],
  ['externalid', 'externalId'],
  ['members', 'members'],
  ['members.value', 'members'],
]);

const TEXT_MAX = 500;
type Body = Readonly<Record<string, unknown>>;
type Kind = 'add' | 'replace' | 'remove';
type Change = { readonly kind: Kind; readonly path: Path; readonly value: unknown };
/** Whether the organization has proven the domain of an address. */
export type IsProven = (address: string) => boolean;

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Names are not case-sensitive. */
const partOf = (value: Body, name: string): unknown =>
  Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];

const valueError = (name: string) => invalid('invalidValue', `The value of ${name} has a wrong type.`);

/** Entra also sends a single value in a list: `[{"value": "x"}]`. */
const single = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && isObject(value[0]) ? partOf(value[0], 'value') : value;

function textOf(given: unknown, isCut = false): string | undefined {
  const value = single(given) ?? '';
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  // PostgreSQL stores no NUL, and names reach mails.
  const text = String(value)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  if (text.length <= TEXT_MAX) return text;
  return isCut ? Array.from(text).slice(0, TEXT_MAX).join('').trim() : undefined;
}

/** Entra sends the texts "True" and "False". */
function flagOf(given: unknown): boolean | undefined {
  const value = single(given);
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  return text === true || text === 'true' ? true : text === false || text === 'false' ? false : undefined;
}

type Address = { readonly text: string; readonly isPrimary: boolean; readonly isOfWork: boolean };
/** Undefined if one has a wrong type. */
function addressesIn(given: unknown): Address[] | undefined {
  const found = (Array.isArray(given) ? (given as unknown[]) : [given]).map((one) => {
    const parts = isObject(one) ? one : { value: one };
    const text = textOf(partOf(parts, 'value'));
    const [isPrimary, type] = [flagOf(partOf(parts, 'primary')) === true, partOf(parts, 'type')];
    return (
      text !== undefined && { text, isPrimary, isOfWork: typeof type === 'string' && /^work$/i.test(type) }
    );
  });
  return found.includes(false) ? undefined : (found as Address[]).filter(({ text }) => text !== '');
}

/** A proven address before others, then the primary one, then that of work, then the first. */
function chosenOf(addresses: readonly Address[], isProven: IsProven): string {
  const rank = ({ text, isPrimary, isOfWork }: Address) =>
    (isProven(addressKey(text)) ? 4 : 0) + (isPrimary ? 2 : 0) + (isOfWork ? 1 : 0);
  const ranked = addresses.map((one) => ({ ...one, rank: rank(one) }));
  return ranked.toSorted((one, other) => other.rank - one.rank)[0]?.text ?? '';
}

/** One address is kept; the others of a person are dropped. An added one takes its place only as the primary one. */
function addressAfter({ kind, path, value }: Change, before: string, isProven: IsProven) {
  const meant = addressMeant(path.where, before);
  if (meant === undefined) return badPath('emails[…]');
  if (meant === 'another') return before;
  if (meant === 'none')
    return kind === 'remove' ? before : invalid('noTarget', 'No address of the user meets the condition.');
  const given = addressesIn(value ?? []);
  if (given === undefined) return valueError('emails');
  if (kind === 'remove') {
    const isOther = given.length > 0 && !given.some(({ text }) => addressKey(text) === addressKey(before));
    return isOther ? before : '';
  }
  if (path.where || kind === 'replace') return chosenOf(given, isProven);
  const isMoved = given.some(({ isPrimary }) => isPrimary);
  const kept = before === '' ? [] : [{ text: before, isPrimary: !isMoved, isOfWork: true }];
  return chosenOf([...kept, ...given], isProven);
}

/** The changes that a value without a path stands for. Its keys may have dots and URNs. */
function changesIn(kind: Kind, value: Body): Change[] | ScimRefusal {
  const found: Change[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const path = readPath(key);
    if (path instanceof ScimRefusal) return path;
    const changes = isWhole(key) && isObject(inner) ? changesIn(kind, inner) : undefined;
    if (changes instanceof ScimRefusal) return changes;
    if (path) found.push(...(changes ?? spread({ kind, path, value: inner })));
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
  const operations = partOf(body, 'operations');
  if (!Array.isArray(operations)) return invalid('invalidSyntax', 'Operations is missing.');
  const found: Change[] = [];
  for (const one of operations as unknown[]) {
    const operation = isObject(one) ? one : {};
    const op = String(partOf(operation, 'op')).toLowerCase();
    const kind = (['add', 'replace', 'remove'] as const).find((known) => known === op);
    if (!kind) return invalid('invalidSyntax', 'An operation is add, replace or remove.');
    const changes = changesAt(kind, partOf(operation, 'path') ?? undefined, partOf(operation, 'value'));
    if (changes instanceof ScimRefusal) return changes;
    found.push(...changes);
  }
  return found;
}
function changesAt(kind: Kind, text: unknown, value: unknown) {
  if (text === undefined || (typeof text === 'string' && isWhole(text))) {
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
  isProven: IsProven,
): F | ScimRefusal {
  if (changes instanceof ScimRefusal) return changes;
  const fields = { ...before };
  for (const change of changes) {
    const field = fieldOf(change.path, paths);
    const hasValues = field === 'email' || field === 'members';
    // An attribute that we do not keep is dropped, whatever its filter says.
    if (field === undefined || (change.path.where && !hasValues)) continue;
    const value = valueAfter(change, field, fields[field], isProven);
    if (value instanceof ScimRefusal) return value;
    if (value === undefined || (field === name && value === '')) return valueError(field);
    Object.assign(fields, { [field]: value });
  }
  return fields[name] === '' ? invalid('invalidValue', `${name} is missing.`) : fields;
}

/** Undefined if the given value has a wrong type. A missing or removed `active` changes nothing. */
function valueAfter(change: Change, field: string, before: unknown, isProven: IsProven) {
  const { kind, value } = change;
  if (field === 'members') return membersAfter(change, before as MembersEdit);
  if (field === 'active') return kind === 'remove' || value === null ? before : flagOf(value);
  if (field === 'email') return addressAfter(change, before as string, isProven);
  const isCut = listTexts().some(([name, text]) => name === field && text.isCut);
  return textOf(kind === 'remove' ? '' : value, isCut);
}

/** The ids in a list of members, or of one. */
function idsIn(value: unknown): string[] | undefined {
  const ids = (Array.isArray(value) ? (value as unknown[]) : [value ?? []].flat()).map((one) =>
    isObject(one) ? partOf(one, 'value') : one,
  );
  return ids.every((id) => typeof id === 'string') ? ids : undefined;
}

/** The id that conditions like `value eq "…" and type eq "User"` name. */
function idMeant(where: Path['where']): string | undefined {
  if (where === 'unreadable' || where?.some(({ operator }) => operator !== 'eq')) return undefined;
  const others = where?.filter(({ name }) => name.toLowerCase() !== 'value') ?? [];
  const isOfUsers = others.every(({ name, value }) => /^type$/i.test(name) && /^user$/i.test(value));
  return isOfUsers ? where?.find(({ name }) => name.toLowerCase() === 'value')?.value : undefined;
}

function membersAfter({ kind, path, value }: Change, before: MembersEdit) {
  const named = path.where && idMeant(path.where);
  if (path.where && (named === undefined || kind !== 'remove')) return undefined;
  const ids = named === undefined ? idsIn(value) : [named];
  // Entra's default names the members to remove in the value; without one all go.
  const isFresh = kind === 'replace' || (kind === 'remove' && value === undefined && !path.where);
  // One map for all operations of a call, because copies of it would grow with their square.
  const edits = before === noEdit ? new Map<string, boolean>() : (before.ids as Map<string, boolean>);
  if (isFresh) edits.clear();
  for (const id of ids ?? []) edits.set(id, kind !== 'remove');
  return ids && { isFresh: isFresh || before.isFresh, ids: edits };
}

const none: IsProven = () => false;
/** POST and PUT. They name the resource; other fields that they leave out stay as they are. */
export const replaceUser = (before: UserFields, body: Body, isProven: IsProven) =>
  changeFields({ ...before, userName: '' }, changesIn('replace', body), userPaths, 'userName', isProven);
export const patchUser = (before: UserFields, body: Body, isProven: IsProven) =>
  changeFields(before, changesOf(body), userPaths, 'userName', isProven);
export const replaceGroup = (before: GroupFields, body: Body) =>
  changeFields({ ...before, displayName: '' }, changesIn('replace', body), groupPaths, 'displayName', none);
export const patchGroup = (before: GroupFields, body: Body) =>
  changeFields(before, changesOf(body), groupPaths, 'displayName', none);

export const newUser: UserFields = {
  userName: '',
  externalId: '',
  active: true,
  formattedName: '',
  givenName: '',
  familyName: '',
  displayName: '',
  title: '',
  email: '',
};
export const noEdit: MembersEdit = { isFresh: false, ids: new Map() };
export const newGroup: GroupFields = { displayName: '', externalId: '', members: noEdit };
