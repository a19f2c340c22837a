import type { ComponentProps } from 'react';
import type { Actor } from '#contract/members/authority.ts';
import type { Member } from '#contract/members/calls.ts';
import { AboutMember } from './about-member.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { InviteManyDialog } from './invite-many-dialog.tsx';

export type MemberAct =
  | { kind: 'invite' }
  | { kind: 'many' }
  | { kind: 'edit' | 'assign' | 'remove'; member: Member };

type Props = ComponentProps<typeof InviteDialog> & {
  act: MemberAct;
  caller: Actor;
  day: (time: Date) => string;
  now: Date;
};

export function MemberDialog({ act, caller, filter, mustConfirm, day, now, ...dialog }: Props) {
  if (act.kind === 'invite') return <InviteDialog {...dialog} filter={filter} mustConfirm={mustConfirm} />;
  if (act.kind === 'many') return <InviteManyDialog {...dialog} filter={filter} mustConfirm={mustConfirm} />;
  return <AboutMember {...dialog} kind={act.kind} listed={act.member} caller={caller} day={day} now={now} />;
}
