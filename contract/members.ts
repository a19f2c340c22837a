import * as z from 'zod/mini';
import { time } from '#contract/time.ts';
import { memberId, roleId, shape, userId } from '#contract/wire.ts';

/** A member's status as stored and as on the wire. */
export const MEMBER_STATUS = { invited: 1, active: 2, inactive: 3, disabled: 4 } as const;
export const memberStatus = z.literal([1, 2, 3, 4]);
export type MemberStatus = z.output<typeof memberStatus>;

export const member = shape({
  id: memberId,
  userId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.nullable(z.string()),
  role: z.string(),
  roleId,
  designation: z.string(),
  status: memberStatus,
  invitationExpires: z.optional(time),
});
export type Member = z.output<typeof member>;
