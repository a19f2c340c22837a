import * as z from 'zod/mini';
import type { Download } from '#contract/activity/calls.ts';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { flag, input, orgId, shape } from '#contract/wire.ts';

/** An archive. While it is being made, `expiresAt` is null; without one, `requestedAt` is, too. */
const archive = shape({
  requestedAt: z.nullable(time),
  /** The Super Admin who asked for an organization's archive; null if they are gone, or for a person's own. */
  requestedBy: z.nullable(z.string()),
  /** It could not be made, and is no longer tried. */
  isFailed: flag,
  expiresAt: z.nullable(time),
  byteCount: z.nullable(z.int()),
  /** When a new archive can be requested; null: now. */
  nextRequestAt: z.nullable(time),
});

const failures = ['org_not_found', 'super_admin_only', 'account_not_confirmed', 'too_many_requests'] as const;

/** Everything that the portal holds about the caller, or with `org_id` about the organization, as one ZIP. */
export const dataExport = {
  read: endpoint({
    method: 'GET',
    path: '/api/dataexport',
    access: 'session',
    beforeProof: 'named',
    input: input({ orgId: z.optional(orgIdInQuery) }),
    output: archive,
    failures: ['org_not_found', 'super_admin_only'],
  }),
  /** Starts a new archive, which replaces the old one. Does nothing while one is being made. */
  request: endpoint({
    method: 'POST',
    path: '/api/dataexport',
    access: 'session',
    beforeProof: 'named',
    recentProof: true,
    input: input({ orgId: z.optional(orgId) }),
    output: archive,
    failures: ['reauthentication_required', ...failures],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/dataexport/file',
    access: 'session',
    beforeProof: 'named',
    recentProof: true,
    alsoWrites: true,
    input: input({ orgId: z.optional(orgIdInQuery) }),
    answers: 'file',
    output: z.custom<Download>(),
    failures: [
      'reauthentication_required',
      'company_sign_in_required',
      'account_proof_required',
      'second_step_required',
      'file_not_found',
      ...failures,
    ],
  }),
};
