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
  readPasswordOwner,
  resetPassword,
} from './actions.ts';

export const recoveryRoutes = (deps: Deps, invitations: FirstPasswordPort): Handlers<typeof recovery> => ({
  forgotPassword: ({ input, origin }) => forgotPassword(deps, input.email, origin),
  passwordOwner: ({ input }) => readPasswordOwner(deps, input.digest, invitations),
  resetPassword: async ({ input, origin, cookies }) => {
    const browser = await resetPassword(deps, input, { client: origin, device: cookies.device.value });
    if (browser instanceof Refusal) return browser;
    cookies.device.set(browser.device);
    return {};
  },
  createPassword: async ({ input, origin, caller, cookies }) => {
    const client = { ...origin, replacedSession: caller?.sessionId };
    const browser = { client, device: cookies.device.value };
    const session = await createPassword(deps, input, browser, invitations);
    if (session instanceof Refusal) return session;
    if (session) giveCookies(cookies, session, 'password');
    return {};
  },
  notMe: ({ input }) => notMe(deps, input.digest),
});
