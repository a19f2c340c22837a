import type { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';

/**
 * The row that a sentence depends on. Placeholders are filled from the row; `from` and `to` come from its
 * main change. `{their}` becomes "your" and `{require}` "require" for the reader's own acts.
 */
export type ActRow = {
  readonly information: Readonly<Record<string, unknown>>;
  /** The person acted on themselves. */
  readonly isOwn: boolean;
};
export type Sentence = string | ((row: ActRow) => string);

/** The new value of a change, or undefined. */
const now = ({ information }: ActRow, field: string): unknown => {
  const change = information[field];
  return Array.isArray(change) ? (change as unknown[])[1] : undefined;
};
const was = ({ information }: ActRow, field: string): unknown => {
  const change = information[field];
  return Array.isArray(change) ? (change as unknown[])[0] : undefined;
};
/** The changed fields. The field `operator` only names the operator. */
const changedFields = ({ information }: ActRow) =>
  Object.keys(information).filter((field) => field !== 'operator');
/** One sentence for a single changed field, another for several. */
const oneOr = (one: string, several: string) => (row: ActRow) =>
  changedFields(row).length === 1 ? one : several;

/** A new rule about the second step of members, its end, or another day. */
function secondStepRule(row: ActRow) {
  const isDated = typeof now(row, 'second_step_from') === 'string';
  switch (now(row, 'second_step_rule')) {
    case 'none':
      return '{who} no longer {require} a second step';
    case 'strong':
      return isDated
        ? '{who} {require} a passkey or an authenticator app from {day}'
        : '{who} {require} a passkey or an authenticator app';
    case 'any':
      if (was(row, 'second_step_rule') === 'strong')
        return isDated
          ? '{who} {require} any second step from {day}, no longer a passkey or an authenticator app'
          : '{who} {require} any second step, no longer a passkey or an authenticator app';
      return '{who} {require} a second step from {day}';
    default:
      return '{who} moved the start of the required second step to {day}';
  }
}

/** Another sentence if the row names a browser. */
const ofBrowser = (withBrowser: string, withoutBrowser: string) => (row: ActRow) =>
  'browser' in row.information ? withBrowser : withoutBrowser;

const INVITED = 1;
const ACTIVE = 2;

/** The sentences of every act, by type and action. An act without a sentence cannot be recorded. */
export const activitySentences = {
  profileInformation: {
    create: '{who} created {their} account',
    update: oneOr('{who} changed {their} {field}', '{who} changed {their} profile'),
    upload: '{who} uploaded a profile picture',
    delete: '{who} removed {their} profile picture',
  },
  contactInformation: {
    update: (row) => {
      if (now(row, 'confirmed') === true) return '{who} confirmed {their} email address';
      return 'pending_email' in row.information && changedFields(row).length === 1
        ? '{who} asked to change {their} email address'
        : oneOr('{who} changed {their} {field}', '{who} changed {their} contact information')(row);
    },
    change: (row) =>
      'reported' in row.information
        ? '{who} took {their} former email address back'
        : '{who} changed {their} email address',
    delete: (row) =>
      'email' in row.information
        ? '{who} lost an email address that somebody else proved to be theirs'
        : '{who} kept {their} email address as it was',
  },
  password: {
    create: '{who} chose {their} first password',
    change: '{who} changed {their} password',
    update: '{who} changed {their} password',
  },
  emailNotification: { update: '{who} changed {their} email notifications' },
  applicationInformation: {
    update: (row) =>
      'application_name' in row.information
        ? '{who} renamed the application from {from} to {to}'
        : '{who} changed the {field}',
    upload: '{who} uploaded a new {field}',
  },
  organizationInformation: {
    create: '{who} created the organization {to}',
    update: (row) => {
      if (changedFields(row).some((field) => field.startsWith('second_step_'))) return secondStepRule(row);
      if (changedFields(row).length > 1) return '{who} changed the organization’s information';
      if ('name' in row.information) return '{who} renamed the organization from {from} to {to}';
      return 'is_default' in row.information
        ? '{who} made this {their} default organization'
        : '{who} changed the organization’s {field}';
    },
    delete: '{who} deleted the organization {from}',
  },
  roleInformation: {
    create: '{who} created the role {role}',
    update: '{who} renamed the role {from} to {role}',
    delete: (row) =>
      row.information['moved'] === 0
        ? '{who} deleted the role {role}'
        : '{who} deleted the role {role}; its members now have {movedTo}',
  },
  invitedContact: {
    invite: (row) => {
      if ('invitation_expires' in row.information) return '{who} sent {whom} a new invitation link';
      return now(row, 'role') === undefined ? '{who} invited {whom}' : '{who} invited {whom} as {toRole}';
    },
    update: (row) => {
      if (changedFields(row).length > 1) return '{who} changed the details of {whom}';
      if ('role' in row.information) return '{who} changed the role of {whom} from {from} to {to}';
      if ('confirmed' in row.information) return '{who} confirmed the invited email address';
      return 'status' in row.information
        ? '{who} changed the status of {whom} from {from} to {to}'
        : '{who} changed the {field} of {whom}';
    },
    delete: (row) => {
      if (row.isOwn) return '{who} left the organization';
      return was(row, 'status') === INVITED
        ? '{who} withdrew the invitation of {whom}'
        : '{who} deleted {whom} from the organization';
    },
  },
  auditLog: {
    read: (row) => ('backup' in row.information ? '{who} made a backup' : '{who} exported the activity log'),
    upload: '{who} brought a backup back',
    change: '{who} had a failed job done again',
  },
  deleteAccount: {
    delete: (row) => {
      if (!('status' in row.information)) return '{who} asked to delete {their} account';
      return now(row, 'status') === null
        ? '{who} is no longer a member: the account was erased'
        : '{who} paused {their} membership by asking to delete {their} account';
    },
    change: (row) => {
      if (!('status' in row.information)) return '{who} restored {their} account';
      return now(row, 'status') === ACTIVE
        ? '{who} is a member again, with {their} account restored'
        : '{who} restored {their} account; without a free seat the membership stays paused';
    },
  },
  permission: { update: '{who} changed what the role {role} may do' },
  signInDevice: {
    delete: (row) => {
      if ('sessions' in row.information) return '{who} signed {whom} out everywhere';
      return row.information['reported'] === true
        ? '{who} reported a sign-in that was not {theirs}'
        : ofBrowser('{who} deleted a device with {browser}', '{who} deleted a sign-in device')(row);
    },
  },
  signIn: {
    create: ofBrowser('{who} signed in with {browser}', '{who} signed in'),
    update: '{who} connected {provider} for signing in',
    delete: ofBrowser('{who} signed out of {browser}', '{who} signed out'),
    change: (row) =>
      now(row, 'restricted_until') === null
        ? '{who} lifted the restriction of {whom}'
        : '{who} restricted the account of {whom}',
  },
  twoStep: {
    change: (row) =>
      now(row, 'mfa_enabled') === true
        ? '{who} switched two-step sign-in on'
        : '{who} switched two-step sign-in off',
  },
  invitationAnswer: {
    create: '{who} joined the organization as {role}',
    delete: '{who} declined the invitation',
  },
  suiteApplication: {
    create: '{who} added the application {to}',
    update: '{who} changed an application',
    change: '{who} made a new secret for an application',
    delete: '{who} removed the application {from}',
  },
  stepUp: { create: '{who} confirmed {their} identity' },
  passkey: {
    create: '{who} added a passkey',
    update: '{who} renamed a passkey from {from} to {to}',
    delete: '{who} removed a passkey',
  },
  authenticatorApp: {
    create: '{who} set up an authenticator app',
    delete: '{who} removed {their} authenticator app',
  },
  recoveryCode: {
    create: '{who} made new recovery codes',
    change: '{who} used a recovery code',
  },
  rememberedBrowser: {
    create: '{who} let {browser} sign in without a second step',
    delete: ofBrowser(
      '{who} asked {browser} for a second step again',
      '{who} asked all browsers for a second step again',
    ),
  },
  connectedApplication: {
    create: (row) =>
      row.information['asked'] === false
        ? '{who} entered {application}'
        : '{who} let {application} use {their} account',
    update: (row) =>
      row.information['asked'] === false
        ? '{who} entered {application}, which sees more of {their} account now'
        : '{who} let {application} see more of {their} account',
    delete: '{who} took {their} account back from {application}',
  },
  ownApplication: {
    create: '{who} added the application {application}',
    update: (row) => {
      if (!('paused' in row.information)) return '{who} changed the application {application}';
      return now(row, 'paused') === true
        ? '{who} paused the application {application}'
        : '{who} resumed the application {application}';
    },
    change: '{who} made a new secret for the application {application}',
    delete: '{who} removed the application {application}',
  },
  webhook: {
    create: '{who} added the webhook {webhook}',
    update: (row) => {
      if ('switched_off' in row.information)
        return `${PRODUCT_NAME} switched off the webhook {webhook}, because it {reason}`;
      if ('sent' in row.information) return '{who} sent the event {sent} to the webhook {webhook}';
      if (!('paused' in row.information)) return '{who} changed the webhook {webhook}';
      return now(row, 'paused') === true
        ? '{who} paused the webhook {webhook}'
        : '{who} resumed the webhook {webhook}';
    },
    change: '{who} made a new secret for the webhook {webhook}',
    delete: '{who} removed the webhook {webhook}',
  },
  dataExport: {
    create: '{who} asked for {their} data',
    read: '{who} downloaded {their} data',
  },
  organizationData: {
    create: '{who} asked for the organization’s data',
    read: '{who} downloaded the organization’s data',
  },
} satisfies {
  readonly [T in keyof typeof ACTIVITY_TYPE]: { readonly [A in keyof typeof ACTION]?: Sentence };
};
