import { type RawBuilder, sql } from 'kysely';
import type { UserId } from '#contract/wire.ts';

/** A row of `restrictions` is in force. */
export const holdsAt = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`(restrictions.ends_at > ${now} and restrictions.lifted_at is null)`;

/** No deletion is scheduled, no operator restricts it. Wrong codes block only new sign-ins: strangers sign nobody out. */
export const mayAct = (userId: RawBuilder<UserId>, now: Date | RawBuilder<Date>) => sql<boolean>`(
  not exists (select from account_deletions where account_deletions.user_id = ${userId})
  and not exists (select from restrictions where restrictions.user_id = ${userId}
    and restrictions.cause = 'operator' and ${holdsAt(now)}))`;
