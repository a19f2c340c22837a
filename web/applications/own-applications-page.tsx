import { AppWindow, ImageIcon, LogIn } from 'lucide-react';
import type { OwnApplication } from '#contract/applications/own.ts';
import { type Actor, can } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/profile/user.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { type ButtonsProps, formerSecret, RegistryPage } from '#web/registry/registry-page.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { type Column, NameCell, NameSkeleton } from '#web/ui/table.tsx';
import { registry } from './own-applications.ts';

const Form = latePopup(async () => (await import('./own-application-dialog.tsx')).OwnApplicationDialog);
const IconPicker = latePopup(async () => (await import('./own-icon-picker.tsx')).OwnIconPicker);

type Props = { organization: Organization; user: User; caller: Actor };

/** The organization's own applications. */
export function OwnApplicationsPage({ caller, ...props }: Props) {
  return (
    <RegistryPage
      {...props}
      registry={registry}
      isAllowed={can(caller, { to: 'manageApplications' })}
      icon={<AppWindow />}
      columns={columnsOf(props.user.timeZone)}
      Buttons={Buttons}
      width="260"
      Form={Form}
      Own={IconPicker}
    />
  );
}

const Buttons = ({ entry, openOwn, edit, others }: ButtonsProps<OwnApplication>) => (
  <>
    <TestButton application={entry} />
    {edit}
    <IconButton name={fill(text.chooseIcon, entry)} icon={<ImageIcon />} onClick={openOwn} />
    {others}
  </>
);

function columnsOf(zone: string | null): Column<OwnApplication>[] {
  const { moment } = momentsIn(zone);
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
          sub={formerSecret(registry, application, moment) ?? application.description}
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
    <IconButton
      name={fill(text.test, application)}
      icon={<LogIn />}
      href={startUrl}
      target="_blank"
      rel="noreferrer"
    />
  );
}
