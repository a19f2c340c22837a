import * as z from 'zod/mini';
import { flag, shape, userId } from '#contract/wire.ts';

/**
 * The signed-in person as the area shows them. `userRole` is their role in the organization of the call,
 * `addressManager` the company that decides their address. `isReduced`: only a company has vouched for the person, and the
 * phone number and the waiting address show after the account's proof.
 */
export const user = shape({
  id: userId,
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  contactNumber: z.string(),
  profilePictureUrl: z.nullable(z.string()),
  designation: z.string(),
  userRole: z.nullable(z.string()),
  timeZone: z.nullable(z.string()),
  language: z.nullable(z.string()),
  country: z.nullable(z.string()),
  email: z.nullable(z.string()),
  addressManager: z.nullable(z.string()),
  pendingEmail: z.nullable(z.string()),
  confirmed: flag,
  mfaEnabled: flag,
  hasPassword: flag,
  isReduced: z.optional(flag),
});
export type User = z.output<typeof user>;
