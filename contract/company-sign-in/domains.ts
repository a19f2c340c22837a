import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, input, orgId, roleId, shape } from '#contract/wire.ts';

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

/**
 * `quoted`: the value was saved with its quotation marks. `doubled`: the DNS provider added the domain a second time.
 * `taken`: another organization has proven the domain. `silent`: no name server answered.
 */
export const FOUND = ['proven', 'missing', 'other', 'quoted', 'doubled', 'silent', 'taken'] as const;
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
    waitsElsewhere: true,
    input: input({ orgId, id }),
    output: shape({
      domain: companyDomain,
      found: z.literal(FOUND),
      /** The first records at the name, as they were found. */
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
    failures: [...failures, 'changed_meanwhile', 'not_allowed'],
  }),
};
