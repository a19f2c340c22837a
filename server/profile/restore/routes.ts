import type { emailRestore } from '#contract/profile/restore.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { restoreEmail } from '#server/profile/restore/actions.ts';

export const restoreRoutes = (deps: Deps): Handlers<typeof emailRestore> => ({
  restoreEmail: ({ input }) => restoreEmail(deps, input.digest),
});
