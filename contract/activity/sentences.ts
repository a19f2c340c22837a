import { ACTION, ACTIVITY_TYPE } from './calls.ts';
import { activityText } from '#words/activity.ts';

type Row = {
  readonly information: Readonly<Record<string, unknown>>;
  /** The person acted on themselves. */
  readonly isOwn: boolean;
};
type Texts = typeof activityText;
/** For acts with several sentences: the name of the one that fits the row. */
type Choices = {
  readonly [T in keyof Texts]?: Partial<Record<keyof typeof ACTION, (row: Row) => keyof Texts[T]>>;
};

const now = ({ information }: Row, field: string): unknown => {
  const change = information[field];
  return Array.isArray(change) ? (change as unknown[])[1] : undefined;
};
const was = ({ information }: Row, field: string): unknown => {
  const change = information[field];
  return Array.isArray(change) ? (change as unknown[])[0] : undefined;
};
/** The row has one changed field. Two others only name the operator and their reason. */
const hasOneField = ({ information }: Row) =>
  Object.keys(information).filter((field) => field !== 'operator' && field !== 'reason').length === 1;

function secondStepRule(row: Row) {
  const isDated = typeof now(row, 'second_step_from') === 'string';
  switch (now(row, 'second_step_rule')) {
    case 'none':
      return 'secondStepLifted';
    case 'strong':
      return isDated ? 'strongStepRequiredFrom' : 'strongStepRequired';
    case 'any':
      if (was(row, 'second_step_rule') !== 'strong') return 'secondStepRequiredFrom';
      return isDated ? 'anyStepRequiredFrom' : 'anyStepRequired';
    default:
      return 'secondStepMoved';
  }
}

const INVITED = 1;
const ACTIVE = 2;

