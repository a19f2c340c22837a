import * as z from 'zod/mini';
import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, shape } from '#contract/wire.ts';

export type NotificationType = (typeof NOTIFICATION_TYPE)[keyof typeof NOTIFICATION_TYPE];
export type NotificationTypeName = keyof typeof NOTIFICATION_TYPE;
export const notificationTypeNames = Object.keys(NOTIFICATION_TYPE) as NotificationTypeName[];

/** One field per type of mail. Its wire name is the number of the type. */
const eachType = <T extends z.core.$ZodType>(type: T) =>
  Object.fromEntries(
    notificationTypeNames.map((name) => [name, as(String(NOTIFICATION_TYPE[name]), type)]),
  ) as Record<NotificationTypeName, { wire: string; type: T }>;

/** Optional mails that the person wants. Mails about their own account are always sent. */
const preferences = shape(eachType(flag));
export type Preferences = z.output<typeof preferences>;

/** Opaque: it tells neither order nor number. */
const notificationId = z.int().check(z.minimum(1)).brand<'NotificationId'>();
export type NotificationId = z.output<typeof notificationId>;

export const notificationKinds = [
  'invitation',
  'invitation_answered',
  'role_changed',
  'new_device',
  'way_in_changed',
  'second_step_asked',
  'address_to_confirm',
  'deletion_scheduled',
  'operator_looked',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
/** Kinds about the account's safety. Other people cannot cause them. */
export const securityKinds = [
  'new_device',
  'way_in_changed',
  'address_to_confirm',
  'deletion_scheduled',
] as const satisfies NotificationKind[];

const notification = shape({
  id: notificationId,
  kind: z.literal(notificationKinds),
  text: z.string(),
  /** A path of the portal, present only if it is useful to the person now. */
  link: z.optional(z.string()),
  createdAt: time,
  isRead: as('read', flag),
});
export type Notification = z.output<typeof notification>;

/** Newest first. `next` is the cursor for older ones. */
const panel = shape({
  notifications: z.array(notification),
  unread: z.int(),
  next: z.nullable(notificationId),
});

export const communications = {
  preferences: endpoint({ method: 'GET', path: '/api/emailnotify', access: 'session', output: preferences }),
  setPreferences: endpoint({
    method: 'PUT',
    path: '/api/emailnotify',
    access: 'session',
    input: input(eachType(z.optional(flag))),
    output: preferences,
    failures: ['no_changes'],
  }),
  notifications: endpoint({
    method: 'GET',
    path: '/api/notifications',
    access: 'session',
    beforeProof: 'reduced',
    inDefaultOrganization: true,
    input: input({ orgId: z.optional(orgIdInQuery), after: z.optional(idInQuery(notificationId)) }),
    output: panel,
    failures: ['org_not_found'],
  }),
  /** Marks a range as read, from `readFrom` (or the oldest) to `readUpTo`. Read notifications stay read. */
  readNotifications: endpoint({
    method: 'PUT',
    path: '/api/notifications',
    access: 'session',
    beforeProof: 'reduced',
    inDefaultOrganization: true,
    input: input({
      orgId: z.optional(orgId),
      readFrom: z.optional(notificationId),
      readUpTo: notificationId,
    }),
    output: panel,
    failures: ['org_not_found'],
  }),
};
