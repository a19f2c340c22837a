import { sql as fragment } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type ChainEnd = { readonly length: number; readonly head: Uint8Array };

/** Chains in the order of their names, the next `limit` after one of them. */
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

/** The rows of a chain in its order, the next `limit` after a position. */
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

/** The macs that stand at these places, by `chain position`. */
export async function findMacs(sql: Db, places: readonly { chain: string; length: number }[]) {
  const { rows } = await fragment<{ place: string; mac: Uint8Array }>`
    select chain || ' ' || position as place, mac
    from unnest(${places.map(({ chain }) => chain)}::text[], ${places.map(({ length }) => length)}::bigint[])
      as asked (chain, position)
    join activity using (chain, position)`.execute(sql);
  return new Map(rows.map(({ place, mac }) => [place, Buffer.from(mac).toString('hex')]));
}

/** Whether this day's anchor was not asked for before. */
export async function askForAnchor(tx: Tx, day: string, now: Date): Promise<boolean> {
  const asked = await tx
    .insertInto('activity_anchors')
    .values({ day, asked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .executeTakeFirst();
  return asked !== undefined;
}
