import { sql } from 'kysely';
import type { OrgId } from '#contract/wire.ts';
import { formerHolders } from '#server/accounts/addresses/data.ts';
import type { Db } from '#server/db/connect.ts';
import { holdsAt } from '#server/accounts/data-restrictions.ts';

const PEOPLE_AT_ONCE = 50;

/** Finds people by id, by their present or a former address, or by words that begin some of their name. */
export const findPeople = (database: Db, words: string, now: Date) =>
  database
    .selectFrom('users')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['users.id', 'email', 'first_name', 'last_name', 'confirmed_at', 'created_at', 'mfa_enabled'])
    .select('account_deletions.due_at as erased_at')
    .select((person) => [
      person
        .selectFrom('restrictions')
        .whereRef('user_id', '=', 'users.id')
        .where(holdsAt(now))
        .select(({ fn }) => fn.max('ends_at').as('ends_at'))
        .as('restricted_until'),
      person
        .selectFrom('sessions')
        .whereRef('user_id', '=', 'users.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('sessions'),
    ])
    // Each part has its index.
    .where(
      sql<boolean>`users.id in (
        select id from users where id = ${/^\d{1,15}$/.test(words) ? Number(words) : 0} or email = ${words.toLowerCase()}
        union all ${formerHolders(words.toLowerCase())}
        union all (select id from users
          where member_words(0, folded(first_name || ' ' || last_name), '') @@ member_query(0, folded(${words}))
          limit ${PEOPLE_AT_ONCE}))`,
    )
    .orderBy('users.id')
    .limit(PEOPLE_AT_ONCE)
    .execute();
export type FoundPerson = Awaited<ReturnType<typeof findPeople>>[number];

export const findOrganization = (database: Db, words: string) =>
  database
    .selectFrom('organizations')
    .select(['id', 'name', 'url_name'])
    .where((row) =>
      row.or([
        row('url_name', '=', words.toLowerCase()),
        row('id', '=', (/^\d{1,15}$/.test(words) ? Number(words) : 0) as OrgId),
      ]),
    )
    .executeTakeFirst();
