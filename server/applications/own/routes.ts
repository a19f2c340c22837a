import type { ownApplications } from '#contract/applications/own.ts';
import {
  changeApplication,
  listApplications,
  own,
  registerApplication,
} from '#server/applications/own/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const ownApplicationRoutes = (deps: Deps): Handlers<typeof ownApplications> => ({
  listOwn: ({ scope }) => listApplications(deps, scope),
  register: ({ input, scope, caller }) => registerApplication(deps, { ...caller, ...scope }, input),
  change: ({ input, scope, caller }) => changeApplication(deps, { ...caller, ...scope }, input),
  unregister: ({ input, scope, caller }) => own.remove(deps, { ...caller, ...scope }, input.id, input.title),
  rotateSecret: ({ input, scope, caller }) => own.rotateSecret(deps, { ...caller, ...scope }, input.id),
  pause: ({ input, scope, caller }) => own.pause(deps, { ...caller, ...scope }, input.id, input.isPaused),
});
