import type { Generated } from 'kysely';
import type { WebhookEvent, WebhookId } from '#contract/webhooks/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';

export type WebhookTables = {
  webhooks: {
    id: Generated<WebhookId>;
    org_id: OrgId | null;
    url: string;
    description: Generated<string>;
    events: Generated<WebhookEvent[]>;
    sealed_secret: Uint8Array;
    former_sealed_secret: Uint8Array | null;
    former_secret_ends_at: Date | null;
    paused_at: Date | null;
    switched_off_at: Date | null;
    failing_since: Date | null;
    created_by: UserId | null;
    created_at: Date;
  };
  webhook_deliveries: {
    id: Generated<number>;
    webhook_id: WebhookId;
    message_id: Generated<string>;
    event: WebhookEvent | 'test';
    subject: string;
    lane: number;
    payload: Record<string, unknown>;
    status: Generated<'waiting' | 'delivered' | 'failed'>;
    created_at: Date;
    next_try_at: Date;
    job_id: number | null;
    attempts: Generated<number>;
    first_failed_at: Date | null;
    tried_at: Date | null;
    status_code: number | null;
    duration_ms: number | null;
    response: string | null;
    error: string | null;
  };
};
