import type { ExpressionBuilder } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { User } from '#contract/user.ts';
import type { RoleId, UserId } from '#contract/wire.ts';
import { fullName, pictureUrl } from '#server/accounts/rules.ts';
import { claim } from '#server/db/constraints.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Tables } from '#server/db/tables.ts';
import type { PasswordRecord } from '#server/passwords.ts';

type NewUser = {
  readonly email: string | null;
  readonly country: string | null;
  readonly timeZone: string | null;
  readonly createdAt: Date;
  readonly confirmedAt?: Date | null;
  readonly firstName?: string;
  readonly lastName?: string;
};

const userAdded = prepared((tx, user: Required<NewUser>, taken: 'taken fails' | 'taken stays') =>
  tx
    .insertInto('users')
    .values({
      email: user.email,
      country: user.country,
      time_zone: user.timeZone,
      created_at: user.createdAt,
      confirmed_at: user.confirmedAt,
      first_name: user.firstName,
      last_name: user.lastName,
    })
    .$if(taken === 'taken stays', (query) =>
      query.onConflict((conflict) => conflict.constraint('users_email_key').doNothing()),
    )
    .returning('id'),
);
const whole = (user: NewUser) => ({ confirmedAt: null, firstName: '', lastName: '', ...user });

export const insertUser = async (tx: Tx, user: NewUser) => {
  const added = await claim('users_email_key', userAdded(tx, whole(user), 'taken fails'));
  if (added instanceof Refusal) return added;
  const [row] = added;
  if (!row) throw new Error('the person was not added');
  return row;
};

/** The person of an address, made without a password where nobody has it yet; two at once get the same one. */
export async function findOrInsertUser(tx: Tx, user: NewUser & { readonly email: string }): Promise<UserId> {
  const [inserted] = await userAdded(tx, whole(user), 'taken stays');
  if (inserted) return inserted.id;
  const there = tx.selectFrom('users').select('id').where('email', '=', user.email).forKeyShare();
  // Who was there a moment ago may be gone, and their address with them.
  return (await there.executeTakeFirst())?.id ?? findOrInsertUser(tx, user);
}

/** Left over by an invitation: nobody has ever been them, and they belong nowhere (any more). */
const isNobodys = (user: ExpressionBuilder<Tables, 'users'>) =>
  user.and([
    user('users.confirmed_at', 'is', null),
    ...(['passwords', 'social_identities', 'memberships', 'account_deletions'] as const).map((table) =>
      user.not(user.exists(user.selectFrom(table).select('user_id').whereRef('user_id', '=', 'users.id'))),
    ),
  ]);

/** Whether nobody has ever been this person, and they belong nowhere. */
export const isLeftOver = async (sql: Db, userId: UserId): Promise<boolean> =>
  (await sql
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isNobodys)
    .executeTakeFirst()) !== undefined;

/** Frees an address that an invitation has left over: names others gave with it and links mailed to it are gone. */
export async function freeAddress(tx: Tx, email: string): Promise<void> {
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where(isNobodys)
    .forUpdate()
    .executeTakeFirst();
  // Asked again once they are held: they may have been invited, or have come, meanwhile.
  if (found) await tx.deleteFrom('users').where('id', '=', found.id).where(isNobodys).execute();
}

type Known = { readonly now: Date; readonly email?: string; readonly userId?: UserId };
/** What sign-in needs to know of a person, in one row: the password, what blocks them now. */
const accountOf = prepared((sql, { now, email, userId }: Known, by: 'email' | 'id') =>
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
    )
    .$if(by === 'email', (query) => query.where('users.email', '=', email as string))
    .$if(by === 'id', (query) => query.where('users.id', '=', userId as UserId)),
);

export const findAccount = async (sql: Db, email: string, now: Date) =>
  (await accountOf(sql, { email, now }, 'email')).at(0);

export const findAccountById = async (sql: Db, userId: UserId, now: Date) =>
  (await accountOf(sql, { userId, now }, 'id')).at(0);
