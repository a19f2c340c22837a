import type { rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { forgetBrowsers } from '#server/sign-in/remembered/actions.ts';

export const rememberedRoutes = (deps: Deps): Handlers<typeof rememberedBrowsers> => ({
  forget: ({ caller, input }) => forgetBrowsers(deps, caller.userId, input.id),
});
