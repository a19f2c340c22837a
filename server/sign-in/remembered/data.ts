import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { FactorTables } from '#server/sign-in/tables.ts';
import { sha256 } from '#server/keys.ts';

type Row = FactorTables['remembered_browsers'];
export type RememberedStep = Row['second_step'];

export async function findRemembered(sql: Db, device: string | undefined, userId: UserId, now: Date) {
  if (device === undefined) return undefined;
  const row = await sql
    .selectFrom('remembered_browsers')
    .select('second_step')
    .where('user_id', '=', userId)
    .where('device_hash', '=', sha256(device))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.second_step;
}

type NewRow = Omit<Row, 'id' | 'device_hash'> & { readonly device: string };
export const insertRemembered = (tx: Tx, { device, ...row }: NewRow) =>
  tx
    .insertInto('remembered_browsers')
    .values({ ...row, device_hash: sha256(device) })
    .onConflict((conflict) => conflict.columns(['user_id', 'device_hash']).doUpdateSet(row))
    .execute();

const columns = [
  ...(['id', 'device_hash as deviceHash', 'ip_address as ipAddress', 'user_agent as userAgent'] as const),
  ...(['location', 'created_at as createdTime', 'expires_at as expiresTime'] as const),
] as const;

export const listRemembered = (sql: Db, userId: UserId, now: Date) =>
  sql
    .selectFrom('remembered_browsers')
    .select(columns)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

export const deleteRemembered = (tx: Tx, userId: UserId, id?: string) =>
  tx
    .deleteFrom('remembered_browsers')
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .returning(columns)
    .execute();
