// The calls about members, and the words and statuses that describe a member on both sides.
import * as z from 'zod/mini';
import { designation, firstName, language, lastName, search } from '#contract/split-by-bytes/area-fields.ts';
import { countInQuery, idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { email } from '#contract/fields.ts';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import { digest } from '#contract/split-by-bytes/mailed-fields.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, memberId, nothing, orgId, roleId, shape, userId } from '#contract/wire.ts';

export const MEMBER_STATUS = { invited: 1, active: 2, inactive: 3, disabled: 4 } as const;
export const memberStatus = z.literal([1, 2, 3, 4]);
export type MemberStatus = z.output<typeof memberStatus>;

/** The rules of the words that describe a member. They make up the forms, the table and the export. */
const memberWords = { firstName, lastName: z.optional(lastName), designation: z.optional(designation) };
export type MemberWord = keyof typeof memberWords;
export const memberColumns = {
  first_name: 'firstName',
  last_name: 'lastName',
  designation: 'designation',
} as const satisfies Record<string, MemberWord>;
export const memberWordNames = Object.values(memberColumns);

export const eachWord = <T>(valueOf: (word: MemberWord) => T) =>
  Object.fromEntries(memberWordNames.map((word) => [word, valueOf(word)])) as Record<MemberWord, T>;

/** A company directory may manage these, which pages then show read-only; `names` are all words. */
export const DIRECTORY_PARTS = ['names', 'role', 'status'] as const;
export type DirectoryPart = (typeof DIRECTORY_PARTS)[number];

export const member = shape({
  id: memberId,
  userId,
  ...eachWord(() => z.string()),
  email: z.nullable(z.string()),
  role: z.string(),
  roleId,
  status: memberStatus,
  /** Neither for others than invited people, nor for those whom a company directory invites. */
  invitationExpires: z.optional(time),
  managed: z.optional(z.array(z.literal(DIRECTORY_PARTS))),
});
export type Member = z.output<typeof member>;

export const memberSorts = ['name', 'email', 'role', 'status'] as const;
export type MemberSort = (typeof memberSorts)[number];

/** One page of members. Every filter narrows the list; `after` is the `next` of the previous page. */
const page = input({
  orgId: orgIdInQuery,
  search: z.optional(search),
  status: z.optional(
    z.codec(z.literal(['1', '2', '3', '4']), memberStatus, {
      decode: (digit) => Number(digit) as MemberStatus,
      encode: (status) => `${status}` as const,
    }),
  ),
  roleId: z.optional(idInQuery(roleId)),
  /** Active members who do not meet this rule for the second step. Only Super Admins may ask. */
  lacksStep: z.optional(z.literal(['any', 'strong'])),
  /** Active members whom the company's provider does not know, as its rule counts them. Only Super Admins may ask. */
  unlinked: z.optional(z.literal(['addresses', 'everybody'])),
  /** Only this member; the other filters do not apply. */
  userId: z.optional(idInQuery(userId)),
  /** Without it, members come in the order of their arrival. */
  sort: z.optional(z.literal(memberSorts)),
  descending: z.optional(z.literal(['0', '1'])),
  after: z.optional(z.string().check(z.regex(/^[\w-]{1,1200}$/))),
  limit: z.optional(countInQuery(MEMBERS_PAGE_MAX)),
});

/** The member as the caller saw them. The server refuses the change if one of these values differs now. */
const seenValues = { ...eachWord(() => z.string()), roleId, status: memberStatus };
type Seen = typeof seenValues;
type FormerValues = { [K in keyof Seen as `was${Capitalize<K>}`]: z.ZodMiniOptional<Seen[K]> };
export const wasName = (name: string) => `was${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const formerValues = Object.fromEntries(
  Object.entries(seenValues).map(([name, type]) => [wasName(name), z.optional(type)]),
) as FormerValues;
export const seenNames = Object.keys(seenValues) as (keyof Seen)[];

export const members = {
  list: endpoint({
    method: 'GET',
    path: '/api/orgusers',
    access: 'admin',
    input: page,
    output: shape({
      members: z.array(member),
      next: z.nullable(z.string()),
      total: z.int(),
      /** The number of active Super Admins, regardless of the filter: the last one cannot be removed. */
      superAdmins: z.int(),
    }),
    failures: ['org_not_found', 'super_admin_only'],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/orgusers',
    access: 'admin',
    input: input({
      orgId,
      roleId,
      ...memberWords,
      email: as('email_id', email),
      /** Of the mail, if the person has none yet. */
      language: z.optional(language),
    }),
    output: member,
    failures: [
      'org_not_found',
      'not_allowed',
      'role_not_found',
      'account_not_confirmed',
      'user_present_in_org',
      'sign_max_users_reached',
      'too_many_requests',
    ],
  }),
  edit: endpoint({
    method: 'PUT',
    path: '/api/orgusers',
    access: 'admin',
    input: input({
      orgId,
      userId,
      ...memberWords,
      roleId,
      status: z.optional(z.literal([2, 3, 4])),
      ...formerValues,
    }),
    output: member,
    failures: [
      'org_not_found',
      'not_allowed',
      'user_not_found',
      'role_not_found',
      'no_changes',
      'changed_meanwhile',
      'last_super_admin',
      'sign_max_users_reached',
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/orgusers',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, userId: as('del_user_id', userId), wasStatus: formerValues.wasStatus }),
    output: nothing,
    failures: [
      'org_not_found',
      'not_allowed',
      'user_not_found',
      'super_admin_only',
      'account_not_confirmed',
      'changed_meanwhile',
      'last_super_admin',
      'reauthentication_required',
    ],
  }),
  resend: endpoint({
    method: 'POST',
    path: '/api/orgusers/resend',
    access: 'admin',
    input: input({ orgId, userId }),
    output: member,
    failures: [
      'org_not_found',
      'not_allowed',
      'user_not_found',
      'account_not_confirmed',
      'user_present_in_org',
      'too_many_requests',
    ],
  }),
  invitation: endpoint({
    method: 'GET',
    path: '/api/invitation',
    access: 'public',
    input: input({ digest }),
    output: shape({
      organization: z.string(),
      role: z.string(),
      invitedBy: z.string(),
      /** Masked unless it is the caller's own address. */
      email: z.string(),
      /** The caller's choices: answer, sign in first, choose a first password, or switch to another account. */
      state: z.literal(['open', 'sign_in', 'create_password', 'other_account']),
    }),
    failures: ['digest_invalid', 'digest_expired'],
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/api/invitations',
    access: 'session',
    output: z.array(
      shape({
        id: memberId,
        organization: as('OrgName', z.string()),
        role: z.string(),
        invitedBy: z.string(),
        expires: time,
        /** Only the mailed link can accept, because the mailbox has not been proven since the mail was sent. */
        linkNeeded: z.optional(flag),
      }),
    ),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/invitation',
    access: 'session',
    /** Either the mailed digest or an id of `GET /invitations`. */
    input: input({ digest: z.optional(digest), id: z.optional(memberId), accept: flag }),
    output: shape({ urlName: as('OrgUrlName', z.optional(z.string())) }),
    failures: [
      'digest_invalid',
      'digest_expired',
      'not_found',
      'not_allowed',
      'account_not_confirmed',
      'reauthentication_required',
    ],
  }),
};
