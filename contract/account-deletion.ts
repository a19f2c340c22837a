import * as z from 'zod/mini';
import { requiredText } from '#contract/area-fields.ts';
import { endpoint } from '#contract/endpoint.ts';
import { currentPassword } from '#contract/fields.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, shape } from '#contract/wire.ts';

/**
 * What becomes of an organization: its person leaves it; it would be left without an active Super Admin, so nothing
 * goes before somebody takes over; or nobody else is in it, so it goes too.
 */
const effect = z.literal(['leaves', 'blocks', 'goes']);

const touched = shape({
  id: as('Id', orgId),
  name: as('OrgName', z.string()),
  urlName: as('OrgUrlName', z.string()),
  effect,
});
export type TouchedOrganization = z.output<typeof touched>;

/** Apart from the way back, which is public: those pages don't carry the rules of this form. */
export const accountDeletion = {
  effects: endpoint({
    method: 'GET',
    path: '/api/deleteaccount',
    access: 'session',
    output: shape({
      deletedOn: time,
      passwordNeeded: flag,
      images: z.int(),
      organizations: z.array(touched),
    }),
  }),
  request: endpoint({
    method: 'DELETE',
    path: '/api/deleteaccount',
    access: 'session',
    input: input({ reason: requiredText, password: z.optional(currentPassword) }),
    output: shape({ deletedOn: time }),
    failures: [
      'wrong_password',
      'reauthentication_required',
      'last_super_admin',
      'too_many_requests',
      'unavailable',
    ],
  }),
};
