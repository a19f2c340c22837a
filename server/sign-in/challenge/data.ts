import type { SessionId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Method, NewRow } from '#server/db/tables.ts';
import { sha256 } from '#server/keys.ts';

/** The token of a challenge's cookie, or its session. The request's body never names a challenge. */
export type ChallengeKey = { readonly token: string } | { readonly sessionId: SessionId };

export type NewChallengeKey = ChallengeKey & { readonly method?: Method };

type NewChallenge = Omit<NewRow<'challenges'>, 'token_hash' | 'session_id' | 'method'> & { created_at: Date };

/** The codes that a person may try for one challenge, over all its mails. */
const CODE_TRIES_MAX = 5;

/** Adds a challenge. A session has one open challenge; returns undefined if it has one already. */
export async function insertChallenge(tx: Tx, key: NewChallengeKey, challenge: NewChallenge) {
  if ('sessionId' in key)
    await tx
      .deleteFrom('challenges')
      .where('session_id', '=', key.sessionId)
      .where((row) =>
        row.or([
          row('expires_at', '<=', challenge.created_at),
          row('used_at', 'is not', null),
          row('tries', '>=', CODE_TRIES_MAX),
        ]),
      )
      .execute();
  const by = 'token' in key ? { token_hash: sha256(key.token) } : { session_id: key.sessionId };
  return tx
    .insertInto('challenges')
    .values({ ...challenge, ...by, method: key.method ?? null })
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .returning('id')
    .executeTakeFirst();
}

/** The challenge of a key, if it is not expired, not used and has tries left. */
export const findChallenge = (sql: Db, key: ChallengeKey, now: Date) =>
  sql
    .selectFrom('challenges')
    .innerJoin('users', 'users.id', 'challenges.user_id')
    .select([
      'challenges.id',
      'challenges.user_id',
      'challenges.mailed_at',
      'challenges.mails',
      'challenges.expires_at',
      'challenges.method',
      'users.email',
      'users.confirmed_at',
    ])
    .where((row) =>
      'token' in key ? row('token_hash', '=', sha256(key.token)) : row('session_id', '=', key.sessionId),
    )
    .where('challenges.expires_at', '>', now)
    .where('challenges.used_at', 'is', null)
    .where('challenges.tries', '<', CODE_TRIES_MAX)
    .executeTakeFirst();

/** Counts a try before the code is checked. Returns undefined once all tries are used. */
export const countCodeTry = (tx: Tx, challengeId: number) =>
  tx
    .updateTable('challenges')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('id', '=', challengeId)
    .where('tries', '<', CODE_TRIES_MAX)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();

/** Uses a challenge and returns when its code was mailed. Of two concurrent right answers one wins. */
export async function useChallenge(tx: Tx, challengeId: number, now: Date): Promise<Date | undefined> {
  const row = await tx
    .updateTable('challenges')
    .set({ used_at: now })
    .where('id', '=', challengeId)
    .where('used_at', 'is', null)
    .returning('mailed_at')
    .executeTakeFirst();
  return row?.mailed_at;
}

/** Stores a new code, if the last mail is old enough and a mail is left. The tries stay counted. */
export const renewCode = (
  tx: Tx,
  challengeId: number,
  codeHash: Buffer,
  now: Date,
  limits: { waitMs: number; mails: number },
) =>
  tx
    .updateTable('challenges')
    .set((row) => ({ code_hash: codeHash, mailed_at: now, mails: row('mails', '+', 1) }))
    .where('id', '=', challengeId)
    .where('mailed_at', '<=', new Date(now.getTime() - limits.waitMs))
    .where('mails', '<', limits.mails)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();

export const deleteChallengesOf = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('challenges').where('user_id', '=', userId).execute();

/** Counts a wrong code and returns the number in a row, over all challenges. */
export async function countWrongCode(tx: Tx, userId: UserId): Promise<number> {
  const row = await tx
    .updateTable('users')
    .set((user) => ({ wrong_codes: user('wrong_codes', '+', 1) }))
    .where('id', '=', userId)
    .returning('wrong_codes')
    .executeTakeFirstOrThrow();
  return row.wrong_codes;
}

export const forgetWrongCodes = (tx: Tx, userId: UserId) =>
  tx.updateTable('users').set({ wrong_codes: 0 }).where('id', '=', userId).execute();
