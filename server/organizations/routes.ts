import { Refusal, refuse } from '#contract/errors.ts';
import type { organizations, organizationSettings } from '#contract/organizations.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import {
  createOrganization,
  initialize,
  leaveOrganization,
  readApplication,
  readOrganization,
  updateOrganization,
} from '#server/organizations/actions.ts';
import { listOrganizations } from '#server/organizations/data.ts';

export const organizationRoutes = (deps: Deps): Handlers<typeof organizations> => ({
  init: ({ caller, scope }) => initialize(deps, caller.userId, scope),
  list: ({ caller }) => listOrganizations(deps.sql, caller.userId),
  create: ({ input, caller, origin }) => createOrganization(deps, caller, input, origin),
});

/** The icon is drive's to set. */
type Settings = Omit<Handlers<typeof organizationSettings>, 'setIcon'>;
export const organizationSettingsRoutes = (deps: Deps): Settings => ({
  update: ({ input, scope }) => updateOrganization(deps, scope, input),
  leave: async ({ scope }) => (scope ? leaveOrganization(deps, scope) : refuse('org_not_found')),
  settings: async ({ scope }) => {
    const current = scope
      ? await readOrganization(deps.sql, scope.userId, scope.orgId)
      : refuse('org_not_found');
    return current instanceof Refusal ? current : { current };
  },
  application: async ({ scope }) =>
    scope ? readApplication(deps.sql, deps, scope.orgId) : refuse('org_not_found'),
});
