import { queryOptions } from '@tanstack/react-query';
import { joinRequests } from '#contract/company-sign-in/joining.ts';
import type { Output } from '#contract/endpoint.ts';
import { call } from '#web/lib/call.ts';

export type Offer = NonNullable<Output<typeof joinRequests.offer>['offer']>;

/** The organization that has proven the domain of the person's address; null without one. */
export const joinOfferQuery = queryOptions({
  queryKey: ['join offer'],
  queryFn: async () => (await call(joinRequests.offer, {})).offer,
  // An admin may answer meanwhile.
  refetchOnWindowFocus: true,
});
