// The stored second steps of people: passkeys, authenticator apps and recovery codes. Each proof is used up in one statement.
import { sql as raw } from 'kysely';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { sha256 } from '#server/keys.ts';
import { mayAct } from '#server/accounts/data-restrictions.ts';
import type { Factors } from './rules.ts';

const selectFactors = prepared((sql, { userId }: { readonly userId: UserId }) =>
  sql
    .selectFrom('users')
    .leftJoin('authenticator_apps', 'authenticator_apps.user_id', 'users.id')
    .select((user) => [
      raw<boolean>`users.email is not null and users.confirmed_at is not null`.as('isMailConfirmed'),
      raw<boolean>`authenticator_apps.user_id is not null`.as('hasApp'),
      user
        .selectFrom('passkeys')
        .whereRef('passkeys.user_id', '=', 'users.id')
        .select((row) => row.fn.countAll<number>().as('count'))
        .as('passkeys'),
      user
        .selectFrom('recovery_codes')
        .whereRef('recovery_codes.user_id', '=', 'users.id')
        .where('recovery_codes.used_at', 'is', null)
        .select((row) => row.fn.countAll<number>().as('count'))
        .as('recoveryCodesLeft'),
    ])
    .where('users.id', '=', userId),
);
export async function findFactors(sql: Db, userId: UserId): Promise<Factors> {
  const [row] = await selectFactors(sql, { userId });
  const { passkeys, recoveryCodesLeft, ...rest } = row ?? { isMailConfirmed: false, hasApp: false };
  return { ...rest, passkeys: passkeys ?? 0, recoveryCodesLeft: recoveryCodesLeft ?? 0 };
}

/** The only organization with a rule for the person, if another Super Admin could free them from it for a while. */
export async function findHelper(sql: Db, userId: UserId, now: Date) {
  const [asking, ...more] = await sql
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .where('memberships.user_id', '=', userId)
    .where((row) =>
      row.or([row('memberships.status', '=', MEMBER_STATUS.active), row('paused_at', 'is not', null)]),
    )
    .select((row) => [
      'organizations.name',
      row
        .exists(
          row
            .selectFrom('memberships as helpers')
            .innerJoin('roles', 'roles.id', 'helpers.role_id')
            .whereRef('helpers.org_id', '=', 'organizations.id')
            .where('helpers.user_id', '<>', userId)
            .where('helpers.status', '=', MEMBER_STATUS.active)
            .where('roles.kind', '=', 'super-admin')
            .where(mayAct(raw.ref('helpers.user_id'), now))
            .select('helpers.id'),
        )
        .as('hasHelper'),
    ])
    .where('second_step_rule', '<>', 'none')
    .limit(2)
    .execute();
  return asking?.hasHelper && more.length === 0 ? asking.name : undefined;
}