export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/**
 * The account as it is now, held until the transaction ends. Whoever opens something for a person or ends everything
 * of theirs holds it first, so that the one sees what the other did.
 */
export async function holdAccount(tx: Tx, userId: UserId, now: Date) {
  await personHeld(tx, { userId });
  return findAccountById(tx, userId, now);
}
const personHeld = prepared((tx, { userId }: { readonly userId: UserId }) =>
  tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate(),
);

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

export const storePassword = (tx: Tx, userId: UserId, record: PasswordRecord, now: Date) =>
  tx
    .insertInto('passwords')
    .values({ user_id: userId, phc: record.phc, key_id: record.keyId, changed_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ phc: record.phc, key_id: record.keyId, changed_at: now }),
    )
    .execute();

/** The same password under today's key and cost; only if nobody changed it meanwhile. */
export const rehashPassword = (tx: Tx, userId: UserId, before: PasswordRecord, after: PasswordRecord) =>
  tx
    .updateTable('passwords')
    .set({ phc: after.phc, key_id: after.keyId })
    .where('user_id', '=', userId)
    .where('phc', '=', before.phc)
    .execute();

export const deletePassword = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('passwords').where('user_id', '=', userId).execute();

/** The person with all that hangs on them: what they could sign in with, where they belong, what was set. */
export const deleteUser = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('users').where('id', '=', userId).execute();

export const confirmUser = (tx: Tx, userId: UserId, now: Date) =>
  tx
    .updateTable('users')
    .set({ confirmed_at: now })
    .where('id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute();

/** What a person may change of themself, as it is; held until the transaction ends. Rows that only refer to them are not held up. */
export const lockUser = (tx: Tx, userId: UserId) =>
  tx
    .selectFrom('users')
    .select(['email', 'first_name', 'last_name', 'designation', 'country', 'time_zone', 'contact_number'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
type UserPatch = Partial<Awaited<ReturnType<typeof lockUser>>> & { phone_e164?: string | null };

export const updateUser = (tx: Tx, userId: UserId, patch: UserPatch) =>
  claim('users_email_key', tx.updateTable('users').set(patch).where('id', '=', userId).execute());

const profileOf = prepared(
  (sql, { userId, roleId }: { readonly userId: UserId; readonly roleId: RoleId | null }) =>
    sql
      .selectFrom('users')
      .leftJoin('passwords', 'passwords.user_id', 'users.id')
      .leftJoin('pending_emails', 'pending_emails.user_id', 'users.id')
      .leftJoin('pictures', 'pictures.user_id', 'users.id')
      .leftJoin('roles', (join) => join.on('roles.id', '=', roleId))
      .select([
        'users.id',
        'users.first_name',
        'users.last_name',
        'users.contact_number',
        'users.designation',
      ])
      .select(['users.time_zone', 'users.country', 'users.email', 'users.confirmed_at', 'users.mfa_enabled'])
      .select(['passwords.user_id as password', 'roles.name as role', 'pictures.file_id as picture'])
      .select('pending_emails.email as pendingEmail')
      .where('users.id', '=', userId),
);
/** The person as the area shows them, with their role where one is given. */
export async function findProfile(
  sql: Db,
  userId: UserId,
  roleId: RoleId | undefined,
): Promise<User | undefined> {
  const [row] = await profileOf(sql, { userId, roleId: roleId ?? null });
  if (!row) return undefined;
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    fullName: fullName(row),
    contactNumber: row.contact_number,
    profilePictureUrl: row.picture && pictureUrl(row.picture),
    designation: row.designation,
    userRole: row.role,
    timeZone: row.time_zone,
    country: row.country,
    email: row.email,
    pendingEmail: row.pendingEmail,
    confirmed: row.confirmed_at !== null,
    mfaEnabled: row.mfa_enabled,
    hasPassword: row.password !== null,
  };
}

/** The same of somebody who is there. */
export async function getUser(sql: Db, userId: UserId, roleId: RoleId | undefined): Promise<User> {
  const user = await findProfile(sql, userId, roleId);
  if (!user) throw new Error('the person is gone');
  return user;
}
