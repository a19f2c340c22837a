// The calls of the activity log, and the codes that its rows use for acts, types and modules.
import * as z from 'zod/mini';
import { countInQuery, idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { ACTIVITY_PAGE_MAX } from '#contract/limits.ts';
import { time, timeText } from '#contract/time.ts';
import { input, shape, userId } from '#contract/wire.ts';

/** `ACTIVITY_TYPE` says what a row is about, `MODULE` where. Codes up to 12 are the specification's, others ours. */
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
  connectedApplication: 17,
  ownApplication: 18,
  suiteApplication: 19,
  passkey: 20,
  authenticatorApp: 21,
  recoveryCode: 22,
  rememberedBrowser: 23,
  webhook: 24,
  dataExport: 25,
  organizationData: 26,
  terms: 27,
  companyDomain: 28,
  joining: 29,
  directoryToken: 30,
  directoryGroup: 31,
  companyConnection: 32,
  directoryUser: 33,
} as const;

/** The thing that `record_id` names, by type of act. */
const RECORD: Readonly<Record<keyof typeof ACTIVITY_TYPE, 'person' | 'role' | 'other'>> = {
  profileInformation: 'person',
  contactInformation: 'person',
  password: 'other',
  emailNotification: 'other',
  applicationInformation: 'other',
  organizationInformation: 'other',
  roleInformation: 'role',
  invitedContact: 'person',
  auditLog: 'other',
  deleteAccount: 'other',
  permission: 'role',
  signInDevice: 'other',
  signIn: 'other',
  twoStep: 'other',
  invitationAnswer: 'person',
  stepUp: 'other',
  connectedApplication: 'other',
  ownApplication: 'other',
  suiteApplication: 'other',
  passkey: 'other',
  authenticatorApp: 'other',
  recoveryCode: 'other',
  rememberedBrowser: 'other',
  webhook: 'other',
  dataExport: 'other',
  organizationData: 'other',
  terms: 'other',
  companyDomain: 'other',
  joining: 'person',
  directoryToken: 'other',
  directoryGroup: 'other',
  directoryUser: 'other',
  companyConnection: 'other',
};
const typesAbout = (record: 'person' | 'role') =>
  (Object.keys(ACTIVITY_TYPE) as (keyof typeof ACTIVITY_TYPE)[])
    .filter((type) => RECORD[type] === record)
    .map((type) => ACTIVITY_TYPE[type]);
export const ABOUT_PEOPLE: readonly number[] = typesAbout('person');
export const ABOUT_ROLES: readonly number[] = typesAbout('role');

export const MODULE = {
  organization: 1,
  profile: 2,
  communication: 3,
  signInDevice: 4,
  recentActivity: 5,
  deleteAccount: 6,
} as const;

/** The `user_id` of acts by the operator, who is no person of the portal. Ids of people begin at 1. */
export const OPERATOR_ID = 0;
/** The same of acts by an organization's company directory. */
export const DIRECTORY_ID = -1;

export type Action = (typeof ACTION)[keyof typeof ACTION];
export type ActivityType = (typeof ACTIVITY_TYPE)[keyof typeof ACTIVITY_TYPE];
export type Module = (typeof MODULE)[keyof typeof MODULE];

/** A code of a catalogue, which a query string holds as digits. */
const codeInQuery = <T extends number>(catalogue: Readonly<Record<string, T>>) =>
  z.codec(z.string().check(z.regex(/^[1-9]\d?$/)), z.literal(Object.values(catalogue)), {
    decode: (digits) => Number(digits) as T,
    encode: String,
  });

/** Moments from 1970 on, because PostgreSQL rejects the year 0. */
const moment = z.codec(
  timeText,
  z.custom<Date>((value) => value instanceof Date && value.getTime() >= 0),
  { decode: (text) => new Date(text), encode: (value) => value.toISOString() },
);

/** A cursor: the moment and the opaque id of a row. */
export const activityCursor = z.codec(
  z.string().check(z.regex(/^(0|[1-9]\d{0,13})-[1-9]\d{0,15}$/)),
  z.custom<{ readonly createdAt: Date; readonly id: number }>(),
  {
    decode: (text) => {
      const [at = '', id = ''] = text.split('-');
      return { createdAt: new Date(Number(at)), id: Number(id) };
    },
    encode: ({ createdAt, id }) => `${createdAt.getTime()}-${id}`,
  },
);
export type ActivityCursor = z.output<typeof activityCursor>;

/** Every filter narrows the list. `from` is inclusive, `to` is exclusive. */
const filters = {
  orgId: z.optional(orgIdInQuery),
  scope: z.optional(z.literal(['mine', 'organization'])),
  module: z.optional(codeInQuery(MODULE)),
  activityType: z.optional(codeInQuery(ACTIVITY_TYPE)),
  action: z.optional(codeInQuery(ACTION)),
  userId: z.optional(idInQuery(userId)),
  from: z.optional(moment),
  to: z.optional(moment),
};

const doer = z.int().check(z.minimum(DIRECTORY_ID)).brand<'UserId'>();

/** `z.record` would add to the first script of every page. */
const anyRecord = <T>() =>
  z.custom<Readonly<Record<string, T>>>((value) => typeof value === 'object' && value !== null);

const origin = shape({
  ipAddress: z.string(),
  browser: z.string(),
  system: z.string(),
  location: z.string(),
});
export type ActivityOrigin = z.output<typeof origin>;

export const auditLog = shape({
  /** Opaque: it tells neither order nor number. */
  id: z.int(),
  /** The date and time of `created_at` in UTC. */
  date: z.string(),
  time: z.string(),
  createdAt: time,
  action: z.int(),
  module: z.int(),
  activityType: z.int(),
  recordId: z.nullable(z.int()),
  /** The name of the person `user_id`. */
  createdBy: z.string(),
  userId: doer,
  information: anyRecord<unknown>(),
  /** Present for the caller's own acts, and for a Super Admin also for acts of others in the organization. */
  origin: z.optional(origin),
});
export type AuditLog = z.output<typeof auditLog>;

export type Download = {
  readonly mediaType: string;
  readonly fileName: string;
  readonly content: AsyncIterable<string | Uint8Array>;
};

export const activity = {
  list: endpoint({
    method: 'GET',
    path: '/api/auditlogs',
    access: 'session',
    beforeProof: 'named',
    input: input({
      ...filters,
      after: z.optional(activityCursor),
      limit: z.optional(countInQuery(ACTIVITY_PAGE_MAX)),
    }),
    output: shape({
      audit: z.array(auditLog),
      /** Names by id of the people who acted and of those they acted on. */
      userNames: anyRecord<string>(),
      /** Names by id of the roles that still exist. */
      roleInfo: anyRecord<string>(),
      next: z.nullable(activityCursor),
    }),
    failures: ['org_not_found', 'not_allowed'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/auditlogs/export',
    access: 'session',
    beforeProof: 'named',
    recentProof: true,
    alsoWrites: true,
    input: input({ ...filters, format: z.literal(['csv', 'json']) }),
    answers: 'file',
    output: z.custom<Download>(),
    failures: ['org_not_found', 'not_allowed', 'reauthentication_required', 'too_many_requests'],
  }),
};
