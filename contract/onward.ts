import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { redirectUrl } from '#contract/fields.ts';
import { as, flag, input, orgId, shape, userId } from '#contract/wire.ts';

/** Going on to an application after signing in, and how the application learns who came. */
export const onward = {
  redirect: endpoint({
    method: 'POST',
    path: '/api/redirect',
    access: 'session',
    input: input({ redirectUrl, orgId: z.optional(orgId), withCode: z.optional(flag) }),
    /** Null for an address that is not on the list. */
    output: shape({ url: z.nullable(z.string()) }),
    failures: ['org_not_found'],
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/api/redeem',
    access: 'public',
    input: input({
      code: z.string().check(z.maxLength(100)),
      redirectUrl,
      secret: z.string().check(z.maxLength(500)),
    }),
    output: shape({
      user: shape({ id: userId, email: z.nullable(z.string()), fullName: z.string(), confirmed: flag }),
      organization: z.nullable(
        shape({
          id: as('Id', orgId),
          name: as('OrgName', z.string()),
          urlName: as('OrgUrlName', z.string()),
          role: z.string(),
        }),
      ),
    }),
    failures: ['not_allowed', 'digest_invalid', 'digest_expired'],
  }),
  next: endpoint({
    method: 'GET',
    path: '/api/next/:path',
    access: 'session',
    inDefaultOrganization: true,
    input: input({ path: z.string().check(z.maxLength(64)) }),
    output: shape({ url: z.string() }),
    failures: ['not_found'],
  }),
};
