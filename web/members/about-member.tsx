import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useEffectEvent } from 'react';
import type { Member } from '#contract/members/calls.ts';
import { membersText as text } from '#words/members.ts';
import type { CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { AssignRoleDialog } from './assign-role-dialog.tsx';
import { DeleteMemberDialog } from './delete-member-dialog.tsx';
import { EditMemberDialog } from './edit-member-dialog.tsx';
import { guardsOf } from './guards.ts';
import { memberQuery, useMembersChanged } from './member-queries.ts';

type Props = Omit<ComponentProps<typeof EditMemberDialog>, 'member' | 'guards' | 'onStale'> & {
  kind: 'edit' | 'assign' | 'remove';
  listed: Member;
};

/** The list may be stale, so it fetches the member when it opens and after changes, and starts again. */
export function AboutMember({ kind, listed, ...dialog }: Props) {
  const { organization, caller, onClose } = dialog;
  const { refresh } = useMembersChanged(organization.id);
  const { data, isPending, refetch } = useQuery(memberQuery(organization.id, listed.userId));
  const isGone = data !== undefined && data.member === undefined;
  const leave = useEffectEvent(() => {
    showAlert({ kind: 'danger', text: text.gone });
    refresh();
    onClose();
  });
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);

  if (isPending || isGone) return null;
  // If the fetch fails, use the list's data: the server checks every change.
  const { member = listed, superAdmins = Infinity } = data ?? {};
  const key = JSON.stringify(member);
  const facts = {
    member,
    guards: guardsOf(caller, member, superAdmins),
    onStale: (failure: CallError) => {
      present(failure);
      refresh();
      void refetch();
    },
  };
  if (kind === 'assign') return <AssignRoleDialog key={key} {...dialog} {...facts} />;
  if (kind === 'remove') return <DeleteMemberDialog key={key} {...dialog} {...facts} />;
  return <EditMemberDialog key={key} {...dialog} {...facts} />;
}
