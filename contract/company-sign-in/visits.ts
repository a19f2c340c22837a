import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { email, redirectPath } from '#contract/fields.ts';
import { visit } from '#contract/social/calls.ts';
import { as, flag, input, shape } from '#contract/wire.ts';

/** A visit to a company's provider lasts at most this long, and so does the link that waits for a proof. */
export const COMPANY_VISIT_MINUTES = 10;

/** Signing in through the provider of an organization. */
export const companyVisits = {
  /** Whether a company signs people with this address in. The answer depends on the domain alone. */
  discover: endpoint({
    method: 'POST',
    path: '/api/company/discover',
    access: 'public',
    input: input({ email: as('email_id', email) }),
    output: shape({ available: flag, required: flag }),
    failures: ['too_many_requests'],
  }),
  /** Starts a visit, by address or by the URL name of the organization. In a session it adds to this session. */
  start: endpoint({
    method: 'POST',
    path: '/api/company/start',
    access: 'public',
    waitsElsewhere: true,
    input: input({
      email: as('email_id', z.optional(email)),
      company: z.optional(z.string().check(z.maxLength(200), z.regex(/^\P{Cc}*$/u))),
      redirectPath: as('redirectpath', z.optional(redirectPath)),
    }),
    output: shape({ authUrl: z.string() }),
    failures: ['connection_not_found', 'unavailable', 'too_many_requests'],
  }),
  /** The company's own sign-out, for the browser of a session that came through it. */
  signOut: endpoint({
    method: 'GET',
    path: '/api/company/signout',
    access: 'public',
    waitsElsewhere: true,
    output: shape({
      link: z.nullable(shape({ organization: as('OrgName', z.string()), url: z.string() })),
    }),
  }),
  /** Starts a visit that proves the caller's identity again, for people of no other organization. */
  prove: endpoint({
    method: 'POST',
    path: '/api/company/proof',
    access: 'session',
    beforeProof: 'whole',
    waitsElsewhere: true,
    input: input({ redirectPath: as('redirectpath', z.optional(redirectPath)) }),
    output: shape({ authUrl: z.string() }),
    failures: ['connection_not_found', 'unavailable', 'too_many_requests'],
  }),
  /** The link that waits in this browser for a proof of the account. */
  pendingLink: endpoint({
    method: 'GET',
    path: '/api/company/link',
    access: 'session',
    beforeProof: 'whole',
    input: input({ visit }),
    output: shape({
      link: z.nullable(
        shape({
          organization: as('OrgName', z.string()),
          isYours: flag,
          /** The account's own, and the one that the company's provider named. */
          email: z.string(),
          companyEmail: as('company_email', z.nullable(z.string())),
        }),
      ),
    }),
  }),
  /** Links the company's identity with the caller's account. */
  link: endpoint({
    method: 'POST',
    path: '/api/company/link',
    access: 'session',
    beforeProof: 'whole',
    recentProof: true,
    input: input({ visit }),
    output: shape({ urlName: as('OrgUrlName', z.string()), next: z.nullable(z.string()) }),
    failures: [
      'not_found',
      'not_allowed',
      'account_not_confirmed',
      'sign_max_users_reached',
      'changed_meanwhile',
    ],
  }),
};
