import type { sessions } from '#contract/sessions.ts';
import type { Handlers } from '#server/http/serve.ts';

export const sessionRoutes = (): Handlers<typeof sessions> => ({
  // Finding the session has already noted that the person is active; there is nothing more to do.
  beacon: async () => undefined,
});
