import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { FactorTables } from '#server/sign-in/tables.ts';

export async function ownerHandle(tx: Tx, userId: UserId, fresh: Uint8Array): Promise<Uint8Array> {
  await tx
    .insertInto('passkey_owners')
    .values({ user_id: userId, handle: fresh })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  const row = await tx
    .selectFrom('passkey_owners')
    .select('handle')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.handle;
}

/** Adds a passkey. Returns undefined if somebody has it already. */
export const insertPasskey = (tx: Tx, row: FactorTables['passkeys']) =>
  tx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('credential_id')
    .executeTakeFirst();

/** Returns undefined if the person has no passkey with this id. */
export const renamePasskey = (tx: Tx, userId: UserId, credentialId: Uint8Array, name: string) =>
  tx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .returning('credential_id')
    .executeTakeFirst();

export const deletePasskey = (tx: Tx, userId: UserId, credentialId: Uint8Array) =>
  tx.deleteFrom('passkeys').where('user_id', '=', userId).where('credential_id', '=', credentialId).execute();

export async function hasAnsweredOffer(sql: Db, userId: UserId): Promise<boolean> {
  const row = await sql
    .selectFrom('users')
    .leftJoin('passkeys', 'passkeys.user_id', 'users.id')
    .select(['passkey_offer_declined_at', 'passkeys.credential_id'])
    .where('users.id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return !row || row.passkey_offer_declined_at !== null || row.credential_id !== null;
}

export const declineOffer = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .updateTable('users')
    .set({ passkey_offer_declined_at: now })
    .where('id', '=', userId)
    .where('passkey_offer_declined_at', 'is', null)
    .execute();
