import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';

/** Invited, Active and Disabled members hold a seat; an Inactive one takes one when the pause ends. */
export const needsSeat = (before: MemberStatus, after: MemberStatus) =>
  before === MEMBER_STATUS.inactive && after !== MEMBER_STATUS.inactive;

/** What the catalogue's words would not say of somebody else. */
export const noMember = { details: 'This person is not a member of the organization.' };
export const hasJoined = { details: 'This person has joined already.' };
