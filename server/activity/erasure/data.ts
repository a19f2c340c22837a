import { sql } from 'kysely';
import { ABOUT_PEOPLE, ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';

/** The texts to empty: those about a person in every log, or all of an organization's log. */
export type ErasureTarget =
  | { readonly ofPerson: UserId }
  | { readonly ofOrganization: OrgId }
  /** The row that created an organization which stays: its first name may contain the founder's. */
  | { readonly founder: UserId; readonly founded: OrgId };

/** Empties the texts of at most `limit` rows and returns their number. Rows keep person, act and time. */
export async function emptyTexts(database: Db, target: ErasureTarget, limit: number): Promise<number> {
  const nothing = sql<never>`'{}'::jsonb`;
  const { numUpdatedRows } = await database
    .updateTable('activity')
    .set({ information: nothing })
    .where('id', 'in', (row) =>
      row
        .selectFrom('activity')
        .select('id')
        .where('information', '<>', nothing)
        .where(inTarget(target))
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function inTarget(target: ErasureTarget) {
  if ('ofOrganization' in target) return sql<boolean>`org_id = ${target.ofOrganization}`;
  if ('founded' in target)
    return sql<boolean>`org_id = ${target.founded} and user_id = ${target.founder}
      and module = ${MODULE.organization} and action = ${ACTION.create}
      and activity_type = ${ACTIVITY_TYPE.organizationInformation}`;
  return sql<boolean>`(user_id = ${target.ofPerson} and org_id is null)
    or (record_id = ${target.ofPerson} and activity_type in (${sql.join(ABOUT_PEOPLE.map((type) => sql.lit(type)))}))`;
}
