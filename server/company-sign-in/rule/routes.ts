import type { companyRules } from '#contract/company-sign-in/rule.ts';
import { readCompanyRule, setCompanyRule } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const companyRuleRoutes = (deps: Deps): Handlers<typeof companyRules> => ({
  read: ({ scope, caller }) => readCompanyRule(deps, { ...caller, ...scope }),
  set: ({ input, scope, caller }) => setCompanyRule(deps, { ...caller, ...scope }, input),
});
