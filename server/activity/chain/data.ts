import { sql as fragment } from 'kysely';
import { ABOUT_PEOPLE, ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type ChainEnd = { readonly length: number; readonly head: Uint8Array };

export const listChains = (sql: Db, after: string, limit: number) =>
  sql
    .selectFrom('activity_chains')
    .selectAll()
    .where('chain', '>', after)
    .orderBy('chain')
    .limit(limit)
    .execute();

export const findEnd = (sql: Db, chain: string): Promise<ChainEnd | undefined> =>
  sql.selectFrom('activity_chains').select(['length', 'head']).where('chain', '=', chain).executeTakeFirst();

export const listLinks = (sql: Db, chain: string, after: number, limit: number) =>
  sql
    .selectFrom('activity')
    .selectAll()
    .where('chain', '=', chain)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
export type Link = Awaited<ReturnType<typeof listLinks>>[number];

/** Their person is erased or due to be erased, or nobody is left in their organization. */
export async function findRightlyEmpty(sql: Db, links: readonly Link[], now: Date) {
  const emptied = links
    .filter(({ information }) => Object.keys(information).length === 0)
    .map(({ id }) => id);
  if (emptied.length === 0) return new Set<number>();
  const stays = (person: ReturnType<typeof fragment.ref>) => fragment`exists (
    select from users where users.id = ${person} and not exists (
      select from account_deletions where user_id = users.id and due_at <= ${now}))`;
  const founded = fragment`(activity_type = ${ACTIVITY_TYPE.organizationInformation} and action = ${ACTION.create})`;
  const { rows } = await fragment<{ id: number }>`
    select id from activity
    where id = any(${emptied}::bigint[]) and (
      ((org_id is null or ${founded}) and not ${stays(fragment.ref('activity.user_id'))})
      or (record_id is not null and activity_type = any(${ABOUT_PEOPLE}::smallint[]) and not ${stays(fragment.ref('activity.record_id'))})
      or (org_id is not null and not exists (
        select from memberships where memberships.org_id = activity.org_id and status <> ${MEMBER_STATUS.disabled}
          and ${stays(fragment.ref('memberships.user_id'))}))
    )`.execute(sql);
  return new Set(rows.map(({ id }) => id));
}

export async function findMacs(sql: Db, places: readonly { chain: string; length: number }[]) {
  const { rows } = await fragment<{ place: string; mac: Uint8Array }>`
    select chain || ' ' || position as place, mac
    from unnest(${places.map(({ chain }) => chain)}::text[], ${places.map(({ length }) => length)}::bigint[])
      as asked (chain, position)
    join activity using (chain, position)`.execute(sql);
  return new Map(rows.map(({ place, mac }) => [place, Buffer.from(mac).toString('hex')]));
}

/** Requests the anchor of a day. Returns false if it was requested before. */
export async function askForAnchor(tx: Tx, day: string, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('activity_anchors')
    .values({ day, asked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst();
  return row !== undefined;
}
