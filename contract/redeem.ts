import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { redirectUrl } from '#contract/fields.ts';
import { permission } from '#contract/roles.ts';
import { as, flag, input, orgId, roleId, shape, userId } from '#contract/wire.ts';

/** How an application's server learns who came and what they may do there; no page calls it. */
export const redeeming = {
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
          roleId,
          /** All there is for a built-in role, as `GET /role` answers it. */
          rolePermission: permission,
        }),
      ),
    }),
    failures: ['not_allowed', 'digest_invalid', 'digest_expired'],
  }),
};
