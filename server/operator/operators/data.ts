import { sql as raw } from 'kysely';
import type { UserId } from '#contract/wire.ts';
import { holdsAt } from '#server/accounts/data-restrictions.ts';
import { DAY_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type DeskLevel = 'support' | 'full';

export const findOperator = (sql: Db, userId: UserId) =>
  sql.selectFrom('operators').select(['level', 'named_at']).where('user_id', '=', userId).executeTakeFirst();

/** Everybody who works at the desk, or one level of them. */
export const listOperators = (sql: Db, level?: DeskLevel) =>
  sql
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .select(['users.id', 'email', 'first_name', 'last_name', 'level', 'named_at'])
    .$if(level !== undefined, (query) => query.where('level', '=', level as DeskLevel))
    .orderBy('named_at')
    .orderBy('users.id')
    .execute();

type Named = { readonly userId: UserId; readonly level: DeskLevel; readonly now: Date };
/** Names an operator, again or at another level, which ends the stay. Returns the former level. */
export async function nameOperator(tx: Tx, { userId, level, now }: Named) {
  const former = await findOperator(tx, userId);
  await tx.deleteFrom('desk_sessions').where('operator_id', '=', userId).execute();
  await tx
    .insertInto('operators')
    .values({ user_id: userId, level, named_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ level, named_at: now }))
    .execute();
  return former?.level ?? null;
}
/** Locks the stay first, as acts at the desk do. */
export async function removeOperator(tx: Tx, userId: UserId) {
  await tx.deleteFrom('desk_sessions').where('operator_id', '=', userId).execute();
  return tx.deleteFrom('operators').where('user_id', '=', userId).returning('level').executeTakeFirst();
}

/** When the person added an app and each passkey. */
export const listProofs = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('passkeys')
    .select([raw<'passkey' | 'app'>`'passkey'`.as('way'), 'credential_id', 'created_at'])
    .where('user_id', '=', userId)
    .unionAll(
      sql
        .selectFrom('authenticator_apps')
        .select([
          raw<'passkey' | 'app'>`'app'`.as('way'),
          raw<Uint8Array>`''::bytea`.as('credential_id'),
          'created_at',
        ])
        .where('user_id', '=', userId),
    )
    .execute();

export const isSuperAdminSomewhere = async (sql: Db, userId: UserId) =>
  (await sql
    .selectFrom('memberships')
    .innerJoin('roles', 'roles.id', 'memberships.role_id')
    .select('memberships.id')
    .where('user_id', '=', userId)
    .where('roles.kind', '=', 'super-admin')
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const isRestrictedByOperator = async (sql: Db, userId: UserId, now: Date) =>
  (await sql
    .selectFrom('restrictions')
    .select('id')
    .where('user_id', '=', userId)
    .where('cause', '=', 'operator')
    .where(holdsAt(now))
    .limit(1)
    .executeTakeFirst()) !== undefined;

const requests = (sql: Db) =>
  sql
    .selectFrom('desk_requests')
    .innerJoin('operators', 'operators.user_id', 'desk_requests.asked_by')
    .innerJoin('users as asker', 'asker.id', 'desk_requests.asked_by')
    .leftJoin('users as person', 'person.id', 'desk_requests.person_id')
    .select(['desk_requests.id', 'act', 'input', 'person_id', 'asked_by', 'asked_at', 'due_at', 'level'])
    .select(['asker.first_name', 'asker.last_name', 'asker.email'])
    .select([
      'person.first_name as person_first_name',
      'person.last_name as person_last_name',
      'person.email as person_email',
    ]);
/** Those that may still happen: not yet a day old, or due by themselves. */
export const listRequests = (sql: Db, now: Date) =>
  requests(sql)
    .where((row) =>
      row.or([row('asked_at', '>', new Date(now.getTime() - DAY_MS)), row('due_at', 'is not', null)]),
    )
    .orderBy('asked_at')
    .execute();
export const findRequest = (sql: Db, id: number) =>
  requests(sql).where('desk_requests.id', '=', id).executeTakeFirst();
