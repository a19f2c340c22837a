import { missingRights, type Power } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Member, MEMBER_STATUS, type MemberStatus, type members } from '#contract/members/calls.ts';
import { rightWords } from '#contract/roles/right-words.ts';
import { refusalText } from '#contract/text/refusals.ts';
import { rolesText } from '#contract/text/roles.ts';
import { fill } from '#contract/text.ts';

/** An Inactive member has no seat and takes one again when the pause ends. All others hold one. */
export const needsSeat = (before: MemberStatus, after: MemberStatus) =>
  before === MEMBER_STATUS.inactive && after !== MEMBER_STATUS.inactive;

/** The usual messages of these refusals speak to the caller. These speak about another person. */
export const noMember = { details: refusalText.noMember };
export const hasJoined = { details: refusalText.hasJoined };

/** Says which rights the caller lacks to give a role. Undefined if none are missing or known. */
export function detailsOfRole(caller: Power, role: Power & { readonly name: string }) {
  if (role.rank === 'superAdmin' && caller.rank !== 'superAdmin')
    return { details: fill(rolesText.refusedRank, role) };
  const missing = caller.rights && role.rights ? missingRights(caller.rights, role.rights) : [];
  return missing.length > 0 ? detailsOfRights(missing) : undefined;
}
export const detailsOfRights = (missing: Iterable<string>) => ({
  details: fill(rolesText.refusedRights, { rights: rightWords(missing) }),
});

type EditInput = Partial<Input<typeof members.edit>>;
/** The member's fields that a caller may send as they saw them: `wasStatus` for `status`. */
type ShownMember = {
  [K in keyof EditInput as K extends `was${infer Name}` ? Uncapitalize<Name> : never]-?: NonNullable<
    EditInput[K]
  >;
};

/** Whether a value that the caller says they saw has changed. */
export const hasChanged = (seen: EditInput, member: Readonly<ShownMember>) =>
  Object.entries(member).some(([name, now]) => {
    const was = seen[`was${name.charAt(0).toUpperCase()}${name.slice(1)}` as keyof EditInput];
    return was !== undefined && was !== now;
  });

/** The columns in which an organization describes a member, each with its name in the contract. */
export const memberColumns = {
  first_name: 'firstName',
  last_name: 'lastName',
  designation: 'designation',
} as const satisfies Record<string, keyof Member>;
export type MemberColumn = keyof typeof memberColumns;
export type MemberWords = { readonly [C in MemberColumn as (typeof memberColumns)[C]]: string };
type MemberWordsInput = { readonly [Name in keyof MemberWords]?: string | undefined };

/** The given words by column. */
export function columnsOf(words: MemberWords): Record<MemberColumn, string>;
export function columnsOf(words: MemberWordsInput): Partial<Record<MemberColumn, string>>;
export function columnsOf(words: MemberWordsInput) {
  const columns = Object.entries(memberColumns).map(([column, name]) => [column, words[name]] as const);
  return Object.fromEntries(columns.filter(([, word]) => word !== undefined));
}
