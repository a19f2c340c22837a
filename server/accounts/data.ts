import type { User } from '#contract/user.ts';
import type { MemberId, RoleId, UserId } from '#contract/wire.ts';
import { fullName } from '#server/accounts/rules.ts';
import { type Clock, DAY_MS, fromNow, HOUR_MS } from '#server/clock.ts';
import { claim } from '#server/db/constraints.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { TokenPurpose } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type DigestSeed, digestFrom, type Keys, newDigestSeed, sha256 } from '#server/keys.ts';
import type { PasswordRecord } from '#server/passwords.ts';

export type NewUser = {
  readonly email: string | null;
  readonly country: string | null;
  readonly timeZone: string | null;
  readonly createdAt: Date;
  readonly confirmedAt?: Date | null;
  readonly firstName?: string;
  readonly lastName?: string;
};

const insertion = (tx: Tx, user: NewUser) =>
  tx
    .insertInto('users')
    .values({
      email: user.email,
      country: user.country,
      time_zone: user.timeZone,
      created_at: user.createdAt,
      confirmed_at: user.confirmedAt ?? null,
      first_name: user.firstName ?? '',
      last_name: user.lastName ?? '',
    })
    .returning('id');

export const insertUser = (tx: Tx, user: NewUser) =>
  claim('users_email_key', insertion(tx, user).executeTakeFirstOrThrow());

/** The person of an address, made without a password where nobody has it yet; two at once get the same one. */
export async function findOrInsertUser(tx: Tx, user: NewUser & { readonly email: string }): Promise<UserId> {
  const inserted = await insertion(tx, user)
    .onConflict((conflict) => conflict.constraint('users_email_key').doNothing())
    .executeTakeFirst();
  const found = inserted ?? (await findUserByEmail(tx, user.email));
  if (!found) throw new Error('the person is gone');
  return found.id;
}

/** What sign-in needs to know of a person, in one row: the password, what blocks them now. */
const accounts = (sql: Db, now: Date) =>
  sql
    .selectFrom('users')
    .leftJoin('passwords', 'passwords.user_id', 'users.id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.confirmed_at', 'users.time_zone', 'users.mfa_enabled'])
    .select(['passwords.phc', 'passwords.key_id', 'passwords.changed_at as password_changed_at'])
    .select('account_deletions.due_at as deletion_due_at')
    .select((query) =>
      query
        .selectFrom('restrictions')
        .whereRef('restrictions.user_id', '=', 'users.id')
        .where('restrictions.ends_at', '>', now)
        .where('restrictions.lifted_at', 'is', null)
        .select((inner) => inner.fn.max('restrictions.ends_at').as('ends_at'))
        .as('restricted_until'),
    );

export const findAccount = (sql: Db, email: string, now: Date) =>
  accounts(sql, now).where('users.email', '=', email).executeTakeFirst();

export const findAccountById = (sql: Db, userId: UserId, now: Date) =>
  accounts(sql, now).where('users.id', '=', userId).executeTakeFirst();
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/**
 * The account as it is now, held until the transaction ends. Whoever opens something for a person or ends everything
 * of theirs holds it first, so that the one sees what the other did.
 */
export async function holdAccount(tx: Tx, userId: UserId, now: Date) {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  return findAccountById(tx, userId, now);
}

/** Closes an account to sign-in until a time. */
export const insertRestriction = (
  tx: Tx,
  userId: UserId,
  cause: 'wrong-codes' | 'operator',
  now: Date,
  endsAt: Date,
) =>
  tx
    .insertInto('restrictions')
    .values({ user_id: userId, cause, created_at: now, ends_at: endsAt, lifted_at: null })
    .execute();

/** A new password lifts what wrong codes brought; what an operator closed stays closed. */
export const liftRestriction = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .updateTable('restrictions')
    .set({ lifted_at: now })
    .where('user_id', '=', userId)
    .where('cause', '=', 'wrong-codes')
    .where('lifted_at', 'is', null)
    .execute();

export const findUser = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'confirmed_at', 'time_zone', 'country'])
    .where('id', '=', userId)
    .executeTakeFirst();

/** The addresses of those people who have one. */
export const listAddresses = async (sql: Db, userIds: readonly UserId[]): Promise<string[]> => {
  const rows = await sql.selectFrom('users').select('email').where('id', 'in', userIds).execute();
  return rows.flatMap(({ email }) => email ?? []);
};

