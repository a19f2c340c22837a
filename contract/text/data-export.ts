import { DATA_EXPORT_DAYS, PRODUCT_NAME } from '#contract/limits.ts';

export const personFiles = {
  profile: 'Your name, address, telephone number, place and settings',
  'new-address': 'The address that you asked to change to and have not confirmed yet',
  picture: 'When you uploaded your profile picture; the picture itself is beside it',
  password: 'When you chose your password; the password itself is stored as a hash only',
  passkeys: 'Your passkeys, without their keys',
  'authenticator-app': 'Your authenticator app, without its secret',
  'recovery-codes': 'When your recovery codes were made and used, without the codes',
  'remembered-browsers': 'Browsers that need no second step',
  'sign-in-services': 'Accounts of other services that sign you in',
  sessions: 'Where you are signed in: devices, addresses and approximate locations',
  'known-devices': 'When browsers that signed you in were last seen',
  restrictions: 'Times in which nobody could sign in to your account',
  'mailed-links': 'Links and codes that were mailed to you, without their secrets',
  organizations: 'Your memberships: organization, role, status and your name there',
  'connected-applications': 'Applications that you let in, and what they may read',
  'application-sign-ins': 'Applications that you are signed in to',
  'application-identity': 'The name under which applications know you',
  'mail-preferences': 'The mails that you want',
  notifications: 'What the portal told you',
  activity: 'What you did, with the device and place, newest first',
} as const;
export type PersonFile = keyof typeof personFiles;

export const organizationFiles = {
  organization: 'Its name, address, website, size, application name and second-step rule',
  icons: 'When its icons were uploaded; those that are shown are beside it',
  roles: 'Its roles',
  rights: 'The rights of its own roles; built-in roles have all rights',
  members: 'Members and invitations: name, address, role and status',
  applications: 'Its applications and their settings',
  'application-secrets': 'When the applications’ secrets were made and end, without the secrets',
  'application-icons': 'When the applications’ icons were uploaded; the icons are beside it',
  'application-roles': 'The roles that may enter an application',
  webhooks: 'Its webhooks, without their secrets',
  'webhook-deliveries': 'What its webhooks were sent in the last days, with the answers',
  activity: 'Its activity log, newest first',
} as const;
export type OrganizationFile = keyof typeof organizationFiles;

export const archiveIndexText = {
  file: 'File',
  contents: 'What it holds',
  entries: 'Entries',
  image: 'An image',
  person: {
    title: `Your ${PRODUCT_NAME} data`,
    lead: `Everything that ${PRODUCT_NAME} holds about you, as of {moment} (UTC). The files are JSON: text that both people and programs can read.`,
    left: 'Not included: secrets such as keys and hashes, the data of other people, what belongs to your organizations, and what you did in those that you could not enter when you asked.',
  },
  organization: {
    title: `Your organization’s ${PRODUCT_NAME} data`,
    lead: `Everything that ${PRODUCT_NAME} holds for your organization, as of {moment} (UTC). The files are JSON: text that both people and programs can read.`,
    left: 'Not included: secrets such as keys and hashes, and what belongs to its members as people, such as how they sign in.',
  },
} as const;

const NOT_YOU =
  'If it was not you, somebody may be in your account: change your password, which signs everybody out.';

export const dataExportMail = {
  subject: `Your ${PRODUCT_NAME} data is ready`,
  paragraphs: [
    `You asked for the data that ${PRODUCT_NAME} holds about you. You can download it for ${DATA_EXPORT_DAYS} days, on My Profile. We ask you to confirm that it is you.`,
  ],
  button: 'Download your data',
  footer: NOT_YOU,
} as const;

export const organizationExportMail = {
  subject: 'The data of {organization} is ready',
  paragraphs: [
    `You asked for the data of {organization}. Super Admins can download it for ${DATA_EXPORT_DAYS} days, at the end of the Organization page. We ask you to confirm that it is you.`,
  ],
  button: 'Download the data',
  footer: NOT_YOU,
} as const;
