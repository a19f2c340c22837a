import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { Caller } from '#contract/authority.ts';
import type { Member } from '#contract/members.ts';
import type { Organization } from '#contract/organizations.ts';
import { membersText as text } from '#contract/text/members.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/user.ts';
import { dayIn } from '#contract/dates.ts';
import { rolesQuery } from '#web/lib/roles-query.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late-popup.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { guardsOf } from './guards.ts';
import type { MemberAct } from './member-dialog.tsx';
import { isNarrow } from './member-filter.ts';
import { countsQuery, membersQuery } from './member-queries.ts';
import styles from './members.module.css';
import { MembersTable } from './members-table.tsx';
import { MembersToolbar } from './members-toolbar.tsx';
import { useMemberFilter, useTyped } from './use-member-filter.ts';

const dialog = latePopup(async () => (await import('./member-dialog.tsx')).MemberDialog);

type Props = { organization: Organization; user: User; caller: Caller };

/** The organization's people: found, invited, edited and removed. */
export function MembersCard({ organization, user, caller }: Props) {
  const [filter, setFilter] = useMemberFilter();
  const list = useInfiniteQuery(membersQuery(organization.id, filter));
  const { data: counts, isError: uncounted } = useQuery(countsQuery(organization.id));
  const { data: roles = [] } = useQuery(rolesQuery(organization.id));
  const [now] = useState(() => new Date());
  const [act, setAct] = useState<MemberAct>();
  dialog.useReady();
  const { data, isFetching } = list;
  const total = data?.pages[0]?.total;
  const isAlone = counts?.people === 1 && total === 1 && !isNarrow(filter);

  const guards = (member: Member) => guardsOf(caller, member, counts?.superAdmins ?? Infinity);
  const [typed, setTyped] = useTyped(filter.search, isFetching, (search) => setFilter({ ...filter, search }));
  const clear = useCallback(() => {
    setTyped('');
    setFilter({ ...filter, search: '', status: undefined, roleId: undefined });
  }, [filter, setFilter, setTyped]);

  const acts = (
    <>
      <Button onClick={() => setAct({ kind: 'many' })}>{text.addMany}</Button>
      <Button kind="primary" icon={<UserPlus />} onClick={() => setAct({ kind: 'invite' })}>
        {text.add}
      </Button>
    </>
  );
  return (
    <Card
      title={text.title}
      lead={counts ? wordsOf(counts) : !uncounted && <Skeleton width="third" />}
      actions={acts}
      flush
    >
      <MembersToolbar
        filter={filter}
        onFilter={setFilter}
        typed={typed}
        onType={setTyped}
        onClear={clear}
        roles={roles}
        busy={isFetching}
        found={list.isPlaceholderData ? undefined : total}
      />
      <MembersTable
        orgId={organization.id}
        caller={caller}
        zone={user.timeZone}
        now={now}
        filter={filter}
        superAdmins={counts?.superAdmins}
        onFilter={setFilter}
        onClear={clear}
        onAct={setAct}
      />
      {isAlone && (
        <div className={styles.first}>
          <strong>{text.first}</strong>
          <p>{text.firstHint}</p>
          <Button size="small" icon={<UserPlus />} onClick={() => setAct({ kind: 'invite' })}>
            {text.add}
          </Button>
        </div>
      )}
      {act && (
        <dialog.Popup
          act={act}
          organization={organization}
          caller={caller}
          roles={roles}
          filter={filter}
          guards={guards}
          day={dayIn(user.timeZone)}
          now={now}
          onClose={() => setAct(undefined)}
        />
      )}
    </Card>
  );
}

function wordsOf({ people, invitations }: { people: number; invitations: number }) {
  const all = people === 1 ? text.personOne : fill(text.people, { count: people });
  if (invitations === 0) return all;
  return invitations === 1
    ? fill(text.waitingOne, { people: all })
    : fill(text.waiting, { people: all, count: invitations });
}
