import { sql } from 'kysely';
import { ICON_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { nameIn, type Source } from './rules.ts';
import type { Db } from '#server/db/connect.ts';

export const ROWS_AT_ONCE = 500;

/** The tables whose rows have a name, by the column that refers to them. */
const named = { org_id: 'organizations', role_id: 'roles', application_id: 'applications' } as const;

type Asked = {
  readonly table: string;
  readonly source: Source;
  readonly subjectId: number;
  readonly orgIds: readonly number[];
};

/** A subject's rows of one table in batches, each row with the names of what it refers to. */
export async function* sourceRows(database: Db, { table, source, subjectId, orgIds }: Asked) {
  const { of, through, key, columns, ofOrganizations } = source;
  const mine = (column: string) => sql`mine.${sql.ref(column)}`;
  const names = Object.entries(named)
    .filter(([column]) => columns.includes(column))
    .map(
      ([column, other]) =>
        sql`(select name from ${sql.table(other)} as other where other.id = ${mine(column)})
          as ${sql.ref(column.replace(/id$/, 'name'))}`,
    );
  const keyNames = key.map((_, at) => `key ${at}`);
  const keys = key.map((column, at) => sql`${mine(column)} as ${sql.ref(keyNames[at] ?? '')}`);
  const position = sql.join(key.map(mine));
  const owned = through
    ? sql`${mine(of)} in (select id from ${sql.table(through)} where org_id = ${subjectId})`
    : sql`${mine(of)} = ${subjectId}`;
  const covered = ofOrganizations
    ? sql`and (mine.org_id is null or mine.org_id = any(${orgIds}::bigint[]))`
    : sql``;
  let beyond = sql``;
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join([...columns.map(mine), ...names, ...keys])} from ${sql.table(table)} as mine
      where ${owned} ${covered} ${beyond} order by ${position} limit ${ROWS_AT_ONCE}`.execute(database);
    yield rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !keyNames.includes(column))),
    );
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return;
    beyond = sql`and (${position}) > (${sql.join(keyNames.map((name) => last[name]))})`;
  }
}

export const findPictureFile = (database: Db, userId: UserId) =>
  database
    .selectFrom('pictures')
    .select(['file_id as fileId', 'media_type as mediaType'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

export async function listIconFiles(database: Db, orgId: OrgId) {
  const icons = await database
    .selectFrom('images')
    .select(['file_id as fileId', 'media_type as mediaType', 'icon_type as type'])
    .where('org_id', '=', orgId)
    .where('shown_at', 'is not', null)
    .execute();
  const ofApplications = await database
    .selectFrom('application_icons')
    .innerJoin('applications', 'applications.id', 'application_id')
    .select(['file_id as fileId', 'media_type as mediaType', 'application_id as id'])
    .where('org_id', '=', orgId)
    .execute();
  const types = nameIn(ICON_TYPE);
  return [
    ...icons.map(({ type, ...icon }) => ({ ...icon, name: `icon-${types[type]}` })),
    ...ofApplications.map(({ id, ...icon }) => ({ ...icon, name: `application-icon-${id}` })),
  ];
}
