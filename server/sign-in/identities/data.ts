import type { ProviderName } from '#contract/social/calls.ts';
import type { UserId } from '#contract/wire.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { NewRow } from '#server/db/tables.ts';

/** Lets an account at a provider open this account. Returns false if it already opens one. */
export async function insertIdentity(tx: Tx, identity: NewRow<'social_identities'>): Promise<boolean> {
  const row = await tx
    .insertInto('social_identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function listProviders(sql: Db, userId: UserId): Promise<ProviderName[]> {
  const rows = await sql
    .selectFrom('social_identities')
    .select('provider')
    .distinct()
    .where('user_id', '=', userId)
    .orderBy('provider')
    .execute();
  return rows.map(({ provider }) => provider);
}

type Choice = { readonly keepFirst?: boolean; readonly provider?: ProviderName };
/** `keepFirst` keeps the identity of the account's creation, because an intruder cannot have added it. */
export const deleteIdentities = (tx: Tx, userId: UserId, { keepFirst = false, provider }: Choice = {}) =>
  tx
    .deleteFrom('social_identities')
    .where('user_id', '=', userId)
    .$if(provider !== undefined, (query) => query.where('provider', '=', provider as ProviderName))
    .$if(keepFirst, (query) =>
      query.where('created_at', '>', (of) =>
        of.selectFrom('users').select('users.created_at').where('users.id', '=', userId),
      ),
    )
    .execute();