export const choices = {
  profileInformation: { update: (row) => (hasOneField(row) ? 'fieldChanged' : 'changed') },
  contactInformation: {
    update: (row) => {
      if (now(row, 'confirmed') === true) return 'confirmed';
      if (!hasOneField(row)) return 'changed';
      return 'pending_email' in row.information ? 'asked' : 'fieldChanged';
    },
    change: ({ information }) => ('reported' in information ? 'takenBack' : 'replaced'),
    delete: ({ information }) => ('email' in information ? 'lost' : 'kept'),
  },
  applicationInformation: {
    update: ({ information }) => ('application_name' in information ? 'renamed' : 'changed'),
  },
  organizationInformation: {
    update: (row) => {
      if (Object.keys(row.information).some((field) => field.startsWith('second_step_')))
        return secondStepRule(row);
      if (!hasOneField(row)) return 'changed';
      if ('name' in row.information) return 'renamed';
      return 'is_default' in row.information ? 'madeDefault' : 'fieldChanged';
    },
  },
  roleInformation: {
    delete: ({ information }) => (information['moved'] === 0 ? 'deleted' : 'deletedAndMoved'),
  },
  invitedContact: {
    invite: (row) => {
      if ('invitation_expires' in row.information) return 'invitedAgain';
      return now(row, 'role') === undefined ? 'invited' : 'invitedAs';
    },
    update: (row) => {
      if (!hasOneField(row)) return 'changed';
      if ('role' in row.information) return 'roleChanged';
      if ('confirmed' in row.information) return 'confirmed';
      return 'status' in row.information ? 'statusChanged' : 'fieldChanged';
    },
    delete: (row) => {
      if (row.isOwn) return 'left';
      return was(row, 'status') === INVITED ? 'withdrawn' : 'deleted';
    },
  },
  auditLog: { read: ({ information }) => ('backup' in information ? 'backedUp' : 'exported') },
  deleteAccount: {
    delete: (row) => {
      if (!('status' in row.information)) return 'asked';
      return now(row, 'status') === null ? 'erased' : 'paused';
    },
    change: (row) => {
      if (!('status' in row.information)) return 'restored';
      return now(row, 'status') === ACTIVE ? 'memberAgain' : 'restoredPaused';
    },
  },
  signInDevice: {
    delete: ({ information }) => {
      if ('sessions' in information) return 'signedOut';
      if (information['reported'] === true) return 'reported';
      return 'browser' in information ? 'deletedWith' : 'deleted';
    },
  },
  signIn: {
    create: ({ information }) => ('browser' in information ? 'signedInWith' : 'signedIn'),
    delete: ({ information }) => ('browser' in information ? 'signedOutOf' : 'signedOut'),
    change: (row) => (now(row, 'restricted_until') === null ? 'lifted' : 'restricted'),
  },
  twoStep: { change: (row) => (now(row, 'mfa_enabled') === true ? 'on' : 'off') },
  rememberedBrowser: {
    delete: ({ information }) => ('browser' in information ? 'forgotten' : 'allForgotten'),
  },
  connectedApplication: {
    create: ({ information }) => (information['asked'] === false ? 'entered' : 'allowed'),
    update: ({ information }) => (information['asked'] === false ? 'enteredWithMore' : 'allowedMore'),
  },
  ownApplication: {
    update: (row) => {
      if (!('paused' in row.information)) return 'changed';
      return now(row, 'paused') === true ? 'paused' : 'resumed';
    },
  },
  companyDomain: {
    update: (row) => {
      if ('joining' in row.information) return 'changed';
      return now(row, 'proven') === true ? 'proven' : 'lost';
    },
  },
  directoryGroup: {
    update: (row) => {
      if (!('role' in row.information)) return 'changed';
      return now(row, 'role') === null ? 'taken' : 'given';
    },
  },
  companyConnection: {
    update: (row) => {
      if (Object.keys(row.information).some((field) => field.startsWith('company_rule'))) return 'ruled';
      if (!('switched_on' in row.information)) return 'changed';
      return now(row, 'switched_on') === true ? 'switchedOn' : 'switchedOff';
    },
  },
  joining: {
    update: ({ isOwn }) => (isOwn ? 'joined' : 'letIn'),
    delete: ({ isOwn }) => (isOwn ? 'withdrawn' : 'declined'),
  },
  webhook: {
    update: (row) => {
      if ('switched_off' in row.information) return 'switchedOff';
      if ('sent' in row.information) return 'sent';
      if (!('paused' in row.information)) return 'changed';
      return now(row, 'paused') === true ? 'paused' : 'resumed';
    },
  },
} satisfies Choices;

export type Sentences = {
  readonly [T in keyof typeof ACTIVITY_TYPE]:
    | (keyof Texts[T] & keyof typeof ACTION)
    | (T extends keyof typeof choices ? keyof (typeof choices)[T] : never);
};

/** The values of sentences. `from` and `to` come from the row's main change. */
export type Place =
  | (
      | 'who'
      | 'whom'
      | 'field'
      | 'from'
      | 'to'
      | 'role'
      | 'toRole'
      | 'movedTo'
      | 'application'
      | 'webhook'
      | 'domain'
      | 'group'
      | 'inDirectory'
    )
  | ('day' | 'sent' | 'reason' | 'provider' | 'browser');
export type Sentence = (values: Readonly<Record<Place, string>> & { reader: 'you' | 'other' }) => string;

export function sentenceOf(activityType: number, action: number, row: Row): Sentence | undefined {
  const type = nameOf(ACTIVITY_TYPE, activityType);
  const act = nameOf(ACTION, action);
  if (type === undefined || act === undefined) return undefined;
  const choice = (choices as Choices)[type]?.[act];
  const sentences: Readonly<Record<string, Sentence>> = activityText[type];
  return sentences[choice ? choice(row) : act];
}

const nameOf = <K extends string>(codes: Readonly<Record<K, number>>, code: number) =>
  (Object.keys(codes) as K[]).find((name) => codes[name] === code);
