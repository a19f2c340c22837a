import { missingRights, type Power } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { type Member, MEMBER_STATUS, type MemberStatus, type members } from '#contract/members.ts';
import { rightWords } from '#contract/right-words.ts';
import { refusalText } from '#contract/text/refusals.ts';
import { rolesText } from '#contract/text/roles.ts';
import { fill } from '#contract/text.ts';

/** Invited, Active and Disabled members hold a seat. Inactive ones take one again when the pause ends. */
export const needsSeat = (before: MemberStatus, after: MemberStatus) =>
  before === MEMBER_STATUS.inactive && after !== MEMBER_STATUS.inactive;

/** The catalogue's messages speak to the caller. These speak about another person. */
export const noMember = { details: refusalText.noMember };
export const hasJoined = { details: refusalText.hasJoined };

/** The rights that the caller lacks to give a role, in words. Undefined if none are missing or known. */
export function lackingFor(caller: Power, role: Power & { readonly name: string }) {
  if (role.rank === 'superAdmin' && caller.rank !== 'superAdmin')
    return { details: fill(rolesText.refusedRank, role) };
  const missing = caller.rights && role.rights ? missingRights(caller.rights, role.rights) : [];
  return missing.length > 0 ? lacking(missing) : undefined;
}
export const lacking = (missing: Iterable<string>) => ({
  details: fill(rolesText.refusedRights, { rights: rightWords(missing) }),
});

type EditInput = Partial<Input<typeof members.edit>>;
/** The member as the caller saw them, under the names that a member's fields have. */
type ShownMember = {
  [K in keyof EditInput as K extends `was${infer Name}` ? Uncapitalize<Name> : never]-?: NonNullable<
    EditInput[K]
  >;
};

/** Whether a member has changed since the caller saw them, in the fields that the caller sent. */
export const isOtherwise = (seen: EditInput, member: Readonly<ShownMember>) =>
  Object.entries(member).some(([name, now]) => {
    const was = seen[`was${name.charAt(0).toUpperCase()}${name.slice(1)}` as keyof EditInput];
    return was !== undefined && was !== now;
  });

/** The columns that an organization fills about a member, each with its name in the contract. */
export const memberColumns = {
  first_name: 'firstName',
  last_name: 'lastName',
  designation: 'designation',
} as const satisfies Record<string, keyof Member>;
export type MemberColumn = keyof typeof memberColumns;
export type MemberWords = { readonly [C in MemberColumn as (typeof memberColumns)[C]]: string };
type MemberWordsInput = { readonly [Name in keyof MemberWords]?: string | undefined };

/** The same by column; what is not said is left out. */
export function columnsOf(words: MemberWords): Record<MemberColumn, string>;
export function columnsOf(words: MemberWordsInput): Partial<Record<MemberColumn, string>>;
export function columnsOf(words: MemberWordsInput) {
  const columns = Object.entries(memberColumns).map(([column, name]) => [column, words[name]] as const);
  return Object.fromEntries(columns.filter(([, word]) => word !== undefined));
}
