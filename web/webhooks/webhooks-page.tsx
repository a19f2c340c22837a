import { Send } from 'lucide-react';
import { webhooksText as text } from '#words/webhooks.ts';
import { WEBHOOKS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import { ORGANIZATION_EVENTS } from '#contract/webhooks/calls.ts';
import { RegistryPage, type RegistryPageProps } from '#web/registry/registry-page.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { registry } from './webhooks.ts';

const Form = latePopup(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);

export const WebhooksPage = (props: RegistryPageProps) => (
  <RegistryPage
    {...props}
    registry={registry}
    icon={<Send />}
    fact={{
      head: text.events,
      cell: ({ events }) =>
        events.length === 0
          ? text.allEvents
          : text.someEvents({ count: events.length, all: ORGANIZATION_EVENTS.length }),
    }}
    Form={Form}
    max={WEBHOOKS_PER_ORGANIZATION_MAX}
  />
);
