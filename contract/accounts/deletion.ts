import * as z from 'zod/mini';
import { requiredText } from '#contract/split-by-bytes/area-fields.ts';
import { endpoint } from '#contract/endpoint.ts';
import { currentPassword } from '#contract/fields.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, shape } from '#contract/wire.ts';

/** `leaves`: the person leaves it. `blocks`: no active Super Admin would be left. `goes`: nobody else is in it. */
const effect = z.literal(['leaves', 'blocks', 'goes']);

const touchedOrganization = shape({
  id: as('Id', orgId),
  name: as('OrgName', z.string()),
  urlName: as('OrgUrlName', z.string()),
  effect,
});
export type TouchedOrganization = z.output<typeof touchedOrganization>;

export const accountDeletion = {
  effects: endpoint({
    method: 'GET',
    path: '/api/deleteaccount',
    access: 'session',
    output: shape({
      deletedOn: time,
      passwordNeeded: flag,
      images: z.int(),
      organizations: z.array(touchedOrganization),
    }),
  }),
  request: endpoint({
    method: 'DELETE',
    path: '/api/deleteaccount',
    access: 'session',
    input: input({
      reason: requiredText,
      password: z.optional(currentPassword),
      /** The organizations that `GET` listed as deleted. The server refuses if another one would go, too. */
      going: z.optional(z.array(orgId)),
    }),
    output: shape({ deletedOn: time }),
    failures: [
      'wrong_password',
      'reauthentication_required',
      'last_super_admin',
      'changed_meanwhile',
      'too_many_requests',
      'unavailable',
    ],
  }),
};
