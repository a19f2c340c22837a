import type { deletion } from '#contract/deletion.ts';
import { resendRestore, restoreAccount } from '#server/accounts/deletion/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const deletionRoutes = (deps: Deps): Handlers<typeof deletion> => ({
  restore: ({ input }) => restoreAccount(deps, input.digest),
  resendRestore: ({ input, origin }) => resendRestore(deps, input.email, origin),
});
