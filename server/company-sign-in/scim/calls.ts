import { Refusal } from '#contract/errors.ts';
import {
  type Directory,
  listScimGroups,
  listScimUsers,
  type Page,
  type ScimGroup,
  type ScimUser,
} from './data.ts';
import { listGroupsOf } from './data-members.ts';
import { groupFilters, readFilter, userFilters } from './filters.ts';
import { changeGroup, createGroup, deleteGroup, getGroup, readMembers } from './groups.ts';
import { patchGroup, patchUser, replaceGroup, replaceUser } from './patches.ts';
import { type Projection, readProjection } from './projection.ts';
import { ScimRefusal } from './refusals.ts';
import { groupOf, listOf, PAGE_MAX, providerConfig, resourceTypes, schemas, userOf } from './resources.ts';
import { changeScimUser, createScimUser, removeScimUser, getScimUser } from './users.ts';
import type { Deps } from '#server/deps.ts';

type Query = Readonly<Record<string, string | string[] | undefined>>;
export type Call = {
  readonly directory: Directory;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: Query;
  readonly id: string;
};
export type Answer = {
  readonly status?: number;
  readonly content?: unknown;
  readonly location?: string;
  /** Of a call that was done in part. */
  readonly refused?: string;
};
type Handler = (call: Call) => Promise<Answer | Refusal>;

const PAGE_USUAL = 100;
const OFFSET_MAX = 1_000_000;
/** Of all groups on a page. A single group with more is a page of its own. */
const MEMBERS_IN_ANSWER_MAX = 10_000;
/** Of users with their groups. */
const PAGE_WITH_GROUPS_MAX = 50;

/** RFC 7644, 3.4.2.4: an index below 1 is 1, a negative count 0. */
function pageOf({ startIndex, count }: Query) {
  const number = (text: unknown, usual: number) => (/^-?\d{1,9}$/.test(String(text)) ? Number(text) : usual);
  const start = Math.min(Math.max(1, number(startIndex, 1)), OFFSET_MAX);
  return { start, offset: start - 1, limit: Math.min(Math.max(0, number(count, PAGE_USUAL)), PAGE_MAX) };
}
const filterOf = ({ filter }: Query) => (filter === undefined ? undefined : String(filter));

/** A page may have fewer groups than asked for (RFC 7644, 3.4.2.4), so that each of them has all its members. */
function groupsThatFit(groups: readonly ScimGroup[]) {
  let members = 0;
  return groups.filter(({ size }, at) => (members += size) <= MEMBERS_IN_ANSWER_MAX || at === 0);
}

const when = async <T>(
  found: Promise<T>,
  answer: (found: Exclude<T, Refusal>) => Answer | Promise<Answer>,
) => {
  const done = await found;
  return done instanceof Refusal ? done : answer(done as Exclude<T, Refusal>);
};
const nothing = (): Answer => ({});

