import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, UserId } from '#contract/wire.ts';
import { type Clock, DAY_MS, fromNow } from '#server/clock.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { TokenPurpose, NewRow } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { digestFrom, type Keys, newDigestSeed, sha256 } from '#server/keys.ts';

export type NewToken = {
  readonly purpose: TokenPurpose;
  readonly userId: UserId;
  /** The address that the token proves. It serves for no other. */
  readonly subject: string;
  readonly lifeMs: number;
  /** The invitation that the token belongs to. */
  readonly memberId?: MemberId;
  /** When an earlier, mailed token proved the mailbox. */
  readonly provenAt?: Date;
  /** The network that asked for the link, if its request counted. */
  readonly askedFrom?: string | undefined;
  /** Keeps earlier links of the invitation valid. */
  readonly alongside?: true;
};

/** Stores its hash. The account's earlier tokens serve until one is used; an invitation's end, unless `alongside`. */
export async function issueToken(tx: Tx, { clock, keys }: { clock: Clock; keys: Keys }, token: NewToken) {
  const now = clock.now();
  const seed = newDigestSeed(keys, token.purpose);
  const digest = digestFrom(keys, seed);
  const expiresAt = fromNow(clock, token.lifeMs);
  const row = {
    purpose: token.purpose,
    user_id: token.userId,
    subject: token.subject,
    token_hash: sha256(digest),
    created_at: now,
    expires_at: expiresAt,
    member_id: token.memberId ?? null,
    proven_at: token.provenAt ?? null,
    asked_from: token.askedFrom ?? null,
  };
  await insertTokenRow(tx, row, token.alongside || row.member_id === null ? 'alongside' : 'anew');
  return { seed, digest, expiresAt };
}
type Row = NewRow<'one_time_tokens'> & { member_id: MemberId | null; created_at: Date };
const insertTokenRow = prepared((tx, row: Row, form: 'alongside' | 'anew') => {
  const voided = () => invitationVoided(tx, row.member_id, row.created_at);
  return (form === 'alongside' ? tx : tx.with('voided', voided)).insertInto('one_time_tokens').values(row);
});
const voidUnused = (tx: Db, now: Date) =>
  tx.updateTable('one_time_tokens').set({ used_at: now }).where('used_at', 'is', null);
const invitationVoided = (tx: Db, memberId: MemberId | null, now: Date) =>
  voidUnused(tx, now).where('member_id', '=', memberId);

export const voidInvitation = (tx: Tx, memberId: MemberId, now: Date) =>
  invitationVoided(tx, memberId, now).execute();

/** Invitations stay, because they open no account; without `purposes` an owner's links to a former address stay, too. */
export const voidTokens = (tx: Tx, userId: UserId, now: Date, purposes?: readonly TokenPurpose[]) =>
  voidUnused(tx, now)
    .where('user_id', '=', userId)
    .where('member_id', 'is', null)
    .where((row) => (purposes ? row('purpose', 'in', [...purposes]) : row('purpose', '<>', 'restore-email')))
    .execute();

/** Voids links of the account that were mailed to an address it no longer has. */
export const voidTokensTo = (tx: Tx, userId: UserId, subject: string, now: Date) =>
  voidUnused(tx, now)
    .where('user_id', '=', userId)
    .where('subject', '=', subject)
    .where('member_id', 'is', null)
    .execute();

/** After a link to a former address is used, voids the links to the same address and all later ones. */
export const voidRestores = (tx: Tx, { id, user_id: userId, subject }: Token, now: Date) =>
  voidUnused(tx, now)
    .where('user_id', '=', userId)
    .where('purpose', '=', 'restore-email')
    .where((row) => row.or([row('id', '>=', id), row('subject', '=', subject)]))
    .execute();

/** `provenAt` is when the link was mailed, because opening it later proves nothing newer. */
export const findToken = (sql: Db, purposes: readonly TokenPurpose[], digest: string) =>
  sql
    .selectFrom('one_time_tokens')
    .select(['id', 'purpose', 'user_id', 'subject', 'created_at', 'expires_at', 'used_at', 'asked_from'])
    .select((token) => token.fn.coalesce('proven_at', 'created_at').as('provenAt'))
    .where('token_hash', '=', sha256(digest))
    .where('purpose', 'in', purposes)
    .executeTakeFirst();
export type Token = NonNullable<Awaited<ReturnType<typeof findToken>>>;

/** It keeps its id, by which `voidRestores` orders the links. Returns false if the link was used meanwhile. */
export async function renewToken(
  tx: Tx,
  { clock, keys }: Pick<Deps, 'clock' | 'keys'>,
  token: Token,
  lifeMs: number,
) {
  const seed = newDigestSeed(keys, token.purpose);
  const earliestEnd = fromNow(clock, lifeMs);
  const expiresAt = token.expires_at > earliestEnd ? token.expires_at : earliestEnd;
  const { numUpdatedRows } = await tx
    .updateTable('one_time_tokens')
    .set({ token_hash: sha256(digestFrom(keys, seed)), created_at: clock.now(), expires_at: expiresAt })
    .where('id', '=', token.id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n && { seed, expiresAt };
}

/** Whether, after the link was mailed, another person was invited at its address, or proved and left it. */
export const isContested = async (sql: Db, { id, user_id: userId, subject, created_at: mailedAt }: Token) =>
  (await sql
    .selectFrom('one_time_tokens as other')
    .leftJoin('memberships', 'memberships.id', 'other.member_id')
    .select('other.id')
    .where('other.subject', '=', subject)
    .where('other.user_id', '<>', userId)
    .where((row) =>
      row.or([
        row('other.purpose', '=', 'restore-email'),
        row('memberships.status', '=', MEMBER_STATUS.invited),
      ]),
    )
    .where((row) =>
      row.or([
        row('other.created_at', '>', mailedAt),
        row.and([row('other.created_at', '=', mailedAt), row('other.id', '>', id)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** One statement uses the account's other tokens of its purpose too, so of two concurrent uses one wins. */
export async function useToken(tx: Tx, tokenId: number, now: Date): Promise<boolean> {
  const usedTokens = tx
    .selectFrom('one_time_tokens as used')
    .innerJoin('one_time_tokens as other', 'other.user_id', 'used.user_id')
    .select('other.id')
    .where('used.id', '=', tokenId)
    .where('used.used_at', 'is', null)
    .where('used.expires_at', '>', now)
    .where((row) =>
      row.or([
        row('other.id', '=', row.ref('used.id')),
        row.and([
          row('other.purpose', '=', row.ref('used.purpose')),
          row('other.purpose', '<>', 'restore-email'),
          row('other.member_id', 'is', null),
        ]),
      ]),
    );
  const rows = await voidUnused(tx, now).where('id', 'in', usedTokens).returning('id').execute();
  return rows.some(({ id }) => id === tokenId);
}

/** Counts a try before it is checked. Returns false once `most` tries are used. */
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

export async function lastTokenAt(sql: Db, userId: UserId, purpose: TokenPurpose) {
  const row = await sql
    .selectFrom('one_time_tokens')
    .select((token) => token.fn.max('created_at').as('last'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row?.last;
}

/** Until then a late link is refused as expired, and not as unknown. */
const ENDED_TOKENS_KEPT_MS = 30 * DAY_MS;

export const sweepTokens = ({ sql, clock }: Deps) =>
  sql
    .deleteFrom('one_time_tokens')
    .where((row) => row.fn('least', ['expires_at', 'used_at']), '<=', fromNow(clock, -ENDED_TOKENS_KEPT_MS))
    .execute();
