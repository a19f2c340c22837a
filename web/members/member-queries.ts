import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import type { Input, Output } from '#contract/endpoint.ts';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import {
  type Member,
  MEMBER_STATUS,
  memberWordNames,
  members,
  seenNames,
  wasName,
} from '#contract/members/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { call, type CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { isNarrow, type MemberFilter } from './member-filter.ts';

const REFETCHED_PAGES_MAX = 10;

type Page = Output<typeof members.list>;

export const membersQuery = (orgId: OrgId, filter: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: ['members', orgId, 'list', filter],
    queryFn: ({ pageParam: after }) => {
      const { search, status, roleId, lacks, sort, descending } = filter;
      return call(members.list, {
        orgId,
        limit: MEMBERS_PAGE_MAX,
        ...(search && { search }),
        ...(status && { status }),
        ...(roleId && { roleId }),
        ...((lacks === 'any' || lacks === 'strong') && { lacksStep: lacks }),
        ...((lacks === 'addresses' || lacks === 'everybody') && { unlinked: lacks }),
        ...(sort && { sort }),
        ...(descending && { descending: '1' }),
        ...(after && { after }),
      });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // One list, so no page is refetched alone; on focus all are, unless that takes many calls.
    staleTime: Infinity,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= REFETCHED_PAGES_MAX && 'always',
    gcTime: 0,
  });

/** Numbers regardless of the filter: people, pending invitations, active Super Admins. */
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

/** The member's current row, if they still belong, and the number of active Super Admins. */
export const memberQuery = (orgId: OrgId, userId: UserId) =>
  queryOptions({
    queryKey: ['members', orgId, 'one', userId],
    queryFn: async () => {
      const page = await call(members.list, { orgId, userId });
      return { member: page.members[0], superAdmins: page.superAdmins };
    },
    // A form must not change while somebody edits it. The server refuses if the member has changed.
    staleTime: Infinity,
    gcTime: 0,
  });

type Edit = Input<typeof members.edit>;
type FormerValues = Required<Pick<Edit, Extract<keyof Edit, `was${string}`>>>;
export const furtherWords = memberWordNames.filter((word) => word !== 'firstName' && word !== 'lastName');

export const formerValuesOf = (member: Member) =>
  Object.fromEntries(seenNames.map((name) => [wasName(name), member[name]])) as FormerValues;

/** The members of all pages. A member who moved between two pages appears once. */
export function membersOf({ pages }: { pages: readonly Page[] }): Member[] {
  const byId = new Map<number, Member>();
  for (const member of pages.flatMap((page) => page.members))
    if (!byId.has(member.id)) byId.set(member.id, member);
  return [...byId.values()];
}

export function useMembersChanged(orgId: OrgId) {
  const client = useQueryClient();
  const list = ['members', orgId, 'list'];
  const refetchList = () => void client.invalidateQueries({ queryKey: list });
  const change = (changePage: (page: Page, at: number) => Page) => {
    client.setQueriesData<InfiniteData<Page, string | undefined>>(
      { queryKey: list },
      (data) => data && { ...data, pages: data.pages.map(changePage) },
    );
    // A fetch in flight may bring older data.
    if (client.isFetching({ queryKey: list })) refetchList();
  };
  const recount = () => {
    void client.invalidateQueries({ queryKey: countsQuery(orgId).queryKey });
    void client.invalidateQueries({ queryKey: ['roles', orgId], exact: true });
  };
  return {
    /** On top, so that the caller sees them. A filtered list is refetched, because it may exclude them. */
    addRows: (members: readonly Member[], filter: MemberFilter) => {
      if (isNarrow(filter)) refetchList();
      else
        change((page, at) => ({
          ...page,
          total: page.total + members.length,
          members: at === 0 ? [...members, ...page.members] : page.members,
        }));
      recount();
    },
    updateRow: (member: Member) => {
      change((page) => ({
        ...page,
        members: page.members.map((before) => (before.id === member.id ? member : before)),
      }));
      recount();
    },
    removeRow: (userId: UserId) => {
      change((page) => ({
        ...page,
        total: page.total - 1,
        members: page.members.filter((member) => member.userId !== userId),
      }));
      recount();
    },
    refresh: () => void client.invalidateQueries({ queryKey: ['members', orgId] }),
  };
}

export function useMemberGone(orgId: OrgId, onClose: () => void) {
  const { refresh } = useMembersChanged(orgId);
  return (failure: CallError) => {
    present(failure);
    refresh();
    onClose();
  };
}
