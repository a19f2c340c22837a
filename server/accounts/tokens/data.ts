import type { MemberId, UserId } from '#contract/wire.ts';
import { type Clock, DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { TokenPurpose } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type DigestSeed, digestFrom, type Keys, newDigestSeed, sha256 } from '#server/keys.ts';

type NewToken = {
  readonly purpose: TokenPurpose;
  readonly userId: UserId;
  /** What it proves; it serves for nothing else. */
  readonly subject: string;
  readonly lifeMs: number;
  /** Earlier ones of the same purpose stay good. */
  readonly alongside?: true;
  /** The invitation it is for: only earlier ones of this one end. */
  readonly memberId?: MemberId;
};

/** Writes a one-time token down, hashed; earlier ones of the same purpose and person no longer serve, unless it stands beside them. */
export async function issueToken(tx: Tx, { clock, keys }: { clock: Clock; keys: Keys }, token: NewToken) {
  const now = clock.now();
  const seed: DigestSeed = newDigestSeed(keys, token.purpose);
  const digest = digestFrom(keys, seed);
  const expiresAt = fromNow(clock, token.lifeMs);
  const { purpose, userId, subject, memberId = null, alongside } = token;
  const row = { purpose, userId, subject, memberId, hash: sha256(digest), now, expiresAt };
  await tokenAdded(tx, row, alongside ? 'alongside' : memberId === null ? 'of account' : 'of invitation');
  return { seed, digest, expiresAt };
}

type Row = Readonly<{
  purpose: TokenPurpose;
  userId: UserId;
  subject: string;
  memberId: MemberId | null;
  hash: Buffer;
  now: Date;
  expiresAt: Date;
}>;
/** The new one, and the end of those before it. */
const tokenAdded = prepared((tx, row: Row, form: 'alongside' | 'of account' | 'of invitation') => {
  const voided =
    form === 'of invitation'
      ? invitations(tx, row.memberId, row.now)
      : links(tx, row.userId, row.now, [row.purpose]);
  return (form === 'alongside' ? tx : tx.with('voided', () => voided)).insertInto('one_time_tokens').values({
    purpose: row.purpose,
    user_id: row.userId,
    subject: row.subject,
    token_hash: row.hash,
    created_at: row.now,
    expires_at: row.expiresAt,
    used_at: null,
    member_id: row.memberId,
  });
});

/** What no longer serves once an invitation is mailed anew. */
const invitations = (tx: Db, memberId: MemberId | null, now: Date) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null);

/**
 * Links of the account end, of some purposes or of all. An invitation is the organization's and opens no account, and
 * whoever got hold of an account can't take the way back from the owner of its former address.
 */
export const voidTokens = (tx: Tx, userId: UserId, now: Date, purposes?: readonly TokenPurpose[]) =>
  links(tx, userId, now, purposes).execute();

const links = (tx: Db, userId: UserId, now: Date, purposes?: readonly TokenPurpose[]) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('member_id', 'is', null)
    .where((row) => (purposes ? row('purpose', 'in', [...purposes]) : row('purpose', '<>', 'restore-email')));

/** Links to a former address end once one of them served: its own, and all of later addresses. */
export const voidRestores = (tx: Tx, { id, user_id: userId, subject }: Token, now: Date) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'restore-email')
    .where('used_at', 'is', null)
    .where((row) => row.or([row('id', '>=', id), row('subject', '=', subject)]))
    .execute();

export const findToken = (sql: Db, purpose: TokenPurpose, digest: string) =>
  sql
    .selectFrom('one_time_tokens')
    .select(['id', 'user_id', 'subject', 'expires_at', 'used_at'])
    .where('token_hash', '=', sha256(digest))
    .where('purpose', '=', purpose)
    .executeTakeFirst();
export type Token = NonNullable<Awaited<ReturnType<typeof findToken>>>;

/** Uses a token up, in one statement, so that of two uses at once one wins; false for the other. */
export async function useToken(tx: Tx, tokenId: number, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('id', '=', tokenId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts a try before it is checked; false when the token had its share. */
export async function countTry(tx: Tx, tokenId: number, most: number): Promise<boolean> {
  const row = await tx
    .updateTable('one_time_tokens')
    .set((token) => ({ tries: token('tries', '+', 1) }))
    .where('id', '=', tokenId)
    .where('tries', '<', most)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** How many tokens of a purpose a person was sent lately, and when the last one: resending is bounded by it. */
export const countRecentTokens = (sql: Db, userId: UserId, purpose: TokenPurpose, now: Date) =>
  sql
    .selectFrom('one_time_tokens')
    .select((token) => [token.fn.countAll<number>().as('count'), token.fn.max('created_at').as('last')])
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow();

/** A link that is opened late is still told to be out of date. */
const ENDED_TOKENS_KEPT_MS = 30 * DAY_MS;

/** Tokens that were used or ran out long ago. */
export const sweepTokens = ({ sql, clock }: Deps) =>
  sql
    .deleteFrom('one_time_tokens')
    .where((row) => row.fn('least', ['expires_at', 'used_at']), '<=', fromNow(clock, -ENDED_TOKENS_KEPT_MS))
    .execute();
