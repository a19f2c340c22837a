import { sql } from 'kysely';
import { type Db } from './connect.ts';
import type { Keys } from '#server/keys.ts';

/** Every column that SECRET_KEY seals, and the column that names its rows, to which the seal of some is bound. */
export const sealedColumns = [
  { table: 'passwords', column: 'sealed_phc', row: 'user_id', isBound: true, words: 'password' },
  {
    table: 'authenticator_apps',
    column: 'secret',
    row: 'user_id',
    isBound: true,
    words: 'authenticator app',
  },
  {
    table: 'company_connections',
    column: 'sealed_secret',
    row: 'id',
    isBound: true,
    words: 'company connection',
  },
  {
    table: 'company_connections',
    column: 'next_sealed_secret',
    row: 'id',
    isBound: true,
    words: 'company connection',
  },
  { table: 'webhooks', column: 'sealed_secret', row: 'id', isBound: false, words: 'webhook' },
  { table: 'webhooks', column: 'former_sealed_secret', row: 'id', isBound: false, words: 'webhook' },
  { table: 'signing_keys', column: 'sealed_key', row: 'kid', isBound: false, words: 'signing key' },
  {
    table: 'former_keys',
    column: 'sealed_key',
    row: 'id',
    isBound: false,
    words: 'kept key',
  },
] as const;
export type SealedColumn = (typeof sealedColumns)[number];

/** Rows that only this key opens, counted up to a limit; `isKnown` says whether SECRET_KEY has it. */
export type KeyUse = {
  readonly keyId: string;
  readonly isKnown: boolean;
  readonly words: string;
  readonly count: number;
};
const COUNTED_MAX = 10_000;

/** Every use of a key that is not the newest. Jumps from key to key in the index, so that it may run each minute. */
export async function olderKeysInUse(database: Db, keys: Keys): Promise<KeyUse[]> {
  const uses = [];
  for (const { table, column, words } of sealedColumns) {
    const keyOf = sql`substr(${sql.ref(column)}, 1, 4)`;
    const rows = sql.table(table);
    const { rows: found } = await sql<{ keyId: string; count: number }>`
      with recursive ids (id) as (
        (select ${keyOf} from ${rows} where ${keyOf} is not null order by 1 limit 1)
        union all
        select (select ${keyOf} from ${rows} where ${keyOf} > ids.id order by 1 limit 1) from ids where ids.id is not null)
      select encode(id, 'hex') as "keyId", (
        select count(*)::int from (select from ${rows} where ${keyOf} = ids.id limit ${COUNTED_MAX}) as counted) as count
      from ids where id <> decode(${keys[0].id}, 'hex')`.execute(database);
    uses.push(...found.map((one) => ({ ...one, words })));
  }
  const { rows: mails } = await sql<{ keyId: string; count: number }>`
    select payload->'digest'->>'keyId' as "keyId", count(*)::int as count from jobs
    where kind = 'mail' and done_at is null and failed_at is null and payload->'digest'->>'keyId' <> ${keys[0].id}
    group by 1`.execute(database);
  uses.push(...mails.map((one) => ({ ...one, words: 'waiting mail' })));
  return [...Map.groupBy(uses, ({ keyId, words }) => `${keyId} ${words}`).values()].map((same) => ({
    keyId: same[0]?.keyId ?? '',
    words: same[0]?.words ?? '',
    isKnown: keys.some(({ id }) => id === same[0]?.keyId),
    count: same.reduce((total, { count }) => total + count, 0),
  }));
}
