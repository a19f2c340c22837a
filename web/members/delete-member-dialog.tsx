import { useState } from 'react';
import { type Member, MEMBER_STATUS, members } from '#contract/members/calls.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { membersText as text } from '#words/members.ts';
import type { CallError } from '#web/lib/call.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { nextAct } from '#web/ui/next-act.ts';
import { memberName } from './guards.ts';
import { useMemberGone, useMembersChanged } from './member-queries.ts';

type Props = {
  organization: Organization;
  member: Member;
  /** The member has changed since this dialog opened. */
  onStale: (failure: CallError) => void;
  onClose: () => void;
};

export function DeleteMemberDialog({ organization, member, onStale, onClose }: Props) {
  const { run } = useCall(members.remove, {
    user_not_found: useMemberGone(organization.id, onClose),
    changed_meanwhile: onStale,
  });
  const { removeRow } = useMembersChanged(organization.id);
  const [next] = useState(nextAct);
  const isInvited = member.status === MEMBER_STATUS.invited;
  const words = isInvited ? text.withdraw : text.removal;
  const values = { name: memberName(member), organization: organization.name, email: member.email ?? '' };
  return (
    <Confirm
      onClose={onClose}
      title={words.title(values)}
      act={words.act}
      destructive
      after={next}
      onConfirm={async () => {
        const reply = await run({
          orgId: organization.id,
          userId: member.userId,
          wasStatus: member.status,
        });
        if (!reply) return false;
        removeRow(member.userId);
        showAlert({ kind: 'success', text: words.done });
        return true;
      }}
    >
      {words.effect(values)}
    </Confirm>
  );
}
