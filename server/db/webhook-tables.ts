import type { Generated } from 'kysely';
import type { OrganizationEvent, WebhookId } from '#contract/webhooks.ts';
import type { OrgId, UserId } from '#contract/wire.ts';

/** The tables of webhooks. */
export type WebhookTables = {
  webhooks: {
    id: Generated<WebhookId>;
    org_id: OrgId | null;
    url: string;
    description: Generated<string>;
    events: Generated<OrganizationEvent[]>;
    sealed_secret: Uint8Array;
    former_sealed_secret: Uint8Array | null;
    former_secret_ends_at: Date | null;
    paused_at: Date | null;
    switched_off_at: Date | null;
    failing_since: Date | null;
    created_by: UserId | null;
    created_at: Date;
  };
};
