import type { ComponentProps } from 'react';
import type { Member } from '#contract/members.ts';
import { AssignRoleDialog } from './assign-role-dialog.tsx';
import { DeleteMemberDialog } from './delete-member-dialog.tsx';
import { EditMemberDialog } from './edit-member-dialog.tsx';
import type { Guards } from './guards.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { InviteManyDialog } from './invite-many-dialog.tsx';

/** What is to be done, and to whom. */
export type MemberAct =
  | { kind: 'invite' }
  | { kind: 'many' }
  | { kind: 'edit' | 'assign' | 'remove'; member: Member };

type Props = ComponentProps<typeof InviteDialog> &
  Pick<ComponentProps<typeof EditMemberDialog>, 'day' | 'now'> & {
    act: MemberAct;
    guards: (member: Member) => Guards;
  };

/** The dialog of an act. */
export function MemberDialog({ act, guards, filter, day, now, ...dialog }: Props) {
  if (act.kind === 'invite') return <InviteDialog {...dialog} filter={filter} />;
  if (act.kind === 'many') return <InviteManyDialog {...dialog} filter={filter} />;
  const { kind, member } = act;
  if (kind === 'assign') return <AssignRoleDialog {...dialog} member={member} />;
  if (kind === 'remove') return <DeleteMemberDialog {...dialog} member={member} />;
  return <EditMemberDialog {...dialog} member={member} guards={guards(member)} day={day} now={now} />;
}
