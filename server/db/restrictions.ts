import { type RawBuilder, sql } from 'kysely';

/** The condition that a restriction is in force, for queries of `restrictions`. */
export const holdsAt = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`(restrictions.ends_at > ${now} and restrictions.lifted_at is null)`;
