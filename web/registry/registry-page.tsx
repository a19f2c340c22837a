import { useQuery } from '@tanstack/react-query';
import { Key, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { SuperAdminPage } from '#web/organizations/super-admin-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import type { FormProps } from './entry-form-dialog.tsx';
import type { Act } from './registry-dialogs.tsx';
import { entriesQuery, type Entry, type Registry } from './registry.ts';

const SecretDialog = latePopup(async () => (await import('./registry-dialogs.tsx')).SecretDialog);
const ActDialog = latePopup(async () => (await import('./registry-dialogs.tsx')).ActDialog);

const icons = { edit: <Pencil />, rotate: <Key />, pause: <Pause />, resume: <Play />, remove: <Trash2 /> };

type Open<E> = (shows: Act | 'edit' | 'own', entry: E) => void;
export type OwnProps<E> = { orgId: OrgId; entry: E; zone: string | null; onClose: () => void };
type Props<E extends Entry> = {
  registry: Registry<E>;
  organization: Organization;
  user: User;
  isAllowed: boolean;
  icon: ReactNode;
  columns: readonly Column<E>[];
  Buttons: ComponentType<ButtonsProps<E>>;
  width: string;
  Form: ComponentType<FormProps<E>>;
  /** The popup of an act that only this registry has. */
  Own: ComponentType<OwnProps<E>>;
  max?: number;
  Notices?: ComponentType<{ entries: readonly E[]; zone: string | null }>;
};
/** The buttons of a row: `edit` and `others` are those that every registry has. */
export type ButtonsProps<E> = { entry: E; openOwn: () => void; edit: ReactNode; others: ReactNode };

/** A page of an organization's applications or webhooks, with everything that a Super Admin may do with them. */
export function RegistryPage<E extends Entry>(props: Props<E>) {
  const { organization, registry, isAllowed } = props;
  return (
    <SuperAdminPage organization={organization} text={registry.text} isAllowed={isAllowed}>
      {(crumbs) => <Entries {...props} crumbs={crumbs} />}
    </SuperAdminPage>
  );
}

type Popup<E> = { shows?: Act | 'edit' | 'own' | 'add' | 'secret'; entry?: E; secret?: string | null };

function Entries<E extends Entry>(props: Props<E> & { crumbs: ReactNode }) {
  const { registry, organization, user, icon, columns, Form, Own, max, Notices, crumbs } = props;
  const { text } = registry;
  const { data, isError, refetch } = useQuery(entriesQuery(registry, organization.id));
  const [{ shows, entry, secret = null }, setPopup] = useState<Popup<E>>({});
  const [turn, setTurn] = useState(0);
  const open: Open<E> = (act, chosen) => {
    setTurn(turn + 1);
    setPopup({ shows: act, entry: chosen });
  };
  const add = () => {
    if (max !== undefined && 'full' in text && data && data.length >= max)
      showAlert({ kind: 'info', text: fill(text.full, { max }) });
    else setPopup({ shows: 'add' });
  };
  const all = {
    orgId: organization.id,
    onSecret: (changed: Entry, made: string | null) =>
      setPopup({ shows: 'secret', entry: changed as E, secret: made }),
    onClose: () => setPopup({}),
  };
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
      {Notices && <Notices entries={data ?? []} zone={user.timeZone} />}
      <Card flush>
        <Table
          caption={text.title}
          columns={[...columns, actsColumn(props, open)]}
          rows={data}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={{ title: text.empty, text: text.emptyHint, icon }}
          error={isError}
          onRetry={() => void refetch()}
        />
      </Card>
      {shows === 'add' && <Form {...all} />}
      {entry && shows === 'edit' && <Form {...all} entry={entry} />}
      {entry && shows === 'own' && <Own key={turn} {...all} entry={entry} zone={user.timeZone} />}
      {entry && shows === 'secret' && (
        <SecretDialog {...all} registry={registry} entry={entry} secret={secret} />
      )}
      {entry && (shows === 'rotate' || shows === 'pause' || shows === 'resume' || shows === 'remove') && (
        <ActDialog {...all} act={shows} registry={registry} entry={entry} />
      )}
    </>
  );
}

const actsColumn = <E extends Entry>({ registry, Buttons, width }: Props<E>, open: Open<E>): Column<E> => ({
  key: 'acts',
  head: registry.text.actions,
  width,
  role: 'actions',
  cell: (entry) => {
    const button = { registry, entry, open };
    return (
      <Buttons
        entry={entry}
        openOwn={() => open('own', entry)}
        edit={<ActButton {...button} act="edit" />}
        others={
          <>
            {!('hasSecret' in entry && !entry.hasSecret) && <ActButton {...button} act="rotate" />}
            <ActButton {...button} act={registry.isOff(entry) ? 'resume' : 'pause'} />
            <ActButton {...button} act="remove" />
          </>
        }
      />
    );
  },
});

type ActProps<E extends Entry> = { registry: Registry<E>; entry: E; open: Open<E>; act: Act | 'edit' };

const ActButton = <E extends Entry>({ registry, entry, open, act }: ActProps<E>) => (
  <IconButton
    name={fill(registry.text[act], { name: registry.nameOf(entry) })}
    icon={icons[act]}
    onClick={() => open(act, entry)}
  />
);

/** When the former secret ends, in words; undefined without one. */
export const formerSecret = (
  { text }: Registry<Entry>,
  { formerSecretEnds }: Entry,
  momentOf: (time: Date) => string,
) =>
  formerSecretEnds !== null && formerSecretEnds > new Date()
    ? fill(text.formerEnds, { time: momentOf(formerSecretEnds) })
    : undefined;
