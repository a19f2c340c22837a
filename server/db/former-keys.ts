import { type Db, transaction } from './connect.ts';
import { type Keys, seal, unseal } from '#server/keys.ts';

/** Uses of a key that seal nothing, so that no sweep can move it to a newer key. */
const PURPOSES = ['activity-information', 'activity-chain', 'recovery-code'] as const;
export const FORMER_SEAL = 'former-key';

/** A key that SECRET_KEY had, for these purposes only. */
export type FormerKey = {
  readonly id: string;
  readonly derive: (purpose: (typeof PURPOSES)[number]) => Buffer;
};

/** Keeps what the log and recovery codes need of each older key, sealed by the newest, so that the key itself may go. */
export async function keepFormerKeys(sql: Db, keys: Keys): Promise<void> {
  const kept = await sql.selectFrom('former_keys').select('key_id').execute();
  const missing = keys.slice(1).filter(({ id }) => !kept.some(({ key_id }) => key_id === id));
  if (missing.length === 0) return;
  const rows = missing.flatMap((key) =>
    PURPOSES.map((purpose) => ({
      key_id: key.id,
      purpose,
      sealed_key: seal(keys, FORMER_SEAL, key.derive(purpose).toString('hex')),
    })),
  );
  await transaction(sql, (tx) =>
    tx
      .insertInto('former_keys')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** The keys of SECRET_KEY, and those that it had before. */
export async function everyKey(sql: Db, keys: Keys): Promise<FormerKey[]> {
  const rows = await sql.selectFrom('former_keys').select(['key_id', 'purpose', 'sealed_key']).execute();
  const former = Map.groupBy(
    rows.filter(({ key_id }) => !keys.some(({ id }) => id === key_id)),
    ({ key_id }) => key_id,
  );
  return [
    ...keys,
    ...[...former].map(([id, kept]): FormerKey => ({
      id,
      derive: (asked) => {
        const row = kept.find(({ purpose }) => purpose === asked);
        if (!row) throw new Error(`nothing of the key ${id} is kept for ${asked}`);
        return Buffer.from(unseal(keys, FORMER_SEAL, row.sealed_key), 'hex');
      },
    })),
  ];
}
