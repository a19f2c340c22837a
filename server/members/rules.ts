import { missingRights, type Power } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import {
  type DirectoryPart,
  eachWord,
  memberWordNames,
  type Member,
  MEMBER_STATUS,
  memberColumns,
  type MemberStatus,
  type MemberWord,
  type members,
  seenNames,
  wasName,
} from '#contract/members/calls.ts';
import { SUPER_ADMIN } from '#contract/roles/calls.ts';
import { rightWords } from '#contract/roles/right-words.ts';
import { refusalText } from '#words/rules/refusal.ts';
import { rolesText } from '#words/roles.ts';

/** An Inactive member has no seat and takes one again when the pause ends. All others hold one. */
export const needsSeat = (before: MemberStatus, after: MemberStatus) =>
  before === MEMBER_STATUS.inactive && after !== MEMBER_STATUS.inactive;

/** The usual messages of these refusals speak to the caller. These speak about another person. */
export const noMember = { details: refusalText.noMember };
export const hasJoined = { details: refusalText.hasJoined };

export const ofDirectory = { details: refusalText.directoryManages };

type Hold = { readonly isActive: boolean; readonly hasGroupRole: boolean | number };
/** The directory manages a member's words, the role of a group, and its own Inactive. It demotes no Super Admin. */
export const partsOf = (
  { isActive, hasGroupRole }: Hold,
  { role }: Pick<Member, 'role'>,
): DirectoryPart[] => [
  'names',
  ...(hasGroupRole && role !== SUPER_ADMIN ? (['role'] as const) : []),
  ...(isActive ? [] : (['status'] as const)),
];

const fieldsOf = { names: memberWordNames, role: ['roleId'], status: ['status'] } as const;
type Editable = MemberWord | 'roleId' | 'status';
/** Whether an edit touches what the directory manages. */
export const isLocked = (
  hold: Hold,
  member: Pick<Member, Editable | 'role'>,
  edit: { readonly [F in Editable]?: Member[F] | undefined },
) =>
  partsOf(hold, member)
    .flatMap((part): readonly Editable[] => fieldsOf[part])
    .some((field) => edit[field] !== undefined && edit[field] !== member[field]);

/** Says which rights the caller lacks to give a role. Undefined if none are missing or known. */
export function detailsOfRole(caller: Power, role: Power & { readonly name: string }) {
  if (role.rank === 'superAdmin' && caller.rank !== 'superAdmin')
    return { details: rolesText.refusedRank(role) };
  const missing = caller.rights && role.rights ? missingRights(caller.rights, role.rights) : [];
  return missing.length > 0 ? detailsOfRights(missing) : undefined;
}
export const detailsOfRights = (missing: Iterable<string>) => ({
  details: rolesText.refusedRights({ rights: rightWords(missing) }),
});

type EditInput = Partial<Input<typeof members.edit>>;
export const hasChanged = (seen: EditInput, member: Pick<Member, (typeof seenNames)[number]>) =>
  seenNames.some((name) => {
    const was = seen[wasName(name) as keyof EditInput];
    return was !== undefined && was !== member[name];
  });

export type MemberColumn = keyof typeof memberColumns;
export type MemberWords = Readonly<Record<MemberWord, string>>;
export type SomeWords = { readonly [W in MemberWord]?: string | undefined };

export const allWordsOf = (words: SomeWords): MemberWords => eachWord((word) => words[word] ?? '');

export function wordsInColumns(words: MemberWords): Record<MemberColumn, string>;
export function wordsInColumns(words: SomeWords): Partial<Record<MemberColumn, string>>;
export function wordsInColumns(words: SomeWords) {
  const columns = Object.entries(memberColumns).map(([column, name]) => [column, words[name]] as const);
  return Object.fromEntries(columns.filter(([, word]) => word !== undefined));
}
