import { ChevronsUpDown, Pencil, Trash2 } from 'lucide-react';
import { type Member, MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { membersText as text } from '#words/members.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Pill, type PillTone } from '#web/ui/pill.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type Column, NameCell, NameSkeleton } from '#web/ui/table.tsx';
import { MarkedText } from './marked-text.tsx';
import { type Guards, memberName } from './guards.ts';
import styles from './members.module.css';
import { furtherWords } from './member-queries.ts';
import { ResendInvitation } from './resend-invitation.tsx';
import { Named } from '#web/ui/named.tsx';

const tones: Record<MemberStatus, PillTone> = { 1: 'warn', 2: 'good', 3: 'neutral', 4: 'bad' };

type Options = {
  orgId: OrgId;
  self: number;
  search: string;
  day: (time: Date) => string;
  now: Date;
  guards: (member: Member) => Guards;
  onEdit: (member: Member) => void;
  onAssign: (member: Member) => void;
  onRemove: (member: Member) => void;
};

export function memberColumnsOf(options: Options): Column<Member>[] {
  const { self, search, guards, onEdit, onAssign, onRemove } = options;
  return [
    {
      key: 'name',
      head: text.name,
      role: 'title',
      sort: 'name',
      width: '33%',
      cell: (member) => {
        const name = memberName(member);
        return (
          <NameCell
            picture={<Avatar name={name} />}
            name={
              <>
                <MarkedText text={name} search={search} />
                {member.userId === self && <span>{` ${text.you}`}</span>}
              </>
            }
            sub={
              member.email !== null &&
              name !== member.email && <MarkedText text={member.email} search={search} />
            }
          />
        );
      },
      skeleton: <NameSkeleton />,
    },
    ...furtherWords.map((word) => ({
      key: word,
      head: text[word],
      cell: (member: Member) => <Named>{member[word]}</Named>,
    })),
    {
      key: 'role',
      head: text.role,
      sort: 'role',
      cell: (member) =>
        guards(member).role ? (
          <Named>{member.role}</Named>
        ) : (
          <button
            type="button"
            className={styles.role}
            aria-label={text.changeRole({ role: member.role, name: memberName(member) })}
            onClick={() => onAssign(member)}
          >
            <span>
              <Named>{member.role}</Named>
            </span>
            <ChevronsUpDown />
          </button>
        ),
    },
    {
      key: 'status',
      head: text.status,
      sort: 'status',
      width: '20%',
      cell: (member) => <Status {...options} member={member} mayResend={!guards(member).resend} />,
      skeleton: <Skeleton shape="pill" />,
    },
    {
      key: 'acts',
      head: text.actions,
      width: '110',
      role: 'actions',
      cell: (member) => {
        const name = memberName(member);
        const { edit, remove } = guards(member);
        return (
          <>
            <GuardedIcon
              name={text.edit({ name })}
              guard={edit}
              icon={<Pencil />}
              onPress={() => onEdit(member)}
            />
            <GuardedIcon
              name={(member.status === MEMBER_STATUS.invited ? text.withdrawOf : text.remove)({ name })}
              guard={remove}
              icon={<Trash2 />}
              onPress={() => onRemove(member)}
            />
          </>
        );
      },
    },
  ];
}

type StatusProps = Pick<Options, 'orgId' | 'day' | 'now'> & { member: Member; mayResend: boolean };

function Status({ orgId, day, now, member, mayResend }: StatusProps) {
  const { status, invitationExpires: expires } = member;
  const pill = <Pill tone={tones[status]}>{text.statuses[status]}</Pill>;
  if (status !== MEMBER_STATUS.invited) return pill;
  return (
    <div className={styles.status}>
      {pill}
      {mayResend && <ResendInvitation orgId={orgId} member={member} />}
      {expires && (
        <span className={styles.expires}>
          {expires > now ? text.expires({ day: day(expires) }) : text.expired}
        </span>
      )}
    </div>
  );
}

type IconProps = { name: string; guard: string | undefined; icon: React.ReactNode; onPress: () => void };

/** A locked act: its name says why, and on touch, which has no tooltips, an alert does. */
function GuardedIcon({ name, guard, icon, onPress }: IconProps) {
  if (guard === undefined) return <IconButton name={name} icon={icon} onClick={onPress} />;
  return (
    <IconButton
      name={text.guarded({ act: name, why: guard })}
      icon={icon}
      aria-disabled
      onClick={() => showAlert({ kind: 'info', text: guard })}
    />
  );
}
