import { UNTIL_LIFTED } from '#contract/time.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';

/** A new refusal within this time continues the same row. */
const KEPT_MS = HOUR_MS;

type Refused = {
  readonly email: string;
  /** The key of the counter that makes the browser wait. */
  readonly counter: string;
  readonly network: string;
  /** Null if no time ends it. */
  readonly until: Date | null;
};

/** Also for an address without an account, so that both take the same time. */
export async function noteWait({ sql, clock }: Pick<Deps, 'sql' | 'clock'>, refused: Refused) {
  const { email, until, ...rest } = refused;
  const now = clock.now();
  const expiresAt = new Date(Math.max(until?.getTime() ?? 0, fromNow(clock, KEPT_MS).getTime()));
  const row = { ...rest, addressHash: sha256(email), now, until, expiresAt };
  await transaction(sql, (tx) => upsertWait(tx, row));
}
type Row = Omit<Refused, 'email'> & Readonly<{ addressHash: Uint8Array; now: Date; expiresAt: Date }>;
const upsertWait = prepared((sql, { addressHash, counter, network, now, until, expiresAt }: Row) =>
  sql
    .insertInto('sign_in_waits')
    .values({
      counter,
      address_hash: addressHash,
      network,
      since: now,
      waits_until: until,
      expires_at: expiresAt,
    })
    .onConflict((conflict) =>
      conflict.column('counter').doUpdateSet((row) => ({
        since: row
          .case()
          .when('sign_in_waits.expires_at', '<=', now)
          .then(row.ref('excluded.since'))
          .else(row.ref('sign_in_waits.since'))
          .end(),
        network: row.ref('excluded.network'),
        waits_until: row.ref('excluded.waits_until'),
        expires_at: row.ref('excluded.expires_at'),
      })),
    ),
);

/** The waits of browsers that sign in with this address. */
export const listWaits = (database: Db, email: string | null, now: Date) =>
  database
    .selectFrom('sign_in_waits')
    .select(['network', 'since', 'waits_until as until'])
    .where('address_hash', '=', sha256(email ?? ''))
    .where('expires_at', '>', now)
    .where((row) => row.or([row('waits_until', 'is', null), row('waits_until', '>', now)]))
    .orderBy('since')
    .execute();

/** When the last of these waits ends, which may be never; null without one. */
export async function findLastEnd(database: Db, email: string | null, now: Date) {
  const ends = (await listWaits(database, email, now)).map(({ until }) => until ?? UNTIL_LIFTED);
  return ends.length > 0 ? new Date(Math.max(...ends.map(Number))) : null;
}

export const deleteWaits = (database: Db, counters: readonly string[]) =>
  transaction(database, (tx) => tx.deleteFrom('sign_in_waits').where('counter', 'in', counters).execute());

/** Ends waits, after a transaction of the caller's, because counters may lie in the database or in Redis. */
export async function endWaits({ sql, limiter }: Pick<Deps, 'sql' | 'limiter'>, email: string | null) {
  const ended = await transaction(sql, (tx) =>
    tx
      .deleteFrom('sign_in_waits')
      .where('address_hash', '=', sha256(email ?? ''))
      .returning('counter')
      .execute(),
  );
  if (ended.length > 0) await limiter.forgetCounters(ended.map(({ counter }) => counter));
}
