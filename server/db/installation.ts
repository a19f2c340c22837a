import { type Db, transaction } from './connect.ts';
import type { Keys } from '#server/keys.ts';

/** Whether the database was made with one of the keys. Changes nothing. */
export async function isMadeWith(sql: Db, keys: Keys): Promise<boolean> {
  const installation = await sql.selectFrom('installation').select('key_id').executeTakeFirst();
  return !installation || keys.some(({ id }) => id === installation.key_id);
}

/** Ties the database to the newest key. False if none made it: then passwords cannot be checked and links are dead. */
export async function belongsToKeys(sql: Db, keys: Keys): Promise<boolean> {
  const [{ id: newest }] = keys;
  const installation = await sql.selectFrom('installation').select('key_id').executeTakeFirst();
  // No write, so that a process can start on a read-only database.
  if (installation?.key_id === newest) return true;
  return transaction(sql, async (tx) => {
    await tx
      .insertInto('installation')
      .values({ key_id: newest })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const result = await tx
      .updateTable('installation')
      .set({ key_id: newest })
      .where(
        'key_id',
        'in',
        keys.map((key) => key.id),
      )
      .returning('key_id')
      .executeTakeFirst();
    return result !== undefined;
  });
}
