/** What an audit row says happened, to what, and where in the portal; 1–12 are the specification's, the rest ours. */
export const ACTION = {
  create: 1,
  read: 2,
  update: 3,
  delete: 4,
  search: 5,
  change: 6,
  upload: 7,
  invite: 8,
} as const;

export const ACTIVITY_TYPE = {
  profileInformation: 1,
  contactInformation: 2,
  password: 3,
  emailNotification: 4,
  applicationInformation: 5,
  organizationInformation: 6,
  roleInformation: 7,
  invitedContact: 8,
  auditLog: 9,
  deleteAccount: 10,
  permission: 11,
  signInDevice: 12,
  signIn: 13,
  twoStep: 14,
  invitationAnswer: 15,
  stepUp: 16,
} as const;

export const MODULE = {
  organization: 1,
  profile: 2,
  communication: 3,
  signInDevice: 4,
  recentActivity: 5,
  deleteAccount: 6,
} as const;

/** Who did it where nobody of the portal did: whoever runs it, on the machine itself. People's ids begin at 1. */
export const OPERATOR_ID = 0;

export type Action = (typeof ACTION)[keyof typeof ACTION];
export type ActivityType = (typeof ACTIVITY_TYPE)[keyof typeof ACTIVITY_TYPE];
export type Module = (typeof MODULE)[keyof typeof MODULE];
