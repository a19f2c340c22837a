import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { SECOND_STEP_RULES } from './second-step-rule.ts';
import { time } from '#contract/time.ts';
import { flag, input, orgId, shape } from '#contract/wire.ts';

const rule = z.literal(SECOND_STEP_RULES);

/** The organization's rule, and how many of its active members do not meet each one yet. */
const secondStepRule = shape({
  rule,
  /** When the rule starts to apply; null without one. */
  from: z.nullable(time),
  /** Whether it applies already, by the server's clock. */
  holds: flag,
  members: z.int(),
  withoutAny: z.int(),
  withoutStrong: z.int(),
  /** The strictest rule that the caller's session meets, and the one that their second steps are enough for. */
  proven: rule,
  ready: rule,
  /** The strictest rule under which the only Super Admin can lose one of their second steps and still come in. */
  spare: rule,
});

/** The second step that an organization asks of its members. Only Super Admins see and set it. */
export const secondStepRules = {
  rule: endpoint({
    method: 'GET',
    path: '/api/orgs/secondstep',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: secondStepRule,
    failures: ['org_not_found', 'super_admin_only'],
  }),
  setRule: endpoint({
    method: 'PUT',
    path: '/api/orgs/secondstep',
    access: 'admin',
    recentProof: true,
    /** A rule without `from` applies at once. */
    input: input({ orgId, rule, from: z.optional(time) }),
    output: secondStepRule,
    failures: ['org_not_found', 'super_admin_only', 'no_changes', 'second_step_required'],
  }),
};
