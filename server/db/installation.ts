import { type Db, transaction } from '#server/db/connect.ts';
import type { Keys } from '#server/keys.ts';

/**
 * Ties the database to the newest key the first time, and moves it on when the key is replaced; false when none of
 * the keys is the one it was made with: passwords could not be checked, and mails would carry dead links.
 */
export async function belongsToKeys(sql: Db, keys: Keys): Promise<boolean> {
  const [{ id: newest }] = keys;
  const made = await sql.selectFrom('installation').select('key_id').executeTakeFirst();
  // So that a process starts where nothing can be written.
  if (made?.key_id === newest) return true;
  return transaction(sql, async (tx) => {
    await tx
      .insertInto('installation')
      .values({ key_id: newest })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const moved = await tx
      .updateTable('installation')
      .set({ key_id: newest })
      .where(
        'key_id',
        'in',
        keys.map((key) => key.id),
      )
      .returning('key_id')
      .executeTakeFirst();
    return moved !== undefined;
  });
}
