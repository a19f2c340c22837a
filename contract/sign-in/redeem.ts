import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { redirectUrl } from '#contract/fields.ts';
import { permission } from '#contract/roles/calls.ts';
import { as, flag, input, orgId, roleId, shape, userId } from '#contract/wire.ts';

/** An application's server learns here who signed in and what they may do. No page calls it. */
export const redeeming = {
  redeem: endpoint({
    method: 'POST',
    path: '/api/redeem',
    access: 'public',
    readBy: 'application',
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
          roleId,
          /** For a built-in role every right is set, as in `GET /role`. */
          rolePermission: permission,
        }),
      ),
    }),
    failures: ['not_allowed', 'digest_invalid', 'digest_expired'],
  }),
};
