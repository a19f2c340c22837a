import type { UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { offeredLanguage } from '#server/language.ts';

/** The language in which a person is written to; null: the operator. */
export async function findLanguage(sql: Db, { config }: Pick<Deps, 'config'>, userId: UserId | null) {
  const [person] = userId === null ? [] : await storedLanguage(sql, { userId });
  return offeredLanguage(config.languages, person?.language ?? null);
}
const storedLanguage = prepared((sql, { userId }: { readonly userId: UserId }) =>
  sql.selectFrom('users').select('language').where('id', '=', userId),
);
