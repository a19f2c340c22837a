import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { flag, input, orgId, shape } from '#contract/wire.ts';

/** The members who must come through the company's provider: nobody, those with an address of its domains, or all. */
export const COMPANY_RULES = ['nobody', 'addresses', 'everybody'] as const;
const rule = z.literal(COMPANY_RULES);
export type CompanyRule = z.output<typeof rule>;

const companyRule = shape({
  rule,
  /** When the rule starts to apply; null without one. */
  from: z.nullable(time),
  /** Whether it applies already, by the server's clock. */
  holds: flag,
  members: z.int(),
  /** Active members without a link to the provider: all, and those with an address of a proven domain. */
  unlinked: z.int(),
  unlinkedOfAddresses: z.int(),
  /** The session came through the provider, and has given a strong second step of the account; the account has one. */
  hasEntered: flag,
  hasStrongStep: flag,
  isStepReady: flag,
});

/** Super Admins alone see and set it. They keep a way of their own, with a strong second step. */
export const companyRules = {
  read: endpoint({
    method: 'GET',
    path: '/api/orgs/companyrule',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: companyRule,
    failures: ['org_not_found', 'super_admin_only'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/orgs/companyrule',
    access: 'admin',
    recentProof: true,
    /** A rule without `from` applies at once. */
    input: input({ orgId, rule, from: z.optional(time) }),
    output: companyRule,
    failures: [
      'org_not_found',
      'super_admin_only',
      'account_not_confirmed',
      'connection_not_found',
      'company_sign_in_required',
      'second_step_required',
      'no_changes',
    ],
  }),
};
