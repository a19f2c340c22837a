import { useQuery } from '@tanstack/react-query';
import { AppWindow, ImageIcon, Key, LogIn, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OwnApplication } from '#contract/applications/own.ts';
import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { SuperAdminPage } from '#web/organizations/super-admin-page.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton, IconLink } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { type Column, NameCell, NameSkeleton, Table } from '#web/ui/table.tsx';
import { ownQuery } from './own-query.ts';

const form = latePopup(async () => (await import('./own-application-dialog.tsx')).OwnApplicationDialog);
const iconPicker = latePopup(async () => (await import('./own-icon-picker.tsx')).OwnIconPicker);
const secretDialog = latePopup(async () => (await import('./secret-dialog.tsx')).SecretDialog);
const rotateDialog = latePopup(async () => (await import('./own-acts-dialogs.tsx')).RotateDialog);
const pauseDialog = latePopup(async () => (await import('./own-acts-dialogs.tsx')).PauseDialog);
const removeDialog = latePopup(async () => (await import('./own-acts-dialogs.tsx')).RemoveDialog);

type Act = 'edit' | 'icon' | 'rotate' | 'pause' | 'remove';
/** The open popup: a new application, an act on one, or a secret to copy. */
type Popup =
  | { readonly shows: 'add' }
  | { readonly shows: Act; readonly application: OwnApplication }
  | { readonly shows: 'secret'; readonly application: OwnApplication; readonly secret: string | null };

type Props = { organization: Organization; user: User; caller: Actor };

/** The organization's own applications, with everything that a Super Admin may do with them. */
export function OwnApplicationsPage({ organization, user, caller }: Props) {
  return (
    <SuperAdminPage
      organization={organization}
      text={text}
      isAllowed={can(caller, { to: 'manageApplications' })}
    >
      {(crumbs) => <Applications organization={organization} user={user} crumbs={crumbs} />}
    </SuperAdminPage>
  );
}

function Applications({
  organization,
  user,
  crumbs,
}: Pick<Props, 'organization' | 'user'> & { crumbs: ReactNode }) {
  const { data, isError, refetch } = useQuery(ownQuery(organization.id));
  const [popup, setPopup] = useState<Popup>();
  const [turn, setTurn] = useState(0);
  form.useReady();
  iconPicker.useReady();
  secretDialog.useReady();
  const close = () => setPopup(undefined);
  const showSecret = (application: OwnApplication, secret: string | null) =>
    setPopup({ shows: 'secret', application, secret });
  const add = (
    <Button icon={<Plus />} onClick={() => setPopup({ shows: 'add' })}>
      {text.add}
    </Button>
  );
  const open = (shows: Act, application: OwnApplication) => {
    setTurn(turn + 1);
    setPopup({ shows, application });
  };
  const act = { orgId: organization.id, onClose: close };
  return (
    <>
      <PageHeader
        title={text.title}
        lead={fill(text.lead, { organization: organization.name })}
        crumbs={crumbs}
        actions={add}
      />
      <Card flush>
        <Table
          caption={text.title}
          columns={columnsOf(user.timeZone, open)}
          rows={data}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={{ title: text.empty, text: text.emptyHint, icon: <AppWindow /> }}
          error={isError}
          onRetry={() => void refetch()}
        />
      </Card>
      {popup?.shows === 'add' && <form.Popup {...act} onSecret={showSecret} />}
      {popup?.shows === 'edit' && (
        <form.Popup {...act} application={popup.application} onSecret={showSecret} />
      )}
      {popup?.shows === 'icon' && <iconPicker.Popup key={turn} {...act} application={popup.application} />}
      {popup?.shows === 'rotate' && (
        <rotateDialog.Popup {...act} application={popup.application} onSecret={showSecret} />
      )}
      {popup?.shows === 'pause' && <pauseDialog.Popup {...act} application={popup.application} />}
      {popup?.shows === 'remove' && <removeDialog.Popup {...act} application={popup.application} />}
      {popup?.shows === 'secret' && <secretDialog.Popup {...popup} onClose={close} />}
    </>
  );
}

function columnsOf(
  zone: string | null,
  open: (act: Act, application: OwnApplication) => void,
): Column<OwnApplication>[] {
  const { moment } = momentsIn(zone);
  const formerEnds = ({ formerSecretEnds }: OwnApplication) =>
    formerSecretEnds !== null && formerSecretEnds > new Date()
      ? fill(text.formerEnds, { time: moment(formerSecretEnds) })
      : undefined;
  return [
    {
      key: 'name',
      head: text.name,
      role: 'title',
      width: '28%',
      cell: (application) => (
        <NameCell
          picture={<Avatar name={application.name} src={application.icon} shape="square" />}
          name={application.name}
          sub={formerEnds(application) ?? application.description}
        />
      ),
      skeleton: <NameSkeleton />,
    },
    { key: 'kind', head: text.kind, width: '19%', cell: ({ kind }) => text.kinds[kind] },
    {
      key: 'used',
      head: text.lastUsed,
      cell: ({ lastUsedTime }) => (lastUsedTime ? moment(lastUsedTime) : text.never),
    },
    {
      key: 'state',
      head: text.state,
      width: '110',
      cell: ({ isPaused }) =>
        isPaused ? <Pill tone="warn">{text.paused}</Pill> : <Pill tone="good">{text.active}</Pill>,
    },
    {
      key: 'acts',
      head: text.actions,
      width: '260',
      role: 'actions',
      cell: (application) => (
        <>
          <TestButton application={application} />
          <IconButton
            name={fill(text.edit, application)}
            icon={<Pencil />}
            onClick={() => open('edit', application)}
          />
          <IconButton
            name={fill(text.chooseIcon, application)}
            icon={<ImageIcon />}
            onClick={() => open('icon', application)}
          />
          {application.hasSecret && (
            <IconButton
              name={fill(text.newSecret, application)}
              icon={<Key />}
              onClick={() => open('rotate', application)}
            />
          )}
          <IconButton
            name={fill(application.isPaused ? text.resume : text.pause, application)}
            icon={application.isPaused ? <Play /> : <Pause />}
            onClick={() => open('pause', application)}
          />
          <IconButton
            name={fill(text.remove, application)}
            icon={<Trash2 />}
            onClick={() => open('remove', application)}
          />
        </>
      ),
    },
  ];
}

/** Opens the start address, where the application itself begins a sign-in. */
function TestButton({ application }: { application: OwnApplication }) {
  const { startUrl } = application;
  const why = fill(text.testMissing, application);
  if (startUrl === '')
    return (
      <IconButton
        name={why}
        icon={<LogIn />}
        aria-disabled
        onClick={() => showAlert({ kind: 'info', text: why })}
      />
    );
  return (
    <IconLink
      name={fill(text.test, application)}
      icon={<LogIn />}
      href={startUrl}
      target="_blank"
      rel="noreferrer"
    />
  );
}
