import * as z from 'zod/mini';
import { exactAddress } from '#contract/applications/registration.ts';
import { generalText } from '#contract/split-by-bytes/area-fields.ts';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, shape } from '#contract/wire.ts';

export const webhookId = z.int().check(z.minimum(1)).brand<'WebhookId'>();
export type WebhookId = z.output<typeof webhookId>;

export const ORGANIZATION_EVENTS = [
  'member.invited',
  'member.joined',
  'member.changed',
  'member.ended',
  'role.created',
  'role.changed',
  'role.deleted',
  'organization.changed',
] as const;
export type OrganizationEvent = (typeof ORGANIZATION_EVENTS)[number];

/** Events of all organizations, and events of people's accounts, over which no organization has authority. */
export const WEBHOOK_EVENTS = [
  ...ORGANIZATION_EVENTS,
  'person.changed',
  'person.restricted',
  'person.deleted',
  'sessions.ended',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The events that a webhook receives. Empty: all of them. */
const events = z.array(z.literal(ORGANIZATION_EVENTS)).check(z.maxLength(ORGANIZATION_EVENTS.length));

/** An address that receives events as signed requests (Standard Webhooks). */
export const webhook = shape({
  id: webhookId,
  url: z.string(),
  description: z.string(),
  events,
  isPaused: flag,
  /** When the portal switched it off, because it failed for days or answered 410. Null while it is on. */
  switchedOffTime: z.nullable(time),
  /** Since when every try has failed; null if the last one succeeded. */
  failingSince: z.nullable(time),
  /** When the former secret ends; null if it has ended already. */
  formerSecretEnds: z.nullable(time),
  createdTime: time,
});
export type Webhook = z.output<typeof webhook>;

/** The secret is in this answer only. */
const withSecret = shape({ entry: as('webhook', webhook), secret: z.string() });

const id = as('webhook_id', webhookId);

const failures = ['org_not_found', 'super_admin_only', 'account_not_confirmed', 'webhook_not_found'] as const;

export const webhooks = {
  list: endpoint({
    method: 'GET',
    path: '/api/webhooks',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: z.array(webhook),
    failures: ['org_not_found', 'super_admin_only'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/webhooks',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, url: exactAddress, description: generalText, events }),
    output: withSecret,
    failures: ['org_not_found', 'super_admin_only', 'account_not_confirmed', 'webhook_limit_reached'],
  }),
  /** Changes settings; omitted fields stay. */
  change: endpoint({
    method: 'PUT',
    path: '/api/webhooks',
    access: 'admin',
    recentProof: true,
    input: input({
      orgId,
      id,
      url: z.optional(exactAddress),
      description: z.optional(generalText),
      events: z.optional(events),
    }),
    output: webhook,
    failures: [...failures, 'no_changes'],
  }),
  /** `title` repeats the webhook's address, so that nobody removes another one by mistake. */
  remove: endpoint({
    method: 'DELETE',
    path: '/api/webhooks',
    access: 'admin',
    input: input({ orgId, id, title: as('url', z.string()) }),
    output: shape({ id: webhookId }),
    failures: [...failures, 'changed_meanwhile'],
  }),
  rotateSecret: endpoint({
    method: 'POST',
    path: '/api/webhooks/secret',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id }),
    output: withSecret,
    failures: [...failures],
  }),
  /** Resuming also switches on a webhook that the portal has switched off. */
  pause: endpoint({
    method: 'PUT',
    path: '/api/webhooks/state',
    access: 'admin',
    input: input({ orgId, id, isPaused: flag }),
    output: webhook,
    failures: [...failures, 'no_changes'],
  }),
};
