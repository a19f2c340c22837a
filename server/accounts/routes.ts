import type { accounts } from '#contract/accounts/calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { terms } from '#contract/accounts/terms.ts';
import { agree, type SessionPort, signUp } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import { giveCookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/serve.ts';

export const accountRoutes = (
  deps: Deps,
  sessions: SessionPort,
): Handlers<typeof accounts & typeof terms> => ({
  agree: ({ caller, input }) => agree(deps, caller.userId, input.version),
  signUp: async ({ input, origin, caller, cookies }) => {
    const client = { ...origin, replacedSession: caller?.sessionId };
    const result = await signUp(deps, input, { client, device: cookies.device.value }, sessions);
    if (result instanceof Refusal) return result;
    if (!result) return { confirmed: false };
    giveCookies(cookies, result, 'password');
    return { id: result.id, confirmed: false };
  },
});
