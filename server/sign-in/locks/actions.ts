import type { Account } from '#server/accounts/data.ts';
import type { Db } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { listProviders } from '#server/sign-in/data.ts';
import { findFactors, findRule } from '#server/sign-in/factors/data.ts';
import { appLock, passkeyLock, twoStepLock } from '#server/sign-in/factors/rules.ts';
import { providerOf } from '#server/social/provider/actions.ts';

/** Whether a password or a provider opens the account. A password needs an address to sign in with. */
const hasOtherWayIn = async (sql: Db, { config }: Deps, account: Account) =>
  (account.phc !== null && account.email !== null) ||
  (await listProviders(sql, account.id)).some((name) => providerOf(config, name));

/** Why the person can't remove a passkey or the app, or turn two-step sign-in off. */
export async function locksOf(sql: Db, deps: Deps, account: Account) {
  const rule = await findRule(sql, account.id, deps.clock.now());
  const own = { ...(await findFactors(sql, account.id)), isTwoStepOn: account.mfa_enabled };
  return {
    passkey: passkeyLock(rule, own, await hasOtherWayIn(sql, deps, account)),
    app: appLock(rule, own),
    twoStep: twoStepLock(rule, own),
  };
}
