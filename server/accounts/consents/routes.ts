import type { terms } from '#contract/accounts/terms.ts';
import { agree } from '#server/accounts/consents/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const termsRoutes = (deps: Deps): Handlers<typeof terms> => ({
  agree: ({ caller, input }) => agree(deps, caller.userId, input.version),
});
