import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import {
  type NotificationType,
  notificationTypeNames,
  type Preferences,
} from '#contract/communications/calls.ts';
import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

export async function getPreferences(sql: Db, userId: UserId): Promise<Preferences> {
  const types = new Set((await wantedTypesOf(sql, { userId })).map(({ type }) => type));
  return Object.fromEntries(
    notificationTypeNames.map((name) => [name, types.has(NOTIFICATION_TYPE[name])]),
  ) as Preferences;
}
const wantedTypesOf = prepared((sql, { userId }: { readonly userId: UserId }) =>
  sql.selectFrom('email_preferences').select('type').where('user_id', '=', userId).where('wanted', '=', true),
);

export const storePreference = (tx: Tx, userId: UserId, type: NotificationType, wanted: boolean) =>
  tx
    .insertInto('email_preferences')
    .values({ user_id: userId, type, wanted })
    .onConflict((conflict) => conflict.columns(['user_id', 'type']).doUpdateSet({ wanted }))
    .execute();
