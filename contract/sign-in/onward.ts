import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { redirectUrl } from '#contract/fields.ts';
import { flag, input, orgId, shape } from '#contract/wire.ts';

export const urlNameForm = /^[a-z0-9-]{1,60}$/;

export const onward = {
  redirect: endpoint({
    method: 'POST',
    path: '/api/redirect',
    access: 'session',
    beforeProof: 'whole',
    input: input({
      redirectUrl,
      orgId: z.optional(orgId),
      /** The organization's URL name instead of its id, because applications know only the name. */
      org: z.optional(z.string().check(z.regex(urlNameForm))),
      withCode: z.optional(flag),
    }),
    /** Null for an address that is not on the list. */
    output: shape({ url: z.nullable(z.string()) }),
    failures: ['org_not_found', 'company_sign_in_required', 'account_proof_required', 'second_step_required'],
  }),
  next: endpoint({
    method: 'GET',
    path: '/api/next/:path',
    access: 'session',
    beforeProof: 'whole',
    inDefaultOrganization: true,
    input: input({ path: z.string().check(z.maxLength(64)) }),
    output: shape({ url: z.string() }),
    failures: ['not_found'],
  }),
};
