import type { accountDeletion } from '#contract/accounts/deletion.ts';
import type { accountRestore } from '#contract/accounts/restore.ts';
import { Refusal } from '#contract/errors.ts';
import { deleteAccount, readEffects, resendRestore, restoreAccount } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

export const deletionRoutes = (deps: Deps): Handlers<typeof accountDeletion & typeof accountRestore> => ({
  restore: ({ input }) => restoreAccount(deps, input.digest),
  resendRestore: ({ input, origin }) => resendRestore(deps, input.email, origin),
  effects: ({ caller }) => readEffects(deps, caller.userId),
  request: async ({ input, caller, cookies, origin }) => {
    const result = await deleteAccount(deps, caller, ipPrefix(origin.ipAddress), input);
    if (result instanceof Refusal) return result;
    for (const cookie of [cookies.session, cookies.challenge, cookies.device]) cookie.clear();
    return result;
  },
});
