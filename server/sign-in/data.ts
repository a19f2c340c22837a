import { KNOWN_DEVICE_DAYS } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { type Clock, DAY_MS, fromNow } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { sha256 } from '#server/keys.ts';

/** Whether the browser signed this person in before. */
export async function isKnownDevice(sql: Db, token: string | undefined, userId: UserId, clock: Clock) {
  if (!token) return false;
  const row = await sql
    .selectFrom('known_devices')
    .select('user_id')
    .where('token_hash', '=', sha256(token))
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', fromNow(clock, -KNOWN_DEVICE_DAYS * DAY_MS))
    .executeTakeFirst();
  return row !== undefined;
}

export const rememberDevice = (tx: Tx, token: string, userId: UserId, now: Date) =>
  tx
    .insertInto('known_devices')
    .values({ token_hash: sha256(token), user_id: userId, last_seen_at: now })
    .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet({ last_seen_at: now }))
    .execute();

export const forgetDevicesOf = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();

export const setMfa = (tx: Tx, userId: UserId, on: boolean) =>
  tx
    .updateTable('users')
    .set({ mfa_enabled: on })
    .where('id', '=', userId)
    .where('mfa_enabled', '<>', on)
    .returning(['id', 'email'])
    .executeTakeFirst();
