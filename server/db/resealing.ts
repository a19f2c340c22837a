import { sql } from 'kysely';
import type { SealedColumn } from './sealed.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/keys.ts';

const AT_ONCE = 500;

/** A sweep that seals secrets anew by the newest key, so that a new SECRET_KEY needs no sign-in and no new secret. */
export const resealing =
  ({ table, column, row: rowName, isBound }: SealedColumn, purpose: string) =>
  async ({ sql: database, keys, log }: Pick<Deps, 'sql' | 'keys' | 'log'>): Promise<void> => {
    const [, ...older] = keys;
    const ids = sql.join(older.map(({ id }) => sql`decode(${id}, 'hex')`));
    const [secrets, secret, row] = [sql.table(table), sql.ref(column), sql.ref(rowName)];
    let after = sql`true`;
    for (let isOver = older.length === 0; !isOver;) {
      const { rows } = await sql<{ id: number | string; sealed: Uint8Array }>`
        select ${row} as id, ${secret} as sealed from ${secrets}
        where substr(${secret}, 1, 4) in (${ids}) and ${after}
        order by ${row} limit ${AT_ONCE}`.execute(database);
      for (const { id, sealed } of rows)
        try {
          const owner = isBound ? String(id) : '';
          const again = seal(keys, purpose, unseal(keys, purpose, sealed, owner), owner);
          // A secret that changed meanwhile stays as it is.
          await sql`update ${secrets} set ${secret} = ${again} where ${row} = ${id} and ${secret} = ${sealed}`.execute(
            database,
          );
        } catch (error) {
          log.error(
            { table, row: id, reason: (error as Error).message },
            'a secret could not be sealed anew',
          );
        }
      const last = rows.at(-1);
      isOver = last === undefined;
      after = sql`${row} > ${last?.id}`;
    }
  };
