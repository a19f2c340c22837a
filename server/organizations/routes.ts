import type { organizations } from '#contract/organizations.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { createOrganization, initialize } from '#server/organizations/actions.ts';
import { listOrganizations } from '#server/organizations/data.ts';

export const organizationRoutes = (deps: Deps): Handlers<typeof organizations> => ({
  init: ({ caller, scope }) => initialize(deps, caller.userId, scope),
  list: ({ caller }) => listOrganizations(deps.sql, caller.userId),
  create: ({ input, caller }) => createOrganization(deps, caller.userId, input),
});
