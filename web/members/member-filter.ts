import { EMAIL_MAX_CHARACTERS } from '#contract/limits.ts';
import { type MemberSort, memberSorts, type MemberStatus } from '#contract/members/calls.ts';
import type { RoleId } from '#contract/wire.ts';

export const LACKING_STEP = ['any', 'strong'] as const;
export const LACKING_LINK = ['addresses', 'everybody'] as const;
export const LACKING = [...LACKING_STEP, ...LACKING_LINK] as const;

/** The filter and order of a list of members. Without an order they are sorted by arrival. */
export type MemberFilter = {
  readonly search: string;
  readonly status: MemberStatus | undefined;
  readonly roleId: RoleId | undefined;
  /** Active members who do not meet this rule: for the second step, or for the company's sign-in. */
  readonly lacks: (typeof LACKING)[number] | undefined;
  readonly sort: MemberSort | undefined;
  readonly descending: boolean;
};

type InAddress = Readonly<Record<string, string>>;

export function filterIn({ search = '', status, role, lacks, sort, order }: InAddress): MemberFilter {
  const by = memberSorts.find((name) => name === sort);
  return {
    search: search
      .normalize('NFC')
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, EMAIL_MAX_CHARACTERS),
    status: /^[1-4]$/.test(status ?? '') ? (Number(status) as MemberStatus) : undefined,
    roleId: /^[1-9]\d{0,14}$/.test(role ?? '') ? (Number(role) as RoleId) : undefined,
    lacks: LACKING.find((name) => name === lacks),
    sort: by,
    descending: by !== undefined && order === 'descending',
  };
}

export const toAddress = ({ search, status, roleId, lacks, sort, descending }: MemberFilter): InAddress => ({
  ...(search && { search }),
  ...(status && { status: String(status) }),
  ...(roleId && { role: String(roleId) }),
  ...(lacks && { lacks }),
  ...(sort && { sort }),
  ...(descending && { order: 'descending' }),
});

export const isNarrow = ({ search, status, roleId, lacks }: MemberFilter) =>
  search.trim() !== '' || status !== undefined || roleId !== undefined || lacks !== undefined;

/** Each press on a head changes the order: up, down, back to arrival. */
export function sortedBy(filter: MemberFilter, sort: MemberSort): MemberFilter {
  if (filter.sort !== sort) return { ...filter, sort, descending: false };
  return filter.descending
    ? { ...filter, sort: undefined, descending: false }
    : { ...filter, descending: true };
}
