import { refuse } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { findAccountById } from '#server/accounts/data.ts';
import type { Deps } from '#server/deps.ts';
import { countRecoveryCodes, findApp } from '#server/sign-in/factors/data.ts';
import { locksOf } from '#server/sign-in/locks/locks.ts';
import { listOwnPasskeys } from '#server/sign-in/passkeys/actions.ts';
import { listRememberedBrowsers } from '#server/sign-in/remembered/actions.ts';

export async function readWaysIn(deps: Deps, userId: UserId, device: string | undefined) {
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  if (!account) return refuse('not_signed_in');
  const app = await findApp(deps.sql, userId);
  return {
    passkeys: await listOwnPasskeys(deps, userId),
    app: app ? { createdTime: app.created_at, lastUsedTime: app.last_used_at } : null,
    recoveryCodes: await countRecoveryCodes(deps.sql, userId),
    rememberedBrowsers: await listRememberedBrowsers(deps, userId, device),
    ...(await locksOf(deps.sql, deps, account)),
  };
}