/** The calls of the SCIM endpoint (RFC 7644), by method and path. */
export function scimCalls(deps: Deps, base: string): Readonly<Record<string, Handler>> {
  const { sql } = deps;
  const usersOf = async (rows: readonly ScimUser[], shows: Projection) => {
    const ids = rows.map(({ id }) => id);
    const groups = shows.names('groups') ? await listGroupsOf(sql, ids) : undefined;
    const named = (id: string) =>
      groups?.filter(({ userId }) => userId === id).map((one) => ({ id: one.id, name: one.displayName }));
    return rows.map((row) => shows.of(userOf(row, named(row.id), base)));
  };
  const groupsOf = async (rows: readonly ScimGroup[], shows: Projection) => {
    const members = shows.keeps('members') ? await readMembers(sql, rows) : undefined;
    const named = (id: string) => members?.get(id)?.map((one) => ({ id: one.id, name: one.userName }));
    return rows.map((row) => shows.of(groupOf(row, named(row.id), base)));
  };
  const user = (query: Query) => async (row: ScimUser) => ({
    content: (await usersOf([row], readProjection(query)))[0],
  });
  const group = (query: Query) => async (row: ScimGroup) => ({
    content: (await groupsOf([row], readProjection(query)))[0],
  });
  const made = (kind: 'Users' | 'Groups', { id }: { readonly id: string }, answer: Answer) => ({
    ...answer,
    status: 201,
    location: `${base}/${kind}/${id}`,
  });
  /** The answer to a change of a group names members that are no users. */
  const changed =
    (query: Query) =>
    async ({ group: row, refused }: { readonly group: ScimGroup; readonly refused: readonly string[] }) => {
      const { content, ...answer } = await group(query)(row);
      if (refused.length === 0) return { ...answer, content };
      const names = refused.map(shortForm);
      return {
        ...answer,
        content: { ...content, refusedMembers: names },
        refused: `The other members were changed. These are no users of this organization: ${names.slice(0, NAMED_MAX).join(', ')}`,
      };
    };
  /** RFC 7644, 4: what the endpoint is cannot be filtered. */
  const described = (query: Query, content: unknown) =>
    query['filter'] === undefined ? { content } : new ScimRefusal(403, 'This cannot be filtered.');

  return {
    'GET /ServiceProviderConfig': async ({ query }) => described(query, providerConfig(base)),
    'GET /ResourceTypes': async ({ query }) => described(query, listOf(resourceTypes(base))),
    'GET /ResourceTypes/:id': async ({ id }) => oneOf(resourceTypes(base), id),
    'GET /Schemas': async ({ query }) => described(query, listOf(schemas(base))),
    'GET /Schemas/:id': async ({ id }) => oneOf(schemas(base), id),
    'GET /Users': async ({ directory, query }) => {
      const match = readFilter(filterOf(query), userFilters);
      if (match instanceof ScimRefusal) return match;
      const shows = readProjection(query);
      const { start, ...asked } = pageOf(query);
      const most = shows.names('groups') ? PAGE_WITH_GROUPS_MAX : PAGE_MAX;
      const page: Page = { ...asked, limit: Math.min(asked.limit, most) };
      const { total, rows } = await listScimUsers(sql, directory.orgId, match, page);
      return { content: listOf(await usersOf(rows, shows), total, start) };
    },
    'POST /Users': ({ directory, query, body }) =>
      when(createScimUser(deps, directory, body), async (row) => made('Users', row, await user(query)(row))),
    'GET /Users/:id': ({ directory, query, id }) => when(getScimUser(sql, directory.orgId, id), user(query)),
    'PUT /Users/:id': ({ directory, query, id, body }) =>
      when(changeScimUser(deps, directory, id, replaceUser, body), user(query)),
    'PATCH /Users/:id': ({ directory, query, id, body }) =>
      when(changeScimUser(deps, directory, id, patchUser, body), user(query)),
    'DELETE /Users/:id': ({ directory, id }) => when(removeScimUser(deps, directory, id), nothing),
    'GET /Groups': async ({ directory, query }) => {
      const match = readFilter(filterOf(query), groupFilters);
      if (match instanceof ScimRefusal) return match;
      const { start, ...page } = pageOf(query);
      const { total, rows } = await listScimGroups(sql, directory.orgId, match, page);
      const shows = readProjection(query);
      const groups = await groupsOf(shows.keeps('members') ? groupsThatFit(rows) : rows, shows);
      return { content: listOf(groups, total, start) };
    },
    'POST /Groups': ({ directory, query, body }) =>
      when(createGroup(deps, directory, body), async (done) =>
        made('Groups', done.group, await changed(query)(done)),
      ),
    'GET /Groups/:id': ({ directory, id, query }) => when(getGroup(sql, directory.orgId, id), group(query)),
    'PUT /Groups/:id': ({ directory, id, query, body }) =>
      when(changeGroup(deps, directory, id, replaceGroup, body), changed(query)),
    // Entra expects no content, and a group may be large.
    'PATCH /Groups/:id': ({ directory, id, query, body }) =>
      when(changeGroup(deps, directory, id, patchGroup, body), (done) =>
        done.refused.length === 0 ? {} : changed({ excludedAttributes: 'members', ...query })(done),
      ),
    'DELETE /Groups/:id': ({ directory, id }) => when(deleteGroup(deps, directory, id), nothing),
  };
}

const NAMED_MAX = 10;
/** The database stores neither NUL nor half a character. */
const shortForm = (text: string) => text.slice(0, 64).replaceAll('\0', '').toWellFormed();

const oneOf = (list: readonly { readonly id: string }[], id: string) => {
  const content = list.find((one) => one.id === id);
  return content ? { content } : new ScimRefusal(404, 'There is no such resource.');
};
