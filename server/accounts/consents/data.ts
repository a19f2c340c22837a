import type { UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

export type Consent = {
  readonly userId: UserId;
  /** The version that the page showed, if it told. */
  readonly seen: string | null;
  readonly current: string;
  readonly language: string;
  readonly now: Date;
};

/** Returns the version that counts: the one seen if pages have shown it, else the current one. Nothing if it was agreed to before. */
export const insertConsent = prepared((tx, { userId, seen, current, language, now }: Consent) =>
  tx
    .insertInto('consents')
    .values((row) => ({
      user_id: userId,
      version: row.fn.coalesce(
        row.selectFrom('terms_versions').select('version').where('version', '=', seen),
        row.val(current),
      ),
      language,
      agreed_at: now,
    }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('version'),
);

const selectConsent = prepared(
  (sql, { userId, version }: { readonly userId: UserId; readonly version: string }) =>
    sql.selectFrom('consents').select('version').where('user_id', '=', userId).where('version', '=', version),
);
export const hasAgreed = async (sql: Db, userId: UserId, version: string): Promise<boolean> =>
  (await selectConsent(sql, { userId, version })).length > 0;
