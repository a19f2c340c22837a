import type { connectedApplications } from '#contract/applications/connected.ts';
import { listConnected, removeAccess } from '#server/applications/grants/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const connectedRoutes = (deps: Deps): Handlers<typeof connectedApplications> => ({
  listConnected: ({ caller }) => listConnected(deps, caller),
  removeAccess: ({ caller, input }) => removeAccess(deps, caller, input),
});
