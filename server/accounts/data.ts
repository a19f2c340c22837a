// The rows of accounts: the person, their password, restrictions, and the proof of their mailbox.
import { sql as raw } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { User } from '#contract/profile/user.ts';
import type { RoleId, UserId } from '#contract/wire.ts';
import { pictureUrl } from './rules.ts';
import { claim } from '#server/db/constraints.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import type { Keys } from '#server/keys.ts';
import { type SealedPassword, sealPassword } from '#server/passwords.ts';
import { membershipIn, ruledMembershipsOf } from '#server/access/data.ts';
import { closingCompanies } from '#server/access/rules.ts';
import { holdsAt } from './data-restrictions.ts';
import { wakeAfterCommit } from '#server/waking.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Invited people have no language: they choose it with their first sign-in. */
export type NewUser = NewRow<'users'>;

const insertUserRow = prepared((tx, user: NewUser, taken: 'taken fails' | 'taken stays') =>
  tx
    .insertInto('users')
    .values(user)
    .$if(taken === 'taken stays', (query) =>
      query.onConflict((conflict) => conflict.constraint('users_email_key').doNothing()),
    )
    .returning('id'),
);

export const insertUser = async (tx: Tx, user: NewUser) => {
  const rows = await claim('users_email_key', insertUserRow(tx, user, 'taken fails'));
  if (rows instanceof Refusal) return rows;
  const [row] = rows;
  if (!row) throw new Error('the person was not added');
  return row;
};

/** The person who has an address, inserted if there is none. Concurrent calls get the same person. */
export async function findOrInsertUser(tx: Tx, user: NewUser & { readonly email: string }): Promise<UserId> {
  const [newRow] = await insertUserRow(tx, user, 'taken stays');
  if (newRow) return newRow.id;
  const holder = tx.selectFrom('users').select('id').where('email', '=', user.email).forKeyShare();
  // If the person was deleted between the two statements, try again.
  return (await holder.executeTakeFirst())?.id ?? findOrInsertUser(tx, user);
}

export const hasUsers = async (sql: Db): Promise<boolean> =>
  (await sql.selectFrom('users').select('id').limit(1).execute()).length > 0;

type AccountKey = { readonly now: Date; readonly email?: string; readonly userId?: UserId };
const selectAccount = prepared((sql, { now, email, userId }: AccountKey, by: 'email' | 'id') =>
  sql
    .selectFrom('users')
    .leftJoin('passwords', 'passwords.user_id', 'users.id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.confirmed_at', 'users.time_zone', 'users.mfa_enabled'])
    .select([
      'users.language',
      'users.language_chosen',
      'passwords.sealed_phc as password',
      'passwords.changed_at as password_changed_at',
    ])
    .select('account_deletions.due_at as deletion_due_at')
    .select((query) =>
      query
        .selectFrom('restrictions')
        .whereRef('restrictions.user_id', '=', 'users.id')
        .where(holdsAt(now))
        .select((inner) => inner.fn.max('restrictions.ends_at').as('ends_at'))
        .as('restricted_until'),
    )
    .$if(by === 'email', (query) => query.where('users.email', '=', email as string))
    .$if(by === 'id', (query) => query.where('users.id', '=', userId as UserId)),
);

export const findAccount = async (sql: Db, email: string, now: Date) =>
  (await selectAccount(sql, { email, now }, 'email')).at(0);

export const findAccountById = async (sql: Db, userId: UserId, now: Date) =>
  (await selectAccount(sql, { userId, now }, 'id')).at(0);
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** Each transaction that opens something for a person, or ends everything of theirs, takes this lock first. */
export async function lockAccount(tx: Tx, userId: UserId, now: Date) {
  await lockUser(tx, userId);
  return findAccountById(tx, userId, now);
}

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

/** A new password lifts the restriction that wrong codes brought. An operator's restriction stays. */
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
    .select(['id', 'email', 'first_name', 'last_name', 'confirmed_at', 'time_zone', 'language', 'country'])
    .where('id', '=', userId)
    .executeTakeFirst();

export const findUserByEmail = (sql: Db, email: string) =>
  sql
    .selectFrom('users')
    .select(['id', 'email', 'confirmed_at'])
    .where('email', '=', email)
    .executeTakeFirst();

