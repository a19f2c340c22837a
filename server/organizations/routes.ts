import { Refusal, refuse } from '#contract/errors.ts';
import type { organizations, organizationSettings } from '#contract/organizations/calls.ts';
import type { secondStepRules } from '#contract/organizations/second-step.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { personOf } from '#server/keys.ts';
import {
  createOrganization,
  initialize,
  leaveOrganization,
  listOwnOrganizations,
  readApplication,
  readOrganization,
  updateOrganization,
} from './actions.ts';
import { readRule, setRule } from '#server/organizations/second-step/actions.ts';

export const organizationRoutes = (deps: Deps): Handlers<typeof organizations> => ({
  init: async ({ caller, scope, cookies }) => {
    const view = await initialize(deps, caller, scope);
    if (view instanceof Refusal) return view;
    if (view.user.language !== null) cookies.language.set(view.user.language);
    return { person: personOf(deps.keys, caller.userId), ...view };
  },
  list: ({ caller }) => listOwnOrganizations(deps, caller),
  create: ({ input, caller, origin }) => createOrganization(deps, caller, input, origin),
});

export const organizationSettingsRoutes = (deps: Deps): Handlers<typeof organizationSettings> => ({
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

export const secondStepRuleRoutes = (deps: Deps): Handlers<typeof secondStepRules> => ({
  rule: ({ scope, caller }) => readRule(deps, scope, caller),
  setRule: ({ scope, caller, input }) => setRule(deps, scope, caller, input),
});
