import {
  ACTION,
  type Action,
  ACTIVITY_TYPE,
  type ActivityType,
  MODULE,
  type Module,
  type OPERATOR_ID,
} from '#contract/activity/calls.ts';
import type { activitySentences } from '#contract/text/activity.ts';
import type { OrgId, UserId } from '#contract/wire.ts';

type Acts = typeof activitySentences;
type TypeName = keyof typeof ACTIVITY_TYPE;
/** An act that may be recorded. An act without a sentence does not compile. */
export type Act = {
  [T in TypeName]: {
    readonly type: (typeof ACTIVITY_TYPE)[T];
    readonly action: (typeof ACTION)[keyof Acts[T] & keyof typeof ACTION];
  };
}[TypeName];
export type ActionOf<T extends TypeName> = (typeof ACTION)[keyof Acts[T] & keyof typeof ACTION];

type Areas = {
  readonly [M in keyof typeof MODULE]?: { readonly [T in keyof Acts]?: readonly (keyof Acts[T])[] };
};

/**
 * Every act that can be recorded, by log, area and type. The server records nothing else and the filter
 * offers nothing else, so the two cannot drift apart.
 */
const recordedActs = {
  /** In an organization's log, which its admins read. */
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
    },
    profile: {
      profileInformation: ['update', 'upload', 'delete'],
      connectedApplication: ['create', 'update', 'delete'],
    },
    recentActivity: { auditLog: ['read'] },
    deleteAccount: { deleteAccount: ['delete', 'change'] },
  },
  /** In a person's own log. */
  person: {
    profile: {
      profileInformation: ['create', 'update', 'upload', 'delete'],
      contactInformation: ['update', 'change', 'delete'],
      password: ['create', 'change'],
      dataExport: ['create', 'read'],
      connectedApplication: ['create', 'update', 'delete'],
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
    profile: { signIn: ['change'] },
    signInDevice: { signInDevice: ['delete'], twoStep: ['change'] },
    recentActivity: { auditLog: ['read', 'upload', 'change'] },
    deleteAccount: { deleteAccount: ['change'] },
  },
} as const satisfies Record<string, Areas>;

type Recorded = typeof recordedActs;
type Log = keyof Recorded;
type TypesIn<Area> = Extract<keyof Area, keyof typeof ACTIVITY_TYPE>;
type ActionsIn<Names> = Names extends readonly (infer A extends keyof typeof ACTION)[]
  ? (typeof ACTION)[A]
  : never;

/** The rows that a log may hold, as module, type and action. */
export type RecordedIn<L extends Log> = {
  [M in keyof Recorded[L] & keyof typeof MODULE]: {
    [T in TypesIn<Recorded[L][M]>]: {
      readonly module: (typeof MODULE)[M];
      readonly type: (typeof ACTIVITY_TYPE)[T];
      readonly action: ActionsIn<Recorded[L][M][T]>;
    };
  }[TypesIn<Recorded[L][M]>];
}[keyof Recorded[L] & keyof typeof MODULE];

/**
 * The owner of a row and the acts allowed in that log. `orgId` is null in the logs of a person and of the
 * operator.
 */
export type InALog =
  | ({ readonly orgId: OrgId; readonly userId: UserId } & RecordedIn<'organization'>)
  | ({ readonly orgId: null; readonly userId: UserId } & RecordedIn<'person'>)
  | ({ readonly orgId: null; readonly userId: typeof OPERATOR_ID } & RecordedIn<'operator'>);

type Codes = readonly [module: Module, type: ActivityType, action: Action];

/** Every kind of row that a log may hold. */
export const kindsIn = (log: Log): Codes[] =>
  Object.entries<Areas[keyof Areas]>(recordedActs[log]).flatMap(([module, types = {}]) =>
    Object.entries<readonly string[]>(types).flatMap(([type, actions]) =>
      actions.map((action): Codes => [
        MODULE[module as keyof typeof MODULE],
        ACTIVITY_TYPE[type as keyof typeof ACTIVITY_TYPE],
        ACTION[action as keyof typeof ACTION],
      ]),
    ),
  );
