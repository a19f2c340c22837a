import { KNOWN_DEVICE_DAYS } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { type Clock, DAY_MS, fromNow } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';

/** A browser last seen after this time is still known. */
const oldestKnown = (clock: Clock) => fromNow(clock, -KNOWN_DEVICE_DAYS * DAY_MS);

export async function isKnownDevice(sql: Db, token: string | undefined, userId: UserId, clock: Clock) {
  if (!token) return false;
  const rows = sql
    .selectFrom('known_devices')
    .select('user_id')
    .where('last_seen_at', '>', oldestKnown(clock));
  const own = rows.where('token_hash', '=', sha256(token)).where('user_id', '=', userId);
  return (await own.executeTakeFirst()) !== undefined;
}

async function touchDevice(tx: Tx, token: string, userId: UserId, clock: Clock): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('known_devices')
    .set({ last_seen_at: clock.now() })
    .where('token_hash', '=', sha256(token))
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', oldestKnown(clock))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns whether it is new to them. A new or `renewed` one gets a fresh token: another person may have planted the old. */
export async function rememberDevice(
  tx: Tx,
  token: string | undefined,
  userId: UserId,
  clock: Clock,
  renewed?: 'renewed',
) {
  const isKnown = token !== undefined && (await touchDevice(tx, token, userId, clock));
  if (isKnown && !renewed) return { device: token, isNew: false };
  const device = randomToken();
  const row = { token_hash: sha256(device), last_seen_at: clock.now() };
  if (token !== undefined)
    await tx
      .updateTable('known_devices')
      .set('token_hash', row.token_hash)
      .where('token_hash', '=', sha256(token))
      .execute();
  if (isKnown) return { device, isNew: false };
  await tx
    .insertInto('known_devices')
    .values({ ...row, user_id: userId })
    .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet(row))
    .execute();
  return { device, isNew: true };
}

export const forgetDevices = async (tx: Tx, userId: UserId, hashes: readonly Uint8Array[]) => {
  if (hashes.length > 0)
    await tx
      .deleteFrom('known_devices')
      .where('user_id', '=', userId)
      .where('token_hash', 'in', hashes)
      .execute();
};

export const forgetDevicesOf = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();

export const sweepDevices = ({ sql, clock }: Deps) =>
  sql.deleteFrom('known_devices').where('last_seen_at', '<=', oldestKnown(clock)).execute();
