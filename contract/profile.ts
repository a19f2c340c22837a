import * as z from 'zod/mini';
import { isCountry, zoneNamed } from '#contract/countries.ts';
import { endpoint } from '#contract/endpoint.ts';
import { designation, firstName, generalText, lastName } from '#contract/area-fields.ts';
import { areaFieldText } from '#contract/text/area-fields.ts';
import { user } from '#contract/user.ts';
import { input, orgId, orgIdInQuery } from '#contract/wire.ts';

/** A country's English name from our list. */
export const country = generalText.check(z.refine(isCountry, { error: areaFieldText.country }));
/** A zone from our list; an older spelling is taken and turned into the name it goes by now. */
export const timeZone = generalText.check(
  z.refine((name) => zoneNamed(name) !== undefined, { error: areaFieldText.timeZone }),
  z.overwrite((name) => zoneNamed(name) ?? name),
);

export const profile = {
  read: endpoint({
    method: 'GET',
    path: '/api/user',
    access: 'session',
    input: input({ orgId: z.optional(orgIdInQuery) }),
    output: user,
    failures: ['org_not_found'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/user',
    access: 'session',
    input: input({
      orgId: z.optional(orgId),
      firstName,
      lastName: z.optional(lastName),
      designation: z.optional(designation),
      country: z.optional(country),
      timeZone: z.optional(timeZone),
    }),
    output: user,
    failures: ['no_changes', 'org_not_found'],
  }),
};
