import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { Actor } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { membersText as text } from '#words/members.ts';
import type { User } from '#contract/profile/user.ts';
import { dayIn } from '#contract/dates.ts';
import { useAddressFilter } from '#web/lib/address-filter.ts';
import { rolesQuery } from './roles-query.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { MemberAct } from './member-dialog.tsx';
import { filterIn, isNarrow, toAddress } from './member-filter.ts';
import { countsQuery, membersQuery } from './member-queries.ts';
import styles from './members.module.css';
import { MembersTable } from './members-table.tsx';
import { MembersToolbar } from './members-toolbar.tsx';

const Dialog = latePopup(async () => (await import('./member-dialog.tsx')).MemberDialog);

type Props = { organization: Organization; user: User; caller: Actor };

export function MembersCard({ organization, user, caller }: Props) {
  const [filter, setFilter] = useAddressFilter(
    caller.rank === 'superAdmin' ? filterIn : filterForAdmins,
    toAddress,
  );
  const list = useInfiniteQuery(membersQuery(organization.id, filter));
  const { data: counts, isError: countFailed } = useQuery(countsQuery(organization.id));
  const { data: roles = [] } = useQuery(rolesQuery(organization.id));
  const [now] = useState(() => new Date());
  const client = useQueryClient();
  const [act, setAct] = useState<MemberAct>();
  const openDialog = useCallback(
    (next: MemberAct) => {
      // The cached roles, and which of them the caller may give, may be stale.
      void client.invalidateQueries({ queryKey: rolesQuery(organization.id).queryKey, exact: true });
      setAct(next);
    },
    [client, organization.id],
  );
  const { data, isFetching } = list;
  const total = data?.pages[0]?.total;
  const isAlone = counts?.people === 1 && total === 1 && !isNarrow(filter);

  const [typed, setTyped] = useSearchText(filter.search, isFetching, (search) =>
    setFilter({ ...filter, search }),
  );
  const clear = useCallback(() => {
    setTyped('');
    setFilter({ ...filter, search: '', status: undefined, roleId: undefined, lacks: undefined });
  }, [filter, setFilter, setTyped]);

  const acts = (
    <>
      <Button onClick={() => openDialog({ kind: 'many' })}>{text.addMany}</Button>
      <Button kind="primary" icon={<UserPlus />} onClick={() => openDialog({ kind: 'invite' })}>
        {text.add}
      </Button>
    </>
  );
  return (
    <Card
      id="members"
      title={text.title}
      lead={counts ? countWords(counts) : !countFailed && <Skeleton width="third" />}
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
        seesSteps={caller.rank === 'superAdmin'}
        busy={isFetching}
        matchCount={list.isPlaceholderData ? undefined : total}
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
        onAct={openDialog}
      />
      {isAlone && (
        <div className={styles.first}>
          <strong>{text.first}</strong>
          <p>{text.firstHint}</p>
          <Button size="small" icon={<UserPlus />} onClick={() => openDialog({ kind: 'invite' })}>
            {text.add}
          </Button>
        </div>
      )}
      {act && (
        <Dialog
          act={act}
          organization={organization}
          caller={caller}
          roles={roles}
          filter={filter}
          mustConfirm={!user.confirmed}
          day={dayIn(user.timeZone)}
          now={now}
          onClose={() => setAct(undefined)}
        />
      )}
    </Card>
  );
}

/** Only Super Admins may ask who lacks a second step, or a link with the company. */
const filterForAdmins = (address: Parameters<typeof filterIn>[0]) => ({
  ...filterIn(address),
  lacks: undefined,
});

const countWords = ({ people, invitations: count }: { people: number; invitations: number }) =>
  count === 0 ? text.people({ count: people }) : text.waiting({ people, count });

/** The text in the search field. Only one search runs at a time; the next one uses the latest text. */
function useSearchText(search: string, busy: boolean, onSearch: (typed: string) => void) {
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (!busy && typed !== search) onSearch(typed);
  });
  return [typed, setTyped] as const;
}
