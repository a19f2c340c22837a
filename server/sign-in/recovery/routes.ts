import { Refusal } from '#contract/errors.ts';
import type { recovery } from '#contract/recovery.ts';
import type { Deps } from '#server/deps.ts';
import { giveCookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/serve.ts';
import {
  createPassword,
  type FirstPasswordDoor,
  forgotPassword,
  notMe,
  resetPassword,
} from '#server/sign-in/recovery/actions.ts';

export const recoveryRoutes = (
  deps: Deps,
  invitations: FirstPasswordDoor,
): Omit<Handlers<typeof recovery>, 'restoreEmail'> => ({
  forgotPassword: ({ input, origin }) => forgotPassword(deps, input.email, origin),
  resetPassword: async ({ input, origin, cookies }) => {
    const done = await resetPassword(deps, input, { place: origin, device: cookies.device.value });
    if (done instanceof Refusal) return done;
    cookies.device.set(done.device);
    return {};
  },
  createPassword: async ({ input, origin, caller, cookies }) => {
    const place = { ...origin, replacedSession: caller?.sessionId };
    const browser = { place, device: cookies.device.value };
    const opened = await createPassword(deps, input, browser, invitations);
    if (opened instanceof Refusal) return opened;
    if (opened) giveCookies(cookies, opened, 'password');
    return {};
  },
  notMe: ({ input }) => notMe(deps, input.digest),
});
