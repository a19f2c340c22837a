import { ACTION, type Action, ACTIVITY_TYPE, type ActivityType, MODULE, type Module } from './calls.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Sentences } from './sentences.ts';
import type { activityFieldsText } from '#words/activity-fields.ts';

type Areas = {
  readonly [M in keyof typeof MODULE]?: { readonly [T in keyof Sentences]?: readonly Sentences[T][] };
};

/** Every act that can be recorded, by log, area and type. An act without a sentence does not compile. */
const recordedActs = {
  organization: {
    organization: {
      applicationInformation: ['update', 'upload'],
      organizationInformation: ['create', 'update'],
      roleInformation: ['create', 'update', 'delete'],
      permission: ['update'],
      invitedContact: ['invite', 'update', 'delete'],
      invitationAnswer: ['create', 'delete'],
      ownApplication: ['create', 'update', 'change', 'delete'],
      webhook: ['create', 'update', 'change', 'delete'],
      organizationData: ['create', 'read'],
      companyDomain: ['create', 'update', 'delete'],
      joining: ['create', 'update', 'delete'],
      directoryToken: ['create', 'delete'],
      directoryGroup: ['create', 'update', 'delete'],
      directoryUser: ['create', 'update', 'delete'],
      companyConnection: ['create', 'update', 'delete'],
    },
    profile: {
      profileInformation: ['update', 'upload', 'delete'],
      connectedApplication: ['create', 'update', 'delete'],
    },
    recentActivity: { auditLog: ['read'] },
    deleteAccount: { deleteAccount: ['delete', 'change'] },
  },
  person: {
    profile: {
      profileInformation: ['create', 'update', 'upload', 'delete'],
      contactInformation: ['update', 'change', 'delete'],
      password: ['create', 'change'],
      dataExport: ['create', 'read'],
      connectedApplication: ['create', 'update', 'delete'],
      terms: ['create'],
    },
    communication: { emailNotification: ['update'] },
    signInDevice: {
      signInDevice: ['delete'],
      signIn: ['create', 'update', 'delete'],
      twoStep: ['change'],
      stepUp: ['create'],
      passkey: ['create', 'update', 'delete'],
      authenticatorApp: ['create', 'delete'],
      recoveryCode: ['create', 'change'],
      rememberedBrowser: ['create', 'delete'],
    },
    recentActivity: { auditLog: ['read'] },
    deleteAccount: { deleteAccount: ['delete', 'change'] },
  },
  /** Acts of the operator. They belong to no organization and no page shows them. */
  operator: {
    organization: {
      suiteApplication: ['create', 'update', 'change', 'delete'],
      webhook: ['create', 'update', 'change', 'delete'],
    },
    profile: { signIn: ['change'], password: ['change'], contactInformation: ['change'] },
    signInDevice: { signInDevice: ['delete'], twoStep: ['change'] },
    recentActivity: { auditLog: ['read', 'upload', 'change'] },
    deleteAccount: { deleteAccount: ['change'] },
  },
} as const satisfies Record<string, Areas>;

type Recorded = typeof recordedActs;
export type Log = keyof Recorded;
type NamesIn<L extends Log, Area> = {
  [T in keyof Area & string]: Area[T] extends readonly (infer A extends string)[] ? `${L}.${T}.${A}` : never;
}[keyof Area & string];
export type ActIn<L extends Log> = {
  [M in keyof Recorded[L]]: NamesIn<L, Recorded[L][M]>;
}[keyof Recorded[L]];
/** An act by log, type and action, such as `person.passkey.create`. */
export type Act = { [L in Log]: ActIn<L> }[Log];

/** The fields of a row, each with a label or a right of a role: usually `{field: [old, new]}`, never a secret. */
export type Details = {
  readonly [F in keyof typeof activityFieldsText | `${string}.${number}.${string}`]?: unknown;
};

type LogOf<A extends Act> = A extends `${infer L extends Log}.${string}` ? L : never;
/** The desk shows the operator's log as it stands, so its fields need no label. */
export type DetailsOf<A extends Act> = [LogOf<A>] extends ['operator']
  ? Readonly<Record<string, unknown>>
  : Details;
export type Labelled<A extends Act, Fields> = keyof Fields extends keyof DetailsOf<A>
  ? unknown
  : 'a field without a label';

/** The organization of an act; null serves if the act may also be in a person's log. */
export type OwnerOf<A extends Act> = ['organization'] extends [LogOf<A>]
  ? { readonly orgId: [LogOf<A>] extends ['organization'] ? OrgId : OrgId | null }
  : unknown;
export const logFor = (orgId: OrgId | null) => (orgId === null ? 'person' : 'organization');

type Codes = readonly [module: Module, type: ActivityType, action: Action];
const codes = Object.fromEntries(
  Object.entries<Areas>(recordedActs).flatMap(([log, areas]) =>
    Object.entries(areas).flatMap(([module, types]) =>
      Object.entries<readonly string[]>(types).flatMap(([type, actions]) =>
        actions.map((action): [string, Codes] => [
          `${log}.${type}.${action}`,
          [
            MODULE[module as keyof typeof MODULE],
            ACTIVITY_TYPE[type as keyof typeof ACTIVITY_TYPE],
            ACTION[action as keyof typeof ACTION],
          ],
        ]),
      ),
    ),
  ),
) as Readonly<Record<Act, Codes>>;

export const codesOf = (act: Act): Codes => codes[act];

export const kindsIn = (log: Log): Codes[] =>
  Object.entries(codes).flatMap(([act, kind]) => (act.startsWith(`${log}.`) ? [kind] : []));