export const findUserByEmail = (sql: Db, email: string) =>
  sql
    .selectFrom('users')
    .select(['id', 'email', 'confirmed_at'])
    .where('email', '=', email)
    .executeTakeFirst();

export const findPassword = async (sql: Db, userId: UserId): Promise<PasswordRecord | undefined> => {
  const row = await sql
    .selectFrom('passwords')
    .select(['phc', 'key_id'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { phc: row.phc, keyId: row.key_id };
};

export const storePassword = (tx: Db, userId: UserId, record: PasswordRecord, now: Date) =>
  tx
    .insertInto('passwords')
    .values({ user_id: userId, phc: record.phc, key_id: record.keyId, changed_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ phc: record.phc, key_id: record.keyId, changed_at: now }),
    )
    .execute();

/** The same password under today's key and cost; only if nobody changed it meanwhile. */
export const rehashPassword = (sql: Db, userId: UserId, before: PasswordRecord, after: PasswordRecord) =>
  sql
    .updateTable('passwords')
    .set({ phc: after.phc, key_id: after.keyId })
    .where('user_id', '=', userId)
    .where('phc', '=', before.phc)
    .execute();

export const deletePassword = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('passwords').where('user_id', '=', userId).execute();

export const confirmUser = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .updateTable('users')
    .set({ confirmed_at: now })
    .where('id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute();

export type NewToken = {
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
  if (token.memberId !== undefined) await voidInvitation(tx, token.memberId, now);
  else if (!token.alongside) await voidTokens(tx, token.userId, now, [token.purpose]);
  await tx
    .insertInto('one_time_tokens')
    .values({
      purpose: token.purpose,
      user_id: token.userId,
      subject: token.subject,
      token_hash: sha256(digest),
      created_at: now,
      expires_at: expiresAt,
      used_at: null,
      member_id: token.memberId ?? null,
    })
    .execute();
  return { seed, digest, expiresAt };
}

const voidInvitation = (tx: Tx, memberId: MemberId, now: Date) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .execute();

/** Links of the account end, of some purposes or of all; an invitation is the organization's and opens no account. */
export const voidTokens = (tx: Tx, userId: UserId, now: Date, purposes?: readonly TokenPurpose[]) =>
  tx
    .updateTable('one_time_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('member_id', 'is', null)
    .$if(purposes !== undefined, (query) => query.where('purpose', 'in', [...(purposes ?? [])]))
    .execute();

export const findToken = (sql: Db, purpose: TokenPurpose, digest: string) =>
  sql
    .selectFrom('one_time_tokens')
    .select(['id', 'user_id', 'subject', 'expires_at', 'used_at', 'tries'])
    .where('token_hash', '=', sha256(digest))
    .where('purpose', '=', purpose)
    .executeTakeFirst();

/** Uses a token up, in one statement, so that of two uses at once one wins; false for the other. */
export async function useToken(tx: Db, tokenId: number, now: Date): Promise<boolean> {
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
export async function countTry(sql: Db, tokenId: number, most: number): Promise<boolean> {
  const row = await sql
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

/** What a person may change of themself, as it is; locked until the transaction ends. */
export const lockUser = (tx: Tx, userId: UserId) =>
  tx
    .selectFrom('users')
    .select(['email', 'first_name', 'last_name', 'designation', 'country', 'time_zone', 'contact_number'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
export type UserPatch = Partial<Awaited<ReturnType<typeof lockUser>>>;

export const updateUser = (tx: Tx, userId: UserId, patch: UserPatch) =>
  claim('users_email_key', tx.updateTable('users').set(patch).where('id', '=', userId).execute());

/** The person as the area shows them, with their role where one is given. */
export async function getUser(sql: Db, userId: UserId, roleId: RoleId | undefined): Promise<User> {
  const row = await sql
    .selectFrom('users')
    .leftJoin('passwords', 'passwords.user_id', 'users.id')
    .leftJoin('roles', (join) => join.on('roles.id', '=', roleId ?? null))
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.contact_number', 'users.designation'])
    .select(['users.time_zone', 'users.country', 'users.email', 'users.confirmed_at', 'users.mfa_enabled'])
    .select(['passwords.user_id as password', 'roles.name as role'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    fullName: fullName(row),
    contactNumber: row.contact_number,
    profilePictureUrl: null,
    designation: row.designation,
    userRole: row.role,
    timeZone: row.time_zone,
    country: row.country,
    email: row.email,
    pendingEmail: null,
    confirmed: row.confirmed_at !== null,
    mfaEnabled: row.mfa_enabled,
    hasPassword: row.password !== null,
  };
}
