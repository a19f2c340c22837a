import { Send } from 'lucide-react';
import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { webhooksText as text } from '#contract/text/webhooks.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import {
  ORGANIZATION_EVENTS,
  type Webhook,
  WEBHOOKS_PER_ORGANIZATION_MAX,
} from '#contract/webhooks/calls.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { type ButtonsProps, formerSecret, RegistryPage } from '#web/registry/registry-page.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Notices } from '#web/ui/sections.tsx';
import { type Column, NameCell, NameSkeleton } from '#web/ui/table.tsx';
import { registry } from './webhooks.ts';

const Form = latePopup(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);
const DeliveriesDialog = latePopup(async () => (await import('./deliveries-dialog.tsx')).DeliveriesDialog);

type Props = { organization: Organization; user: User; caller: Actor };

/** The organization's webhooks. */
export function WebhooksPage({ caller, ...props }: Props) {
  return (
    <RegistryPage
      {...props}
      registry={registry}
      isAllowed={can(caller, { to: 'manageWebhooks' })}
      icon={<Send />}
      Notices={Troubles}
      columns={columnsOf(props.user.timeZone)}
      Buttons={Buttons}
      width="230"
      Form={Form}
      Own={DeliveriesDialog}
      max={WEBHOOKS_PER_ORGANIZATION_MAX}
    />
  );
}

const Buttons = ({ entry: { url: name }, openOwn, edit, others }: ButtonsProps<Webhook>) => (
  <>
    <IconButton name={fill(text.deliveries, { name })} icon={<Send />} onClick={openOwn} />
    {edit}
    {others}
  </>
);

const isFailing = ({ failingSince, isPaused }: Webhook) => failingSince !== null && !isPaused;

/** The webhooks that do not work, each with what to do. */
function Troubles({ entries, zone }: { entries: readonly Webhook[]; zone: string | null }) {
  const { momentWithin } = momentsIn(zone);
  const troubled = entries.filter((webhook) => webhook.switchedOffTime || isFailing(webhook));
  if (troubled.length === 0) return null;
  return (
    <Notices>
      {troubled.map((webhook) =>
        webhook.switchedOffTime ? (
          <Notice key={webhook.id} kind="danger" title={webhook.url}>
            {fill(text.offSince, { time: momentWithin(webhook.switchedOffTime) })}
          </Notice>
        ) : (
          <Notice key={webhook.id} kind="warning" title={webhook.url}>
            {webhook.failingSince && fill(text.failingSince, { time: momentWithin(webhook.failingSince) })}
          </Notice>
        ),
      )}
    </Notices>
  );
}

function StatePill({ webhook }: { webhook: Webhook }) {
  if (webhook.switchedOffTime) return <Pill tone="bad">{text.switchedOff}</Pill>;
  if (webhook.isPaused) return <Pill tone="warn">{text.paused}</Pill>;
  if (isFailing(webhook)) return <Pill tone="bad">{text.failing}</Pill>;
  return <Pill tone="good">{text.active}</Pill>;
}

function columnsOf(zone: string | null): Column<Webhook>[] {
  const { momentWithin } = momentsIn(zone);
  return [
    {
      key: 'url',
      head: text.url,
      role: 'title',
      width: '46%',
      cell: (webhook) => (
        <NameCell
          name={webhook.url}
          sub={formerSecret(registry, webhook, momentWithin) ?? webhook.description}
        />
      ),
      skeleton: <NameSkeleton picture={false} />,
    },
    {
      key: 'events',
      head: text.events,
      cell: ({ events }) =>
        events.length === 0
          ? text.allEvents
          : fill(text.someEvents, { count: events.length, all: ORGANIZATION_EVENTS.length }),
    },
    {
      key: 'state',
      head: text.state,
      width: '130',
      cell: (webhook) => <StatePill webhook={webhook} />,
    },
  ];
}
