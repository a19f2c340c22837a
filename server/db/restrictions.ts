import { type RawBuilder, sql } from 'kysely';

/** A restriction that holds now, in a query of `restrictions`. */
export const holdsAt = (now: Date | RawBuilder<Date>) =>
  sql<boolean>`(restrictions.ends_at > ${now} and restrictions.lifted_at is null)`;
