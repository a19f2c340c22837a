// The queries behind the list of members: they find, filter and sort a page quickly in organizations of any size.
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { MEMBER_STATUS, type MemberSort, type MemberStatus } from '#contract/members/calls.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Cursor } from './rules.ts';
import { hasAddressOf, isLinkedTo, isReadyFor } from '#server/access/data.ts';

export type Filter = {
  readonly search?: string | undefined;
  /** The search with its domain in ASCII, as addresses are stored. */
  readonly inAscii?: string | undefined;
  readonly status?: MemberStatus | undefined;
  readonly roleId?: RoleId | undefined;
  /** Active members who do not meet this second-step rule. */
  readonly lacksStep?: 'any' | 'strong' | undefined;
  /** Active members whom the company's provider does not know: all, or those with an address of a proven domain. */
  readonly unlinked?: 'addresses' | 'everybody' | undefined;
};
export type Page = {
  /** In the order of joining if omitted. */
  readonly sort?: MemberSort | undefined;
  readonly descending: boolean;
  readonly after?: Cursor | undefined;
  readonly limit: number;
};

type Members<Shown> = SelectQueryBuilder<Tables, 'memberships', Shown>;

const lacks = (rule: 'any' | 'strong') => sql<boolean>`exists (
  select from users where users.id = memberships.user_id and not ${isReadyFor(rule)})`;

const member = sql.ref<UserId>('memberships.user_id');
const isUnlinked = (rule: 'addresses' | 'everybody') => sql<boolean>`exists (select from organizations
  where organizations.id = memberships.org_id and not ${isLinkedTo(member)}
    and (${rule}::text = 'everybody' or ${hasAddressOf(member)}))`;

/** The members that match a filter. Every filter but `lacksStep` and `unlinked` is a range of one index. */
const matching = <Shown>(
  members: Members<Shown>,
  orgId: OrgId,
  { status, roleId, lacksStep, unlinked }: Filter,
) =>
  members
    .where('memberships.org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('memberships.status', '=', status as MemberStatus))
    .$if(roleId !== undefined, (query) => query.where('memberships.role_id', '=', roleId as RoleId))
    .$if(lacksStep !== undefined, (query) =>
      query.where('memberships.status', '=', MEMBER_STATUS.active).where(lacks(lacksStep ?? 'any')),
    )
    .$if(unlinked !== undefined, (query) =>
      query.where('memberships.status', '=', MEMBER_STATUS.active).where(isUnlinked(unlinked ?? 'everybody')),
    );

/** Up to so many matches are sorted. If there are more, the list is read in its order until a page is full. */
const FEW = 10_000;

type Search = { readonly orgId: OrgId; readonly search: string; readonly inAscii: string };
const query = ({ orgId, search, inAscii }: Search) =>
  sql`(member_query(${orgId}, ${search}) || member_query(${orgId}, ${inAscii}))`;

/** The matches of a search in the index of words. One more than FEW shows that there are many. */
const hits = (database: Db, search: Search) =>
  database
    .selectFrom('member_search')
    .select('member_id')
    .where(sql<boolean>`words @@ ${query(search)}`)
    .limit(FEW + 1);

const AMONG_FEW = sql<boolean>`memberships.id = any(array(select member_id from hits))`;

/** The planner cannot turn this into a join and assumes every second match, so it reads the list in its order. */
const amongMany = (search: Search) => sql<boolean>`coalesce((
  select words from member_search where member_id = memberships.id) @@ ${query(search)}, false)`;

const matches = (search: Search) => sql<boolean>`exists (
  select from member_search where member_id = memberships.id and words @@ ${query(search)})`;

const countMatches = (search: Search) =>
  sql`(select count(*) from member_search where words @@ ${query(search)})`;

/** Everything that shapes the SQL text of a query: which filters are set, and the order of the page. */
export type Form = Pick<Page, 'sort' | 'descending'> & {
  readonly filtered: readonly (keyof Filter)[];
  readonly isDeep: boolean;
};
export const partsOf = (filter: Filter) =>
  (['search', 'inAscii', 'status', 'roleId', 'lacksStep', 'unlinked'] as const).filter((part) =>
    Boolean(filter[part]),
  );
export const pick = (filter: Filter, parts: readonly (keyof Filter)[]): Filter =>
  Object.fromEntries(parts.map((part) => [part, filter[part]]));

const countOf = <From extends 'memberships' | 'roles'>(members: SelectQueryBuilder<Tables, From, object>) =>
  members
    .select((row) => row.fn.countAll<number>().as('count'))
    .$asScalar()
    .$notNull();

/** The number of members with a role and a status, added up from the counts that triggers keep. */
const addUp = (database: Db, orgId: OrgId, { status, roleId }: Filter) =>
  database
    .selectFrom('member_counts')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('members'), row.lit(0)).as('count'))
    .where('org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as MemberStatus))
    .$if(roleId !== undefined, (query) => query.where('role_id', '=', roleId as RoleId))
    .$asScalar()
    .$notNull();

/** One page in its order, each member with its sort key. A page far down costs as much as the first one. */
const listPage = (database: Db, matched: Members<object>, orgId: OrgId, filter: Filter, page: Page) => {
  if (page.sort === 'role') return pageByRole(database, matched, orgId, page);
  // Holders of one role may be the last of all members by id. The role's index has them in order.
  return pageByColumn(matched, filter.roleId === undefined ? ID : ID_OF_ROLE, page);
};

const columns = {
  name: sql.ref('memberships.name_key'),
  email: sql.ref('memberships.email_key'),
  status: sql.ref('memberships.status'),
  role: sql`(select role.name_key from roles as role where role.id = memberships.role_id)`,
};
const directionOf = ({ descending }: Page) => (descending ? 'desc' : 'asc');
const beyond = ({ descending }: Page) => sql.raw(descending ? '<' : '>');

const ID = sql.ref<number>('memberships.id');
/** The expression that memberships_role_idx contains. */
const ID_OF_ROLE = sql<number>`(memberships.id + 0)`;

function pageByColumn(matched: Members<object>, idInOrder: RawBuilder<unknown>, page: Page) {
  const { sort, after } = page;
  const column = sort && columns[sort];
  const id = column ? ID : idInOrder;
  const position = column ? sql`(${column}, ${id})` : id;
  const cursor = column ? sql`(${after?.key}, ${after?.id})` : sql`${after?.id}`;
  const matches = matched
    .select(sql<string>`${column ?? sql`''`}::text`.as('key'))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`${position} ${beyond(page)} ${cursor}`))
    .limit(page.limit);
  const sorted = column ? matches.orderBy(column, directionOf(page)) : matches;
  return sorted.orderBy(id, directionOf(page));
}

