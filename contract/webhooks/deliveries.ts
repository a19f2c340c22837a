import * as z from 'zod/mini';
import { countInQuery, idInQuery, orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { webhookId, WEBHOOK_EVENTS } from './calls.ts';
import { input, orgId, shape } from '#contract/wire.ts';

/** The `webhook-id` of a request. Retries keep it. */
export const messageId = z
  .string()
  .check(z.regex(/^msg_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
  .brand<'MessageId'>();
export type MessageId = z.output<typeof messageId>;

export const DELIVERIES_PAGE_MAX = 100;

export const delivery = shape({
  id: messageId,
  event: z.literal([...WEBHOOK_EVENTS, 'test']),
  status: z.literal(['waiting', 'delivered', 'failed']),
  createdTime: time,
  tries: z.int(),
  triedTime: z.nullable(time),
  nextTryTime: z.nullable(time),
  /** Null if no answer came. */
  statusCode: z.nullable(z.int()),
  durationMs: z.nullable(z.int()),
  /** The first kilobyte of the answer. */
  response: z.nullable(z.string()),
  error: z.nullable(z.string()),
});
export type Delivery = z.output<typeof delivery>;

const failures = ['org_not_found', 'super_admin_only', 'webhook_not_found'] as const;

export const webhookDeliveries = {
  listDeliveries: endpoint({
    method: 'GET',
    path: '/api/webhooks/deliveries',
    access: 'admin',
    input: input({
      orgId: orgIdInQuery,
      webhookId: idInQuery(webhookId),
      after: z.optional(messageId),
      limit: z.optional(countInQuery(DELIVERIES_PAGE_MAX)),
    }),
    /** Newest first. `next` is the cursor for older ones. */
    output: shape({ deliveries: z.array(delivery), next: z.nullable(messageId) }),
    failures: [...failures],
  }),
  /** Queues a test event like any other event, so that it tests the whole path. Does nothing while one is waiting. */
  sendTest: endpoint({
    method: 'POST',
    path: '/api/webhooks/test',
    access: 'admin',
    input: input({ orgId, webhookId }),
    output: delivery,
    failures: [...failures, 'account_not_confirmed'],
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/webhooks/deliveries',
    access: 'admin',
    input: input({ orgId, webhookId, id: messageId }),
    output: delivery,
    failures: [...failures, 'account_not_confirmed', 'not_found'],
  }),
};
