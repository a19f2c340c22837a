import type { joinRequests } from '#contract/company-sign-in/joining.ts';
import {
  acceptRequest,
  declineRequest,
  joinByDomain,
  listRequestsOf,
  readOffer,
  withdrawRequest,
} from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const joinRequestRoutes = (deps: Deps): Handlers<typeof joinRequests> => ({
  offer: ({ caller }) => readOffer(deps, caller.userId),
  join: ({ input, caller }) => joinByDomain(deps, caller.userId, input),
  withdraw: ({ caller }) => withdrawRequest(deps, caller.userId),
  list: ({ scope }) => listRequestsOf(deps, scope),
  accept: ({ input, scope, caller }) => acceptRequest(deps, scope, input, caller.confirmed),
  decline: ({ input, scope }) => declineRequest(deps, scope, input.userId),
});
