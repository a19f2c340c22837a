import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo } from 'react';
import type { Actor } from '#contract/members/authority.ts';
import type { Member, MemberSort } from '#contract/members/calls.ts';
import { membersText as text } from '#words/members.ts';
import type { OrgId } from '#contract/wire.ts';
import { dayIn } from '#contract/dates.ts';
import { pagesOf } from '#web/lib/pages-of.ts';
import { Button } from '#web/ui/button.tsx';
import { Table } from '#web/ui/table.tsx';
import { guardsOf } from './guards.ts';
import { memberColumnsOf } from './member-columns.tsx';
import { type MemberFilter, sortedBy } from './member-filter.ts';
import { membersOf, membersQuery } from './member-queries.ts';

type Props = {
  orgId: OrgId;
  caller: Actor;
  zone: string | null;
  now: Date;
  filter: MemberFilter;
  superAdmins: number | undefined;
  onFilter: (filter: MemberFilter) => void;
  onClear: () => void;
  onAct: (act: { kind: 'edit' | 'assign' | 'remove'; member: Member }) => void;
};

/** The filtered members. Memoized, so that typing into the search does not render the rows. */
export const MembersTable = memo(function MembersTable(props: Props) {
  const { orgId, caller, zone, now, filter, superAdmins = Infinity, onFilter, onClear, onAct } = props;
  const list = useInfiniteQuery(membersQuery(orgId, filter));
  // Deferred, so that typing has priority over rendering the rows.
  const data = useDeferredValue(list.data);
  const busy = list.isFetching || data !== list.data;
  const rows = useMemo(() => data && membersOf(data), [data]);
  const columns = useMemo(() => {
    const open = (kind: 'edit' | 'assign' | 'remove') => (member: Member) => onAct({ kind, member });
    return memberColumnsOf({
      orgId,
      self: caller.userId,
      search: filter.search,
      day: dayIn(zone),
      now,
      guards: (member) => guardsOf(caller, member, superAdmins),
      onEdit: open('edit'),
      onAssign: open('assign'),
      onRemove: open('remove'),
    });
  }, [orgId, caller, zone, now, filter.search, superAdmins, onAct]);
  return (
    <Table
      caption={text.title}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      total={data?.pages[0]?.total}
      order={{
        by: filter.sort,
        descending: filter.descending,
        onChange: (by) => onFilter(sortedBy(filter, by as MemberSort)),
      }}
      {...pagesOf(list, busy)}
      empty={{
        title: text.none,
        text: text.noneHint,
        action: (
          <Button size="small" onClick={onClear}>
            {text.clear}
          </Button>
        ),
      }}
    />
  );
});
