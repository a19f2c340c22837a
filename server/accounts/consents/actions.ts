import { recordConsent } from '#server/accounts/consents/consent.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { UserId } from '#contract/wire.ts';

export const agree = (deps: Deps, userId: UserId, seen: string) =>
  transaction(deps.sql, async (tx) => {
    await lockUser(tx, userId);
    await recordConsent(tx, deps, userId, { seen });
    return {};
  });
