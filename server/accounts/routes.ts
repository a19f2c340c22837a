import type { accounts } from '#contract/accounts.ts';
import type { confirmation } from '#contract/confirmation.ts';
import { Refusal } from '#contract/errors.ts';
import {
  type NewAddressDoor,
  resendVerification,
  type SessionDoor,
  signUp,
  verifyEmail,
} from '#server/accounts/actions.ts';
import type { Deps } from '#server/deps.ts';
import { giveCookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/serve.ts';

export const accountRoutes = (
  deps: Deps,
  sessions: SessionDoor,
  moveTo: NewAddressDoor,
): Handlers<typeof accounts & typeof confirmation> => ({
  signUp: async ({ input, origin, caller, cookies }) => {
    const place = { ...origin, replacedSession: caller?.sessionId };
    const result = await signUp(deps, input, { place, device: cookies.device.value }, sessions);
    if (result instanceof Refusal) return result;
    if (!result) return { confirmed: false };
    giveCookies(cookies, result, 'password');
    return { id: result.id, confirmed: false };
  },
  verifyEmail: ({ input, origin, caller }) =>
    verifyEmail(deps, input, origin, caller?.userId, sessions, moveTo),
  resendVerification: ({ input, origin }) => resendVerification(deps, input.email, origin),
});
