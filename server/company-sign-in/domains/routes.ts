import type { companyDomains } from '#contract/company-sign-in/domains.ts';
import { addDomain, changeDomain, checkDomain, listDomainsOf, removeDomain } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const domainRoutes = (deps: Deps): Handlers<typeof companyDomains> => ({
  list: ({ scope, caller }) => listDomainsOf(deps, { ...caller, ...scope }),
  add: ({ input, scope, caller }) => addDomain(deps, { ...caller, ...scope }, input),
  check: ({ input, scope, caller }) => checkDomain(deps, { ...caller, ...scope }, input.id),
  change: ({ input, scope, caller }) => changeDomain(deps, { ...caller, ...scope }, input),
  remove: ({ input, scope, caller }) => removeDomain(deps, { ...caller, ...scope }, input),
});
