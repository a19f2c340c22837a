import { Refusal } from '#contract/errors.ts';
import type { profile } from '#contract/profile/calls.ts';
import type { emailRestore } from '#contract/profile/restore.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { changePerson, readProfile } from './actions.ts';
import { cancelPendingEmail, resendPendingEmail } from '#server/profile/contact/actions.ts';
import { changePassword } from '#server/profile/password/actions.ts';
import { restoreEmail } from '#server/profile/restore/actions.ts';

export const profileRoutes = (deps: Deps): Handlers<typeof profile & typeof emailRestore> => ({
  read: ({ caller, scope }) => readProfile(deps, caller, scope),
  update: async ({ input, caller, scope, origin, cookies }) => {
    const user = await changePerson(deps, caller, input, scope, ipPrefix(origin.ipAddress));
    if (input.language !== undefined && !(user instanceof Refusal)) cookies.language.set(input.language);
    return user;
  },
  resendPendingEmail: ({ caller, origin }) =>
    resendPendingEmail(deps, caller.userId, ipPrefix(origin.ipAddress)),
  cancelPendingEmail: ({ caller }) => cancelPendingEmail(deps, caller.userId),
  changePassword: async ({ input, caller, origin, cookies }) => {
    const token = await changePassword(deps, caller, input, origin);
    if (token instanceof Refusal) return token;
    cookies.session.set(token);
    return {};
  },
  restoreEmail: ({ input }) => restoreEmail(deps, input.digest),
});
