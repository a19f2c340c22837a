import type { secondStepRules } from '#contract/organizations/second-step.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';
import { readRule, setRule } from '#server/organizations/second-step/actions.ts';

export const secondStepRuleRoutes = (deps: Deps): Handlers<typeof secondStepRules> => ({
  rule: ({ scope, caller }) => readRule(deps, scope, caller),
  setRule: ({ scope, caller, input }) => setRule(deps, scope, caller, input),
});
