import type { ActIn, Details } from '#contract/activity/recorded.ts';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { MemberId, OrgId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteMember } from './data.ts';

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

type Row = { act: ActIn<'organization'>; recordId?: UserId; information: Details };
const nameOf = ({ firstName, lastName, email }: Member) => personName(firstName, lastName, email);

/** A removal by an admin or by the member; an invitation that was never accepted; an erasure, which must not name the member. */
const rows = {
  removed: (member: Member): Row => ({
    act: 'organization.invitedContact.delete',
    recordId: member.userId,
    information: {
      name: [nameOf(member), null],
      email: [member.email, null],
      role: [member.role, null],
      status: [member.status, null],
    },
  }),
  declined: (member: Member): Row => ({
    act: 'organization.invitationAnswer.delete',
    recordId: member.userId,
    information: { status: [member.status, null], role: member.role, name: [nameOf(member), null] },
  }),
  erased: ({ status }: Pick<Member, 'status'>): Row => ({
    act: 'organization.deleteAccount.delete',
    information: { status: [status, null] },
  }),
};
type EndedMember = { removed: Member; declined: Member; erased: Pick<Member, 'id' | 'userId' | 'status'> };

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
  const { act, ...row } = (rows[how] as (member: EndedMember[How]) => Row)(member);
  await recordActivity(tx, deps, act, {
    ...row,
    orgId,
    userId: by,
    byAnother,
    ...(isInvitation && { endedInvitation: member.id }),
  });
}