export const findPassword = (sql: Db, userId: UserId): Promise<SealedPassword | undefined> =>
  sql
    .selectFrom('passwords')
    .select(['user_id as owner', 'sealed_phc as sealed'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

export function storePassword(tx: Tx, keys: Keys, userId: UserId, phc: string, now: Date) {
  const row = { sealed_phc: sealPassword(keys, userId, phc), changed_at: now };
  return tx
    .insertInto('passwords')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** Stores the same password under the current cost, unless the password changed meanwhile. */
export const rehashPassword = (tx: Tx, keys: Keys, userId: UserId, before: SealedPassword, phc: string) =>
  tx
    .updateTable('passwords')
    .set({ sealed_phc: sealPassword(keys, userId, phc) })
    .where('user_id', '=', userId)
    .where('sealed_phc', '=', before.sealed)
    .execute();

export const deletePassword = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('passwords').where('user_id', '=', userId).execute();

export async function deleteUser(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).execute();
  wakeAfterCommit(tx);
}

/** Records when the mailbox of the account was proven. An older proof changes nothing. */
export const confirmUser = (tx: Tx, userId: UserId, provenAt: Date) =>
  tx
    .updateTable('users')
    .set({ confirmed_at: provenAt })
    .where('id', '=', userId)
    .where((user) => user.or([user('confirmed_at', 'is', null), user('confirmed_at', '<', provenAt)]))
    .execute();

/** Records a newer proof of a confirmed address. It never confirms an unconfirmed one. */
export const renewProof = (tx: Tx, userId: UserId, provenAt: Date) =>
  tx
    .updateTable('users')
    .set({ confirmed_at: provenAt })
    .where('id', '=', userId)
    .where('confirmed_at', '<', provenAt)
    .execute();

/** Locks the row; inserts of rows that refer to the person do not wait. */
export const lockProfile = (tx: Tx, userId: UserId) =>
  tx
    .selectFrom('users')
    .select(['email', 'first_name', 'last_name', 'designation', 'country', 'time_zone', 'language'])
    .select('contact_number')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
type UserPatch = Partial<Awaited<ReturnType<typeof lockProfile>>> & { phone_e164?: string | null };

export const updateUser = (tx: Tx, userId: UserId, patch: UserPatch) =>
  claim('users_email_key', tx.updateTable('users').set(patch).where('id', '=', userId).execute());

const selectProfile = prepared(
  (sql, { userId, roleId }: { readonly userId: UserId; readonly roleId: RoleId | null }) =>
    sql
      .selectFrom('users')
      .leftJoin('passwords', 'passwords.user_id', 'users.id')
      .leftJoin('pending_emails', 'pending_emails.user_id', 'users.id')
      .leftJoin('pictures', 'pictures.user_id', 'users.id')
      .leftJoin('roles', (join) => join.on('roles.id', '=', roleId))
      .select(['users.id', 'users.first_name as firstName', 'users.last_name as lastName', 'users.email'])
      .select([
        'users.contact_number as contactNumber',
        'users.designation',
        'users.country',
        'users.language',
      ])
      .select(['users.time_zone as timeZone', 'users.mfa_enabled as mfaEnabled', 'users.confirmed_at'])
      .select(['passwords.user_id as password', 'roles.name as userRole', 'pictures.file_id as picture'])
      .select('pending_emails.email as pendingEmail')
      .select(ruledMembershipsOf(raw.ref<UserId>('users.id')).as('ruled'))
      .where('users.id', '=', userId),
);
export async function findProfile(
  sql: Db,
  userId: UserId,
  roleId: RoleId | undefined,
  { clock }: Pick<Deps, 'clock'>,
): Promise<User | undefined> {
  const [row] = await selectProfile(sql, { userId, roleId: roleId ?? null });
  if (!row) return undefined;
  const { confirmed_at: confirmedAt, password, picture, ruled, ...profile } = row;
  const [company] = closingCompanies(ruled.map(membershipIn), clock.now());
  return {
    ...profile,
    fullName: personName(row.firstName, row.lastName, row.email),
    profilePictureUrl: picture && pictureUrl(picture),
    confirmed: confirmedAt !== null,
    hasPassword: password !== null,
    addressManager: company?.organization ?? null,
  };
}

export async function getUser(
  sql: Db,
  userId: UserId,
  roleId: RoleId | undefined,
  deps: Pick<Deps, 'clock'>,
): Promise<User> {
  const user = await findProfile(sql, userId, roleId, deps);
  if (!user) throw new Error('the person is gone');
  return user;
}
