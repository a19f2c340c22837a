import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { MemberId, OrgId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteMember } from '#server/members/ending/data.ts';

type Member = {
  readonly id: MemberId;
  readonly userId: UserId;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly role: string;
  readonly status: MemberStatus;
};
type Ending = { readonly orgId: OrgId; readonly by: UserId; readonly byAnother?: true };

/** The row of a removal by an admin or by the member. It keeps the member's name. */
const removedRow = ({ userId, email, role, status, ...name }: Member) => ({
  module: MODULE.organization,
  type: ACTIVITY_TYPE.invitedContact,
  recordId: userId,
  information: {
    name: [personName(name.firstName, name.lastName, email), null],
    email: [email, null],
    role: [role, null],
    status: [status, null],
  },
});
/** An invitation that was never accepted. */
const declinedRow = ({ userId, email, role, status, ...name }: Member) => ({
  module: MODULE.organization,
  type: ACTIVITY_TYPE.invitationAnswer,
  recordId: userId,
  information: {
    status: [status, null],
    role,
    name: [personName(name.firstName, name.lastName, email), null],
  },
});
/** With the member's account. The log must not name them. */
const erasedRow = ({ status }: Pick<Member, 'status'>) => ({
  module: MODULE.deleteAccount,
  type: ACTIVITY_TYPE.deleteAccount,
  information: { status: [status, null] },
});

type EndedMember = { removed: Member; declined: Member; erased: Pick<Member, 'id' | 'userId' | 'status'> };
const rows = { removed: removedRow, declined: declinedRow, erased: erasedRow };

/** Ends a membership or an invitation and records it. Only the deletion of an organization records none. */
export async function endMembership<How extends keyof EndedMember>(
  tx: Tx,
  deps: Deps,
  how: How,
  member: EndedMember[How],
  { orgId, by, byAnother }: Ending,
) {
  await deleteMember(tx, member);
  const isInvitation = member.status === MEMBER_STATUS.invited;
  const row = (rows[how] as (member: EndedMember[How]) => ReturnType<(typeof rows)[How]>)(member);
  await recordActivity(tx, deps, {
    ...row,
    orgId,
    userId: by,
    action: ACTION.delete,
    ...(byAnother && { byAnother }),
    ...(isInvitation && { endedInvitation: member.id }),
  });
}
