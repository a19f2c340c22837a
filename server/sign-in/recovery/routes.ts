import { Refusal } from '#contract/errors.ts';
import type { recovery } from '#contract/sign-in/recovery.ts';
import type { Deps } from '#server/deps.ts';
import { giveCookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/serve.ts';
import {
  createPassword,
  type FirstPasswordPort,
  forgotPassword,
  notMe,
  resetPassword,
} from '#server/sign-in/recovery/actions.ts';

export const recoveryRoutes = (deps: Deps, invitations: FirstPasswordPort): Handlers<typeof recovery> => ({
  forgotPassword: ({ input, origin }) => forgotPassword(deps, input.email, origin),
  resetPassword: async ({ input, origin, cookies }) => {
    const done = await resetPassword(deps, input, { client: origin, device: cookies.device.value });
    if (done instanceof Refusal) return done;
    cookies.device.set(done.device);
    return {};
  },
  createPassword: async ({ input, origin, caller, cookies }) => {
    const client = { ...origin, replacedSession: caller?.sessionId };
    const browser = { client, device: cookies.device.value };
    const opened = await createPassword(deps, input, browser, invitations);
    if (opened instanceof Refusal) return opened;
    if (opened) giveCookies(cookies, opened, 'password');
    return {};
  },
  notMe: ({ input }) => notMe(deps, input.digest),
});