/** A passkey by its credential id, which no two people share. */
export const findPasskey = (sql: Db, credentialId: Uint8Array) =>
  sql
    .selectFrom('passkeys')
    .innerJoin('passkey_owners', 'passkey_owners.user_id', 'passkeys.user_id')
    .select(['handle', 'credential_id', 'passkeys.user_id', 'public_key', 'sign_count'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();

export const listPasskeys = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('passkeys')
    .select(['credential_id', 'aaguid', 'name', 'transports', 'is_synced', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute();

/** The mark that stands for every challenge that expires with it or before it. */
const EARLIER_CHALLENGES = sha256('earlier challenges');
const markOfEarlier = (tx: Tx) =>
  tx.selectFrom('passkey_challenges').select('hash').where('hash', '=', EARLIER_CHALLENGES);

/** Marks a challenge as answered until it expires. Returns undefined if it was answered before. */
export const usePasskeyChallenge = (tx: Tx, hash: Uint8Array, expiresAt: Date) =>
  tx
    .insertInto('passkey_challenges')
    .columns(['hash', 'expires_at'])
    .expression(
      tx
        .selectNoFrom([
          raw<Uint8Array>`${hash}::bytea`.as('hash'),
          raw<Date>`${expiresAt}::timestamptz`.as('expires_at'),
        ])
        .where((row) => row.not(row.exists(markOfEarlier(tx).where('expires_at', '>=', expiresAt)))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();

type Past = { readonly now: Date; readonly lastStep: number; readonly challengesUntil: Date };
/** Marks everyone's past codes and challenges as used. Returns the owners of recovery codes. */
export async function markPastUsed(tx: Tx, { now, lastStep, challengesUntil }: Past) {
  await tx
    .updateTable('authenticator_apps')
    .set({ last_step: lastStep })
    .where('last_step', '<', lastStep)
    .execute();
  const mark = { hash: EARLIER_CHALLENGES, expires_at: challengesUntil };
  await tx
    .insertInto('passkey_challenges')
    .values(mark)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(mark))
    .execute();
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('used_at', 'is', null)
    .returning('user_id')
    .execute();
  return [...new Set(used.map((row) => row.user_id))];
}

type Use = { readonly signCount: number; readonly isSynced: boolean; readonly now: Date };
/** Records a use of a passkey and returns its former sign count. Returns undefined if it was removed meanwhile. */
export async function touchPasskey(tx: Tx, credentialId: Uint8Array, { signCount, isSynced, now }: Use) {
  const former = await tx
    .selectFrom('passkeys')
    .select('sign_count')
    .where('credential_id', '=', credentialId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!former) return undefined;
  await tx
    .updateTable('passkeys')
    .set({ sign_count: Math.max(former.sign_count, signCount), is_synced: isSynced, last_used_at: now })
    .where('credential_id', '=', credentialId)
    .execute();
  return former.sign_count;
}

export const findApp = (sql: Db, userId: UserId) =>
  sql
    .selectFrom('authenticator_apps')
    .select(['secret', 'last_step', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Uses the code of a time step. Returns undefined if that step or a later one was used before. */
export const useAppStep = (tx: Tx, userId: UserId, step: number, now: Date) =>
  tx
    .updateTable('authenticator_apps')
    .set({ last_step: step, last_used_at: now })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();

export const findRecoveryCode = (sql: Db, userId: UserId, hashes: readonly Uint8Array[]) =>
  sql
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .executeTakeFirst();

/** Uses a recovery code and returns how many are left. Of two concurrent uses one wins. */
export async function useRecoveryCode(tx: Tx, userId: UserId, hash: Uint8Array, now: Date) {
  const result = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return result && (await findFactors(tx, userId)).recoveryCodesLeft;
}

/** How many recovery codes are left, and when they were made; null before the first. */
export async function countRecoveryCodes(sql: Db, userId: UserId) {
  const row = await sql
    .selectFrom('recovery_codes')
    .select((code) => [
      code.fn.countAll<number>().filterWhere('used_at', 'is', null).as('left'),
      code.fn.max('created_at').as('createdTime'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.createdTime && { left: row.left, createdTime: row.createdTime };
}

export async function replaceRecoveryCodes(tx: Tx, userId: UserId, hashes: readonly Uint8Array[], now: Date) {
  await deleteRecoveryCodes(tx, userId);
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: now }));
  await tx.insertInto('recovery_codes').values(rows).execute();
}

export const deleteRecoveryCodes = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();

export async function deleteFactors(tx: Tx, userId: UserId, since = new Date(0)) {
  for (const table of ['passkeys', 'authenticator_apps', 'recovery_codes'] as const)
    await tx.deleteFrom(table).where('user_id', '=', userId).where('created_at', '>=', since).execute();
}

/** A thief may have allowed it; the owner is asked again. Access without a question stays. */
export const deleteConsents = (tx: Tx, userId: UserId, since = new Date(0)) =>
  tx
    .deleteFrom('application_grants')
    .where('user_id', '=', userId)
    .where('consented_at', '>=', since)
    .execute();

export const setMfa = (tx: Tx, userId: UserId, on: boolean) =>
  tx
    .updateTable('users')
    .set({ mfa_enabled: on })
    .where('id', '=', userId)
    .where('mfa_enabled', '<>', on)
    .returning(['id', 'email'])
    .executeTakeFirst();
