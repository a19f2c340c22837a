import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Pencil, Plus } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import type { User } from '#contract/profile/user.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { SuperAdminPage } from '#web/organizations/super-admin-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useLateMenu } from '#web/ui/late.tsx';
import { Address } from '#web/ui/address.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, Notices, PageHeader } from '#web/ui/sections.tsx';
import { type Column, NameCell, NameSkeleton, Table } from '#web/ui/table.tsx';
import type { FormProps } from './entry-form-dialog.tsx';
import type { Act } from './acts.tsx';
import { useEntryPopups } from './entry-popups.tsx';
import { entriesQuery, type Entry, formerSecret, type Registry } from './registry.ts';

export type RegistryPageProps = { organization: Organization; user: User; caller: Actor };
type Props<E extends Entry> = RegistryPageProps & {
  registry: Registry<E>;
  icon: ReactNode;
  pictureOf?: (entry: E) => ReactNode;
  fact: { head: string; cell: (entry: E) => ReactNode };
  Form: ComponentType<FormProps<E>>;
  max?: number;
};

export function RegistryPage<E extends Entry>(props: Props<E>) {
  const { organization, registry, caller } = props;
  return (
    <SuperAdminPage
      organization={organization}
      text={registry.text}
      isAllowed={can(caller, { to: registry.act })}
    >
      {(crumbs) => <Entries {...props} crumbs={crumbs} />}
    </SuperAdminPage>
  );
}

function Entries<E extends Entry>(props: Props<E> & { crumbs: ReactNode }) {
  const { registry, organization, user, icon, max, crumbs } = props;
  const { text } = registry;
  const { data, isError, refetch } = useQuery(entriesQuery(registry, organization.id));
  const { open, parts } = useEntryPopups(props);
  const { momentWithin } = momentsIn(user.timeZone);
  const add = () => {
    if (max !== undefined && 'full' in text && data && data.length >= max)
      showAlert({ kind: 'info', text: text.full });
    else open('add');
  };
  const troubles = (data ?? []).flatMap((entry) => {
    const trouble = registry.troubleOf?.(entry, momentWithin);
    return trouble ? { ...trouble, entry } : [];
  });
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead({ organization: organization.name })}
        crumbs={crumbs}
        actions={
          <Button icon={<Plus />} onClick={add}>
            {text.add}
          </Button>
        }
      />
      {troubles.length > 0 && (
        <Notices>
          {troubles.map(({ entry, kind, words }) => (
            <Notice key={entry.id} kind={kind} title={<Address>{registry.nameOf(entry)}</Address>}>
              {words}
            </Notice>
          ))}
        </Notices>
      )}
      <Card flush>
        <Table
          caption={text.title}
          columns={columnsOf(props, momentWithin, open)}
          rows={data}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={{ title: text.empty, text: text.emptyHint, icon }}
          error={isError}
          onRetry={() => void refetch()}
        />
      </Card>
      {parts}
    </>
  );
}

type Open<E> = (act: Act | 'edit', entry: E) => void;

function columnsOf<E extends Entry>(
  { registry, organization, pictureOf, fact }: Props<E>,
  momentWithin: (time: Date) => string,
  open: Open<E>,
): Column<E>[] {
  const { text } = registry;
  return [
    {
      key: 'name',
      head: 'url' in text ? text.url : text.name,
      role: 'title',
      width: '46%',
      cell: (entry) => (
        <NameCell
          picture={pictureOf?.(entry)}
          name={
            <Link
              to={`/$orgId/organization/${registry.path}/$id`}
              params={{ orgId: organization.urlName, id: String(entry.id) }}
            >
              <Address>{registry.nameOf(entry)}</Address>
            </Link>
          }
          sub={formerSecret(registry, entry, momentWithin) ?? entry.description}
        />
      ),
      skeleton: <NameSkeleton picture={pictureOf !== undefined} />,
    },
    { key: 'fact', ...fact },
    {
      key: 'state',
      head: text.state,
      width: '140',
      cell: (entry) => <Pill {...registry.stateOf(entry)} />,
    },
    {
      key: 'acts',
      head: text.actions,
      width: '110',
      role: 'actions',
      cell: (entry) => {
        const name = registry.nameOf(entry);
        return (
          <>
            <IconButton name={text.edit({ name })} icon={<Pencil />} onClick={() => open('edit', entry)} />
            <MoreButton registry={registry} entry={entry} onAct={(act) => open(act, entry)} />
          </>
        );
      },
    },
  ];
}

const loadMenu = async () => (await import('./act-menu.tsx')).ActMenu;

type MoreProps = { registry: Registry<Entry>; entry: Entry; onAct: (act: Act) => void };

function MoreButton({ registry, entry, onAct }: MoreProps) {
  const { Menu, button, untilThen } = useLateMenu(loadMenu);
  const name = registry.text.more({ name: registry.nameOf(entry) });
  const face = { ref: button, icon: <Ellipsis />, name };
  const acts = { registry, entry, onAct };
  return Menu ? (
    <Menu {...acts} trigger={<IconButton {...face} />} />
  ) : (
    <IconButton {...face} {...untilThen} />
  );
}
