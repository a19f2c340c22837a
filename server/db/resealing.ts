import { sql } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/keys.ts';

const AT_ONCE = 500;

type Secrets = {
  readonly table: string;
  readonly column: string;
  /** The purpose of the seal; each secret belongs to the person of its row. */
  readonly purpose: string;
};

/** A sweep that seals people's secrets anew by the newest key, so that nobody must sign in for a new SECRET_KEY. */
export const resealing =
  ({ table, column, purpose }: Secrets) =>
  async ({ sql: database, keys, log }: Pick<Deps, 'sql' | 'keys' | 'log'>): Promise<void> => {
    const [, ...older] = keys;
    const ids = sql.join(older.map(({ id }) => sql`decode(${id}, 'hex')`));
    const [secrets, secret] = [sql.table(table), sql.ref(column)];
    let after = older.length === 0 ? undefined : 0;
    while (after !== undefined) {
      const { rows } = await sql<{ id: UserId; sealed: Uint8Array }>`
        select user_id as id, ${secret} as sealed from ${secrets}
        where substr(${secret}, 1, 4) in (${ids}) and user_id > ${after}
        order by user_id limit ${AT_ONCE}`.execute(database);
      for (const { id, sealed } of rows)
        try {
          const again = seal(keys, purpose, unseal(keys, purpose, sealed, id), id);
          // A secret that changed meanwhile stays as it is.
          await sql`update ${secrets} set ${secret} = ${again} where user_id = ${id} and ${secret} = ${sealed}`.execute(
            database,
          );
        } catch (error) {
          log.error(
            { table, userId: id, reason: (error as Error).message },
            'a secret could not be sealed anew',
          );
        }
      after = rows.at(-1)?.id;
    }
  };
