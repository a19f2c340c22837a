import { sql } from 'kysely';
import type { MemberSort, MemberStatus } from '#contract/members.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
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

/** The members that a filter leaves; each way to find them is a range of one index. */
const matching = (database: Db, orgId: OrgId, { search, status, roleId }: Filter) =>
  database
    .selectFrom('memberships as member')
    .where('member.org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('member.status', '=', status as MemberStatus))
    .$if(roleId !== undefined, (query) => query.where('member.role_id', '=', roleId as RoleId))
    .$if(Boolean(search), (query) =>
      query.where((row) =>
        row.or(
          searched.map((column) => {
            const key = row.ref(`member.${column}`);
            return sql<boolean>`(${key} >= folded(${search}) and ${key} < folded(${search}) || ${LAST_CHARACTER})`;
          }),
        ),
      ),
    );

/** How many members a filter leaves: added up from what triggers count, but what is searched for one by one. */
export async function countMembers(database: Db, orgId: OrgId, filter: Filter): Promise<number> {
  const { count } = await (filter.search ? countFound : addUp)(database, orgId, filter);
  return count;
}

const countFound = (database: Db, orgId: OrgId, filter: Filter) =>
  matching(database, orgId, filter)
    .select((query) => query.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();

const addUp = (database: Db, orgId: OrgId, { status, roleId }: Filter) =>
  database
    .selectFrom('member_counts')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('members'), row.lit(0)).as('count'))
    .where('org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as MemberStatus))
    .$if(roleId !== undefined, (query) => query.where('role_id', '=', roleId as RoleId))
    .executeTakeFirstOrThrow();

/** The ids of one page in its order, each with what it is sorted by; a page far down costs what the first one does. */
export const listPage = (database: Db, orgId: OrgId, filter: Filter, page: Page) =>
  page.sort === 'role'
    ? pageByRole(database, orgId, filter, page)
    : pageByColumn(database, orgId, filter, page);

const columns = { name: 'member.name_key', email: 'member.email_key', status: 'member.status' } as const;
const directionOf = ({ descending }: Page) => (descending ? 'desc' : 'asc');
const beyond = ({ descending }: Page) => sql.raw(descending ? '<' : '>');

function pageByColumn(database: Db, orgId: OrgId, filter: Filter, page: Page) {
  const { sort, after } = page;
  const column = sort === undefined || sort === 'role' ? undefined : sql.ref(columns[sort]);
  const place = column ? sql`(${column}, member.id)` : sql`member.id`;
  const last = column ? sql`(${after?.key}, ${after?.id})` : sql`${after?.id}`;
  const matched = matching(database, orgId, filter)
    .select(['member.id', sql<string>`${column ?? sql`''`}::text`.as('key')])
    .$if(after !== undefined, (query) => query.where(sql<boolean>`${place} ${beyond(page)} ${last}`))
    .limit(page.limit);
  const sorted = column ? matched.orderBy(column, directionOf(page)) : matched;
  return sorted.orderBy('member.id', directionOf(page));
}

/** Roles are few: the first members of each make the page, so nobody sorts all that have one. */
function pageByRole(database: Db, orgId: OrgId, filter: Filter, page: Page) {
  const { after, descending } = page;
  // As memberships_role_idx has it.
  const place = sql`(member.id + 0)`;
  const first = descending ? Number.MAX_SAFE_INTEGER : 0;
  const start = sql`case when role.name_key = ${after?.key} then ${after?.id}::bigint else ${first}::bigint end`;
  return database
    .selectFrom('roles as role')
    .innerJoinLateral(
      (inner) =>
        matching(inner as unknown as Db, orgId, filter)
          .select('member.id')
          .whereRef('member.role_id', '=', sql.ref('role.id'))
          .$if(after !== undefined, (query) => query.where(sql<boolean>`${place} ${beyond(page)} ${start}`))
          .orderBy(place, directionOf(page))
          .limit(page.limit)
          .as('member'),
      (join) => join.onTrue(),
    )
    .select(['member.id', 'role.name_key as key'])
    .where('role.org_id', '=', orgId)
    .$if(after !== undefined, (query) =>
      query.where('role.name_key', descending ? '<=' : '>=', after?.key ?? ''),
    )
    .orderBy('role.name_key', directionOf(page))
    .orderBy('member.id', directionOf(page))
    .limit(page.limit);
}
