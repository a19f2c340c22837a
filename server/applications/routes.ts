import type { authorization } from '#contract/applications/authorization.ts';
import type { connectedApplications } from '#contract/applications/connected.ts';
import type { applicationIcons } from '#contract/applications/icons.ts';
import type { ownApplications } from '#contract/applications/own.ts';
import type { applicationSignOut } from '#contract/applications/sign-outs.ts';
import { answerAuthorization, showRequest } from './authorization.ts';
import { listConnected, removeAccess } from './grants.ts';
import {
  changeApplication,
  listApplications,
  own,
  registerApplication,
  readApplicationIcon,
  uploadApplicationIcon,
} from './own.ts';
import { confirmSignOut, showSignOut } from './sign-outs.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { senderOf } from '#server/images.ts';

export const applicationRoutes = (deps: Deps): Handlers<typeof authorization> => ({
  show: ({ input, caller }) => showRequest(deps, caller, input),
  answer: ({ input, caller }) => answerAuthorization(deps, caller, input),
});

export const connectedRoutes = (deps: Deps): Handlers<typeof connectedApplications> => ({
  listConnected: ({ caller }) => listConnected(deps, caller),
  removeAccess: ({ caller, input }) => removeAccess(deps, caller, input),
});

export const ownApplicationRoutes = (deps: Deps): Handlers<typeof ownApplications> => ({
  listOwn: ({ scope }) => listApplications(deps, scope),
  register: ({ input, scope, caller }) => registerApplication(deps, { ...caller, ...scope }, input),
  change: ({ input, scope, caller }) => changeApplication(deps, { ...caller, ...scope }, input),
  unregister: ({ input, scope, caller }) => own.remove(deps, { ...caller, ...scope }, input.id, input.title),
  rotateSecret: ({ input, scope, caller }) => own.rotateSecret(deps, { ...caller, ...scope }, input.id),
  pause: ({ input, scope, caller }) => own.pause(deps, { ...caller, ...scope }, input.id, input.isPaused),
});

export const applicationIconRoutes = (deps: Deps): Handlers<typeof applicationIcons> => ({
  uploadApplicationIcon: ({ input, scope, ...call }) =>
    uploadApplicationIcon(deps, { ...call.caller, ...scope }, input, senderOf(call)),
  applicationIcon: ({ input }) => readApplicationIcon(deps, input),
});

export const applicationSignOutRoutes = (deps: Deps): Handlers<typeof applicationSignOut> => ({
  showSignOut: ({ input, caller }) => showSignOut(deps, caller, input),
  confirmSignOut: async ({ input, caller, cookies }) => {
    const answer = await confirmSignOut(deps, caller, input);
    if ('url' in answer) cookies.session.clear();
    return answer;
  },
});
