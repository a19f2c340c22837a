import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { isCountry, zoneNamed } from './countries.ts';
import { endpoint } from '#contract/endpoint.ts';
import {
  designation,
  firstName,
  generalText,
  language,
  lastName,
  phone,
} from '#contract/split-by-bytes/area-fields.ts';
import { matches } from '#contract/split-by-bytes/field-parts.ts';
import { currentPassword, email, newPassword } from '#contract/fields.ts';
import { areaFieldText } from '#words/rules/area-field.ts';
import { user } from './user.ts';
import { as, input, nothing, orgId, shape } from '#contract/wire.ts';

export const country = generalText.check(z.refine(isCountry, { error: areaFieldText.country }));
/** A zone from our list. Older spellings become the current name. */
export const timeZone = generalText.check(
  z.refine((name) => zoneNamed(name) !== undefined, { error: areaFieldText.timeZone }),
  z.overwrite((name) => zoneNamed(name) ?? name),
);

/** The specification demands this pattern for passwords on My Profile only. */
const plainText = /^[^"<>']*$/;
export const isPlainPassword = (password: string) => plainText.test(password);
const patternedPassword = newPassword.check(matches(plainText, areaFieldText.generalText));

export const profile = {
  read: endpoint({
    method: 'GET',
    path: '/api/user',
    access: 'session',
    beforeProof: 'reduced',
    input: input({ orgId: z.optional(orgIdInQuery) }),
    output: user,
    failures: ['org_not_found'],
  }),
  /** Whole hours from UTC, with the inverted sign of POSIX. Some machines report them. */
  update: endpoint({
    method: 'PUT',
    path: '/api/user',
    access: 'session',
    input: input({
      orgId: z.optional(orgId),
      firstName: z.optional(firstName),
      lastName: z.optional(lastName),
      designation: z.optional(designation),
      country: z.optional(country),
      timeZone: z.optional(timeZone),
      language: z.optional(language),
      email: z.optional(email),
      contactNumber: z.optional(phone),
    }),
    output: user,
    failures: [
      'no_changes',
      'org_not_found',
      'email_id_exist',
      'not_allowed',
      'reauthentication_required',
      'too_many_requests',
    ],
  }),
  resendPendingEmail: endpoint({
    method: 'POST',
    path: '/api/pendingemail/resend',
    access: 'session',
    output: shape({ waitSeconds: as('wait_s', z.int()) }),
    failures: ['not_found', 'too_many_requests'],
  }),
  cancelPendingEmail: endpoint({
    method: 'DELETE',
    path: '/api/pendingemail',
    access: 'session',
    output: nothing,
    failures: ['not_found'],
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/changepassword',
    access: 'session',
    input: input({ currentPassword, newPassword: patternedPassword }),
    output: nothing,
    failures: ['wrong_password', 'same_password', 'too_many_requests', 'unavailable'],
  }),
};
