import type { SessionId, UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { sha256 } from '#server/keys.ts';

/** Which challenge is meant: the one of a cookie, or the one of a session. Never one that the request names. */
export type Door = { readonly token: string } | { readonly sessionId: SessionId };

type NewChallenge = {
  readonly userId: UserId;
  readonly door: Door;
  readonly codeHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
};

/** Wrong codes a challenge takes, however often a new one is mailed. */
const CODE_TRIES_MAX = 5;

/** Puts a challenge down; a session has one at a time, so of two at once one wins and the other gets nothing. */
export async function insertChallenge(tx: Tx, { userId, door, codeHash, now, expiresAt }: NewChallenge) {
  if ('sessionId' in door)
    await tx
      .deleteFrom('challenges')
      .where('session_id', '=', door.sessionId)
      .where((row) =>
        row.or([
          row('expires_at', '<=', now),
          row('used_at', 'is not', null),
          row('tries', '>=', CODE_TRIES_MAX),
        ]),
      )
      .execute();
  return tx
    .insertInto('challenges')
    .values({
      user_id: userId,
      token_hash: 'token' in door ? sha256(door.token) : null,
      session_id: 'sessionId' in door ? door.sessionId : null,
      code_hash: codeHash,
      created_at: now,
      mailed_at: now,
      expires_at: expiresAt,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .returning('id')
    .executeTakeFirst();
}

/** The challenge behind a door while it may still be answered: neither late nor used nor out of tries. */
export const findChallenge = (sql: Db, door: Door, now: Date) =>
  sql
    .selectFrom('challenges')
    .innerJoin('users', 'users.id', 'challenges.user_id')
    .select([
      'challenges.id',
      'challenges.user_id',
      'challenges.mailed_at',
      'challenges.mails',
      'challenges.expires_at',
      'users.email',
    ])
    .$if('token' in door, (query) =>
      query.where('token_hash', '=', sha256('token' in door ? door.token : '')),
    )
    .$if('sessionId' in door, (query) =>
      query.where('session_id', '=', 'sessionId' in door ? door.sessionId : null),
    )
    .where('challenges.expires_at', '>', now)
    .where('challenges.used_at', 'is', null)
    .where('challenges.tries', '<', CODE_TRIES_MAX)
    .executeTakeFirst();

/** Counts a try before the code is looked at; nothing when the challenge had its five. */
export const countCodeTry = (tx: Tx, challengeId: number) =>
  tx
    .updateTable('challenges')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('id', '=', challengeId)
    .where('tries', '<', CODE_TRIES_MAX)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();

/** Uses a challenge up; of two right answers at once one wins. */
export async function useChallenge(tx: Tx, challengeId: number, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('challenges')
    .set({ used_at: now })
    .where('id', '=', challengeId)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A new code for a challenge, if the last mail is long enough ago and it had not its share; the tries stay counted. */
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

/** Codes nobody can answer any more. */
export const sweepChallenges = ({ sql, clock }: Deps) =>
  sql.deleteFrom('challenges').where('expires_at', '<=', clock.now()).execute();

/** Wrong codes in a row over all challenges, after one more. */
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