/** Takes the first members of each role until the page is full, because sorting all members is slow. */
function pageByRole(database: Db, matched: Members<object>, orgId: OrgId, page: Page) {
  const { after, descending } = page;
  const firstId = descending ? Number.MAX_SAFE_INTEGER : 0;
  const start = sql`case when role.name_key = ${after?.key} then ${after?.id}::bigint else ${firstId}::bigint end`;
  return database
    .selectFrom('roles as role')
    .innerJoinLateral(
      () =>
        matched
          .whereRef('memberships.role_id', '=', sql.ref('role.id'))
          .$if(after !== undefined, (query) =>
            query.where(sql<boolean>`${ID_OF_ROLE} ${beyond(page)} ${start}`),
          )
          .orderBy(ID_OF_ROLE, directionOf(page))
          .limit(page.limit)
          .as('member'),
      (join) => join.onTrue(),
    )
    .selectAll('member')
    .select('role.name_key as key')
    .where('role.org_id', '=', orgId)
    .$if(after !== undefined, (query) =>
      query.where('role.name_key', descending ? '<=' : '>=', after?.key ?? ''),
    )
    .orderBy('role.name_key', directionOf(page))
    .orderBy(sql`member.id`, directionOf(page))
    .limit(page.limit);
}

type Directory<Row> = { members: Row[]; total: number; superAdmins: number };
type Sources = {
  readonly members: Members<object>;
  readonly superAdmins: SelectQueryBuilder<Tables, 'memberships' | 'roles', object>;
};
type DirectoryCall = { readonly orgId: OrgId; readonly filter: Filter; readonly page: Page };

export function directoryQuery<Row>(
  database: Db,
  { members, superAdmins }: Sources,
  { orgId, filter, page }: DirectoryCall,
) {
  const { search } = filter;
  // One JSON value, because reading fifty rows takes the driver longer than the rest of a call.
  const list = (matched: Members<object>) => jsonArrayFrom(listPage(database, matched, orgId, filter, page));
  const matched = matching(members, orgId, filter);
  const countable = matching(database.selectFrom('memberships'), orgId, filter);
  const select = (rows: Expression<unknown>, total: Expression<number>, withHits = sql``) =>
    sql<
      Directory<Row>
    >`${withHits} select ${rows} as members, ${total} as total, ${countOf(superAdmins)} as "superAdmins"`;
  if (!search)
    return select(
      list(matched),
      filter.lacksStep || filter.unlinked ? countOf(countable) : addUp(database, orgId, filter),
    );
  const searchKey = { orgId, search, inAscii: filter.inAscii ?? search };
  const areFew = sql<boolean>`(select count(*) from hits) <= ${sql.lit(FEW)}`;
  const few = jsonArrayFrom(pageByColumn(matched.where(AMONG_FEW), ID, page));
  const many = list(matched.where(amongMany(searchKey)));
  const isNarrow = partsOf({ ...filter, search: undefined, inAscii: undefined }).length > 0;
  const countFew = isNarrow ? countOf(countable.where(AMONG_FEW)) : sql`(select count(*) from hits)`;
  const countMany = isNarrow ? countOf(countable.where(matches(searchKey))) : countMatches(searchKey);
  return select(
    sql`case when ${areFew} then ${few} else ${many} end`,
    sql`case when ${areFew} then ${countFew} else ${countMany} end`,
    sql`with hits as materialized (${hits(database, searchKey)})`,
  );
}
