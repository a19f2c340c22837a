import { useQuery } from '@tanstack/react-query';
import { Key, Pause, Pencil, Play, Plus, Send, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
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
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { SuperAdminPage } from '#web/organizations/super-admin-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, Notices, PageHeader } from '#web/ui/sections.tsx';
import { type Column, NameCell, NameSkeleton, Table } from '#web/ui/table.tsx';
import { isOff, webhooksQuery } from './webhooks-query.ts';

const form = latePopup(async () => (await import('./webhook-dialog.tsx')).WebhookDialog);
const secretDialog = latePopup(async () => (await import('./webhook-acts-dialogs.tsx')).SecretDialog);
const rotateDialog = latePopup(async () => (await import('./webhook-acts-dialogs.tsx')).RotateDialog);
const pauseDialog = latePopup(async () => (await import('./webhook-acts-dialogs.tsx')).PauseDialog);
const removeDialog = latePopup(async () => (await import('./webhook-acts-dialogs.tsx')).RemoveDialog);
const deliveriesDialog = latePopup(async () => (await import('./deliveries-dialog.tsx')).DeliveriesDialog);

type Act = 'deliveries' | 'change' | 'rotate' | 'pause' | 'remove';
/** The open popup: a new webhook, an act on one, or a secret to copy. */
type Popup =
  | { readonly shows: 'add' }
  | { readonly shows: Act; readonly webhook: Webhook }
  | { readonly shows: 'secret'; readonly webhook: Webhook; readonly secret: string };
type Open = (act: Act, webhook: Webhook) => void;

type Props = { organization: Organization; user: User; caller: Actor };

/** The organization's webhooks, with everything that a Super Admin may do with them. */
export function WebhooksPage({ organization, user, caller }: Props) {
  return (
    <SuperAdminPage organization={organization} text={text} isAllowed={can(caller, { to: 'manageWebhooks' })}>
      {(crumbs) => <Webhooks organization={organization} user={user} crumbs={crumbs} />}
    </SuperAdminPage>
  );
}

function Webhooks({
  organization,
  user,
  crumbs,
}: Pick<Props, 'organization' | 'user'> & { crumbs: ReactNode }) {
  const { data, isError, refetch } = useQuery(webhooksQuery(organization.id));
  const [popup, setPopup] = useState<Popup>();
  form.useReady();
  secretDialog.useReady();
  const close = () => setPopup(undefined);
  const showSecret = (webhook: Webhook, secret: string) => setPopup({ shows: 'secret', webhook, secret });
  const add = () => {
    if (data && data.length >= WEBHOOKS_PER_ORGANIZATION_MAX)
      showAlert({ kind: 'info', text: fill(text.full, { max: WEBHOOKS_PER_ORGANIZATION_MAX }) });
    else setPopup({ shows: 'add' });
  };
  const open: Open = (shows, webhook) => setPopup({ shows, webhook });
  const act = { orgId: organization.id, onClose: close };
  return (
    <>
      <PageHeader
        title={text.title}
        lead={fill(text.lead, { organization: organization.name })}
        crumbs={crumbs}
        actions={
          <Button icon={<Plus />} onClick={add}>
            {text.add}
          </Button>
        }
      />
      <Troubles webhooks={data ?? []} zone={user.timeZone} />
      <Card flush>
        <Table
          caption={text.title}
          columns={columnsOf(user.timeZone, open)}
          rows={data}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={{ title: text.empty, text: text.emptyHint, icon: <Send /> }}
          error={isError}
          onRetry={() => void refetch()}
        />
      </Card>
      {popup?.shows === 'add' && <form.Popup {...act} onSecret={showSecret} />}
      {popup?.shows === 'deliveries' && (
        <deliveriesDialog.Popup {...act} webhook={popup.webhook} zone={user.timeZone} />
      )}
      {popup?.shows === 'change' && <form.Popup {...act} webhook={popup.webhook} onSecret={showSecret} />}
      {popup?.shows === 'rotate' && (
        <rotateDialog.Popup {...act} webhook={popup.webhook} onSecret={showSecret} />
      )}
      {popup?.shows === 'pause' && <pauseDialog.Popup {...act} webhook={popup.webhook} />}
      {popup?.shows === 'remove' && <removeDialog.Popup {...act} webhook={popup.webhook} />}
      {popup?.shows === 'secret' && <secretDialog.Popup {...popup} onClose={close} />}
    </>
  );
}

const isFailing = ({ failingSince, isPaused }: Webhook) => failingSince !== null && !isPaused;

/** The webhooks that do not work, each with what to do. */
function Troubles({ webhooks, zone }: { webhooks: readonly Webhook[]; zone: string | null }) {
  const { momentWithin } = momentsIn(zone);
  const troubled = webhooks.filter((webhook) => webhook.switchedOffTime || isFailing(webhook));
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

function columnsOf(zone: string | null, open: Open): Column<Webhook>[] {
  const { momentWithin } = momentsIn(zone);
  const formerEnds = ({ formerSecretEnds }: Webhook) =>
    formerSecretEnds !== null && formerSecretEnds > new Date()
      ? fill(text.formerEnds, { time: momentWithin(formerSecretEnds) })
      : undefined;
  return [
    {
      key: 'url',
      head: text.url,
      role: 'title',
      width: '46%',
      cell: (webhook) => <NameCell name={webhook.url} sub={formerEnds(webhook) ?? webhook.description} />,
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
    {
      key: 'acts',
      head: text.actions,
      width: '230',
      role: 'actions',
      cell: (webhook) => (
        <>
          <IconButton
            name={fill(text.deliveries, webhook)}
            icon={<Send />}
            onClick={() => open('deliveries', webhook)}
          />
          <IconButton
            name={fill(text.change, webhook)}
            icon={<Pencil />}
            onClick={() => open('change', webhook)}
          />
          <IconButton
            name={fill(text.newSecret, webhook)}
            icon={<Key />}
            onClick={() => open('rotate', webhook)}
          />
          <IconButton
            name={fill(isOff(webhook) ? text.resume : text.pause, webhook)}
            icon={isOff(webhook) ? <Play /> : <Pause />}
            onClick={() => open('pause', webhook)}
          />
          <IconButton
            name={fill(text.remove, webhook)}
            icon={<Trash2 />}
            onClick={() => open('remove', webhook)}
          />
        </>
      ),
    },
  ];
}
