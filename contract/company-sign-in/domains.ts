import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, roleId, shape, userId } from '#contract/wire.ts';

export const domainId = z.int().check(z.minimum(1)).brand<'DomainId'>();
export type DomainId = z.output<typeof domainId>;

/** How people with a confirmed address of the domain get in: by an invitation, by asking, or by one click. */
export const JOINING = ['invitation', 'ask', 'click'] as const;
const joining = z.literal(JOINING);
export type Joining = z.output<typeof joining>;

/** A domain of the organization. Its owner proves it by a TXT record. */
export const companyDomain = shape({
  id: domainId,
  domain: z.string(),
  recordName: z.string(),
  recordValue: z.string(),
  joining,
  /** The role of people who join by one click. */
  roleId: z.nullable(roleId),
  provenTime: z.nullable(time),
  /** The last time that a name server answered. */
  checkedTime: z.nullable(time),
  /** Since when the record is gone. The proof ends after some days. */
  missingSince: z.nullable(time),
});
export type CompanyDomain = z.output<typeof companyDomain>;

/** `taken`: another organization has proven the domain. `silent`: no name server answered. */
export const FOUND = ['proven', 'missing', 'other', 'silent', 'taken'] as const;
export type Found = (typeof FOUND)[number];

const id = as('domain_id', domainId);
const failures = ['org_not_found', 'super_admin_only', 'account_not_confirmed', 'domain_not_found'] as const;

export const companyDomains = {
  list: endpoint({
    method: 'GET',
    path: '/api/orgs/domains',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: z.array(companyDomain),
    failures: ['org_not_found', 'super_admin_only'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/orgs/domains',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, domain: z.string().check(z.trim(), z.minLength(1), z.maxLength(253)) }),
    output: companyDomain,
    failures: ['org_not_found', 'super_admin_only', 'account_not_confirmed', 'domain_limit_reached'],
  }),
  /** Looks for the record now. */
  check: endpoint({
    method: 'POST',
    path: '/api/orgs/domains/check',
    access: 'admin',
    input: input({ orgId, id }),
    output: shape({
      domain: companyDomain,
      found: z.literal(FOUND),
      /** The records at the name, as they were found. */
      records: z.readonly(z.array(z.string())),
    }),
    failures: [...failures, 'too_many_requests'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/orgs/domains',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id, joining, roleId: z.optional(roleId) }),
    output: companyDomain,
    failures: [...failures, 'role_not_found', 'not_allowed', 'no_changes'],
  }),
  /** `domain` repeats the name, so that nobody removes another one by mistake. */
  remove: endpoint({
    method: 'DELETE',
    path: '/api/orgs/domains',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id, domain: z.string() }),
    output: shape({ id: domainId }),
    failures: [...failures, 'changed_meanwhile'],
  }),
};

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
