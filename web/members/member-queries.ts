import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import type { Output } from '#contract/endpoint.ts';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import { type Member, MEMBER_STATUS, members } from '#contract/members.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { call } from '#web/lib/call.ts';
import { isNarrow, type MemberFilter } from './member-filter.ts';

const PAGES_LOOKED_AT_AGAIN_MAX = 10;

type Page = Output<typeof members.list>;
type Pages = InfiniteData<Page, string | undefined>;

/** The members that a filter leaves, page by page. */
export const membersQuery = (orgId: OrgId, filter: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: ['members', orgId, 'list', filter],
    queryFn: ({ pageParam: after }) => {
      const { search, status, roleId, sort, descending } = filter;
      return call(members.list, {
        orgId,
        limit: MEMBERS_PAGE_MAX,
        ...(search && { search }),
        ...(status && { status }),
        ...(roleId && { roleId }),
        ...(sort && { sort }),
        ...(descending && { descending: '1' }),
        ...(after && { after }),
      });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Many pages are one list: a list one comes back to begins anew, and in one that is shown what others changed
    // appears as one comes back to the window, unless somebody has gone so far down that it would take many calls.
    staleTime: Infinity,
    refetchOnWindowFocus: ({ state }) =>
      (state.data?.pages.length ?? 0) <= PAGES_LOOKED_AT_AGAIN_MAX && 'always',
    gcTime: 0,
  });

/** How many there are whatever the filter: people, invitations that wait, active Super Admins. */
export const countsQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: ['members', orgId, 'counts'],
    queryFn: async () => {
      const [all, invited] = await Promise.all([
        call(members.list, { orgId, limit: 1 }),
        call(members.list, { orgId, limit: 1, status: MEMBER_STATUS.invited }),
      ]);
      return { people: all.total, invitations: invited.total, superAdmins: all.superAdmins };
    },
  });

/** The members of all pages; one who moved between two of them stands once. */
export function membersOf({ pages }: { pages: readonly Page[] }): Member[] {
  const byId = new Map<number, Member>();
  for (const member of pages.flatMap((page) => page.members))
    if (!byId.has(member.id)) byId.set(member.id, member);
  return [...byId.values()];
}

/** Carries a change into the rows that are shown, where they stand, and has everything counted again. */
export function useMembersChanged(orgId: OrgId) {
  const client = useQueryClient();
  const list = ['members', orgId, 'list'];
  const lookAgain = () => void client.invalidateQueries({ queryKey: list });
  const change = (of: (page: Page, at: number) => Page) => {
    client.setQueriesData<Pages>(
      { queryKey: list },
      (data) => data && { ...data, pages: data.pages.map(of) },
    );
    // What a lookup under way brings may be of before.
    if (client.isFetching({ queryKey: list })) lookAgain();
  };
  const recount = () => {
    void client.invalidateQueries({ queryKey: countsQuery(orgId).queryKey });
    void client.invalidateQueries({ queryKey: ['roles', orgId], exact: true });
  };
  return {
    /** On top, where everybody is shown, so that one sees them; a narrowed list is asked whom of them it holds. */
    added: (members: readonly Member[], filter: MemberFilter) => {
      if (isNarrow(filter)) lookAgain();
      else
        change((page, at) => ({
          ...page,
          total: page.total + members.length,
          members: at === 0 ? [...members, ...page.members] : page.members,
        }));
      recount();
    },
    changed: (member: Member) => {
      change((page) => ({
        ...page,
        members: page.members.map((before) => (before.id === member.id ? member : before)),
      }));
      recount();
    },
    removed: (userId: UserId) => {
      change((page) => ({
        ...page,
        total: page.total - 1,
        members: page.members.filter((member) => member.userId !== userId),
      }));
      recount();
    },
    /** Somebody else changed the list: it is asked for again. */
    refresh: () => void client.invalidateQueries({ queryKey: ['members', orgId] }),
  };
}
