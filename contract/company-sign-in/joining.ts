import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, roleId, shape, userId } from '#contract/wire.ts';

const joinRequest = shape({
  userId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  askedTime: time,
});
export type JoinRequest = z.output<typeof joinRequest>;

/** The organization that has proven the domain of the person's confirmed address. */
const joinOffer = shape({
  offeredBy: as('offered_by', orgId),
  organization: as('OrgName', z.string()),
  joining: z.literal(['ask', 'click']),
  /** When the person asked; null if they have not. */
  askedTime: z.nullable(time),
});
export type JoinOffer = z.output<typeof joinOffer>;

export const joinRequests = {
  offer: endpoint({
    method: 'GET',
    path: '/api/joinoffer',
    access: 'session',
    output: shape({ offer: z.nullable(joinOffer) }),
  }),
  /** Joins by one click, or asks to be let in. */
  join: endpoint({
    method: 'POST',
    path: '/api/joinoffer',
    access: 'session',
    input: input({ offeredBy: as('offered_by', orgId) }),
    output: shape({ joined: flag, urlName: as('OrgUrlName', z.optional(z.string())) }),
    failures: ['not_found', 'no_changes', 'sign_max_users_reached', 'too_many_requests'],
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/joinoffer',
    access: 'session',
    output: shape({ withdrawn: flag }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/joinrequests',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: z.array(joinRequest),
    failures: ['org_not_found'],
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/joinrequests',
    access: 'admin',
    input: input({ orgId, userId, roleId }),
    output: shape({ userId }),
    failures: [
      'org_not_found',
      'not_allowed',
      'role_not_found',
      'user_not_found',
      'account_not_confirmed',
      'sign_max_users_reached',
    ],
  }),
  decline: endpoint({
    method: 'DELETE',
    path: '/api/joinrequests',
    access: 'admin',
    input: input({ orgId, userId }),
    output: shape({ userId }),
    failures: ['org_not_found', 'not_allowed', 'user_not_found'],
  }),
};
