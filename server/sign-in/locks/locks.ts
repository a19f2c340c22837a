import type { ProviderName } from '#contract/social/calls.ts';
import { listMemberships } from '#server/access/data.ts';
import { strictestStep } from '#server/access/rules.ts';
import type { Account } from '#server/accounts/data.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { listProviders } from '#server/sign-in/identities/data.ts';
import { supportsPasskeys } from '#server/sign-in/factors/actions.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { appLock, passkeyLock, twoStepLock } from '#server/sign-in/factors/rules.ts';
import { providerOf } from '#server/social/provider/providers.ts';

type Ways = { readonly passkeys: number; readonly providers: readonly ProviderName[] };
/** Whether a password or one of these ways opens the account. A password needs an address to sign in with. */
export const hasWayIn = (deps: Deps, { password, email }: Account, { passkeys, providers }: Ways) =>
  (password !== null && email !== null) ||
  (passkeys > 0 && supportsPasskeys(deps)) ||
  providers.some((name) => providerOf(deps.config, name));

export async function locksOf(sql: Db, deps: Deps, account: Account) {
  const { rule, organization } = strictestStep(await listMemberships(sql, account.id), deps.clock.now());
  const own = { ...(await findFactors(sql, account.id)), isTwoStepOn: account.mfa_enabled };
  const ways = { passkeys: own.passkeys - 1, providers: await listProviders(sql, account.id) };
  const locks = {
    passkey: passkeyLock(rule, own, hasWayIn(deps, account, ways)),
    app: appLock(rule, own),
    twoStep: twoStepLock(rule, own),
  };
  return { locks, requiredBy: organization };
}
