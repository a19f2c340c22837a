import { sql } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/keys.ts';

const AT_ONCE = 500;

type Secrets = {
  readonly table: string;
  readonly column: string;
  /** The purpose of the seal. */
  readonly purpose: string;
  /** The column with the owner that each secret is sealed for: the person of its row if omitted. */
  readonly owner?: string;
};

/** A sweep that seals secrets anew by the newest key, so that a new SECRET_KEY needs no sign-in and no new secret. */
export const resealing =
  ({ table, column, purpose, owner: ownerName = 'user_id' }: Secrets) =>
  async ({ sql: database, keys, log }: Pick<Deps, 'sql' | 'keys' | 'log'>): Promise<void> => {
    const [, ...older] = keys;
    const ids = sql.join(older.map(({ id }) => sql`decode(${id}, 'hex')`));
    const [secrets, secret, owner] = [sql.table(table), sql.ref(column), sql.ref(ownerName)];
    let after = older.length === 0 ? undefined : 0;
    while (after !== undefined) {
      const { rows } = await sql<{ id: UserId; sealed: Uint8Array }>`
        select ${owner} as id, ${secret} as sealed from ${secrets}
        where substr(${secret}, 1, 4) in (${ids}) and ${owner} > ${after}
        order by ${owner} limit ${AT_ONCE}`.execute(database);
      for (const { id, sealed } of rows)
        try {
          const again = seal(keys, purpose, unseal(keys, purpose, sealed, id), id);
          // A secret that changed meanwhile stays as it is.
          await sql`update ${secrets} set ${secret} = ${again} where ${owner} = ${id} and ${secret} = ${sealed}`.execute(
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
