import type { roles } from '#contract/roles/calls.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { createRole, readRoles, removeRole, updateRole } from './actions.ts';

export const roleRoutes = (deps: Deps): Handlers<typeof roles> => ({
  read: ({ input, scope }) => readRoles(deps, scope, input),
  create: ({ input, scope }) => createRole(deps, scope, input),
  update: async ({ input, scope }) => updateRole(deps, scope, input),
  remove: ({ input, scope }) => removeRole(deps, scope, input),
});
