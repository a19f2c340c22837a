import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { MemberSort, MemberStatus } from '#contract/members.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Cursor } from '#server/members/directory/rules.ts';

export type Filter = {
  readonly search?: string | undefined;
  readonly status?: MemberStatus | undefined;
  readonly roleId?: RoleId | undefined;
};
export type Page = {
  /** By the time they came where no column is named. */
  readonly sort?: MemberSort | undefined;
  readonly descending: boolean;
  readonly after?: Cursor | undefined;
  readonly limit: number;
};

/** Sorts behind all that goes on after a prefix: keys are compared byte by byte. */
const LAST_CHARACTER = '\u{10FFFF}';
const searched = ['name_key', 'last_key', 'email_key'] as const;

/** Members, with whatever is to be known of each. */
type Members<Shown> = SelectQueryBuilder<Tables, 'memberships', Shown>;

/** The members that a filter leaves; each way to find them is a range of one index. */
const matching = <Shown>(members: Members<Shown>, orgId: OrgId, { search, status, roleId }: Filter) =>
  members
    .where('memberships.org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('memberships.status', '=', status as MemberStatus))
    .$if(roleId !== undefined, (query) => query.where('memberships.role_id', '=', roleId as RoleId))
    .$if(Boolean(search), (query) =>
      query.where((row) =>
        row.or(
          searched.map((column) => {
            const key = row.ref(`memberships.${column}`);
            return sql<boolean>`(${key} >= folded(${search}) and ${key} < folded(${search}) || ${LAST_CHARACTER})`;
          }),
        ),
      ),
    );

/** What the words of a query hang on: which parts of a filter there are, and the order of a page. */
export type Form = Pick<Page, 'sort' | 'descending'> & {
  readonly filtered: readonly (keyof Filter)[];
  readonly isDeep: boolean;
};
export const partsOf = (filter: Filter) =>
  (['search', 'status', 'roleId'] as const).filter((part) => Boolean(filter[part]));
export const only = (filter: Filter, parts: readonly (keyof Filter)[]): Filter =>
  Object.fromEntries(parts.map((part) => [part, filter[part]]));

/** How many members a filter leaves: added up from what triggers count, but what is searched for one by one. */
export const countMembers = (database: Db, orgId: OrgId, filter: Filter) =>
  filter.search ? countFound(database, orgId, filter) : addUp(database, orgId, filter);

const countFound = (database: Db, orgId: OrgId, filter: Filter) =>
  matching(database.selectFrom('memberships'), orgId, filter).select((query) =>
    query.fn.countAll<number>().as('count'),
  );

const addUp = (database: Db, orgId: OrgId, { status, roleId }: Filter) =>
  database
    .selectFrom('member_counts')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('members'), row.lit(0)).as('count'))
    .where('org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as MemberStatus))
    .$if(roleId !== undefined, (query) => query.where('role_id', '=', roleId as RoleId));

/** One page in its order, each member with what it is sorted by; a page far down costs what the first one does. */
export const listPage = <Shown>(
  database: Db,
  members: Members<Shown>,
  orgId: OrgId,
  filter: Filter,
  page: Page,
) => {
  const matched = matching(members, orgId, filter);
  if (page.sort === 'role') return pageByRole(database, matched, orgId, page);
  // Whoever has a role came at any time: by all who came they might be found last, by the role's index they come in order.
  return pageByColumn(matched, filter.roleId === undefined ? sql.ref('memberships.id') : ID_OF_ROLE, page);
};

const columns = {
  name: 'memberships.name_key',
  email: 'memberships.email_key',
  status: 'memberships.status',
} as const;
const directionOf = ({ descending }: Page) => (descending ? 'desc' : 'asc');
const beyond = ({ descending }: Page) => sql.raw(descending ? '<' : '>');

/** As memberships_role_idx has it. */
const ID_OF_ROLE = sql<number>`(memberships.id + 0)`;

function pageByColumn<Shown>(matched: Members<Shown>, idInOrder: RawBuilder<unknown>, page: Page) {
  const { sort, after } = page;
  const column = sort === undefined || sort === 'role' ? undefined : sql.ref(columns[sort]);
  const id = column ? sql.ref('memberships.id') : idInOrder;
  const place = column ? sql`(${column}, ${id})` : id;
  const last = column ? sql`(${after?.key}, ${after?.id})` : sql`${after?.id}`;
  const found = matched
    .select(sql<string>`${column ?? sql`''`}::text`.as('key'))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`${place} ${beyond(page)} ${last}`))
    .limit(page.limit);
  const sorted = column ? found.orderBy(column, directionOf(page)) : found;
  return sorted.orderBy(id, directionOf(page));
}

/** Roles are few: the first members of each make the page, so nobody sorts all that have one. */
function pageByRole<Shown>(database: Db, matched: Members<Shown>, orgId: OrgId, page: Page) {
  const { after, descending } = page;
  const first = descending ? Number.MAX_SAFE_INTEGER : 0;
  const start = sql`case when role.name_key = ${after?.key} then ${after?.id}::bigint else ${first}::bigint end`;
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
