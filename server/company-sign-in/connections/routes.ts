import type { companyConnections } from '#contract/company-sign-in/connections.ts';
import {
  addConnection,
  listConnectionsOf,
  removeConnection,
  saveConnection,
  switchConnection,
} from './connections.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

type Settings = Omit<Handlers<typeof companyConnections>, 'test' | 'attempts'>;
export const connectionRoutes = (deps: Deps): Settings => ({
  list: ({ scope, caller }) => listConnectionsOf(deps, { ...caller, ...scope }),
  add: ({ scope, caller }) => addConnection(deps, { ...caller, ...scope }, undefined),
  change: ({ input, scope, caller }) => saveConnection(deps, { ...caller, ...scope }, input),
  switchOn: ({ input, scope, caller }) => switchConnection(deps, { ...caller, ...scope }, input),
  remove: ({ input, scope, caller }) => removeConnection(deps, { ...caller, ...scope }, input),
});
