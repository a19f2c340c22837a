import { webhooksText as text } from '#words/webhooks.ts';
import type { Webhook } from '#contract/webhooks/calls.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { EntryPage, type EntryPageProps, type PartProps } from '#web/registry/entry-page.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { eventWords, registry } from './webhooks.ts';

const Form = latePopup(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);

export const WebhookPage = (props: EntryPageProps) => (
  <EntryPage {...props} registry={registry} Form={Form} About={About} More={DeliveriesCard} />
);

const About = ({ entry: { url, events, createdTime }, zone }: PartProps<Webhook>) => (
  <>
    <CopyField label={text.url} value={url} />
    <Facts
      facts={{
        [text.events]: events.length === 0 ? text.allEvents : events.map(eventWords),
        [text.added]: momentsIn(zone).moment(createdTime),
      }}
    />
  </>
);
