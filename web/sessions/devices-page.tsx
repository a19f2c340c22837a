import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Session } from '#contract/sessions/calls.ts';
import { sessionsText as text } from '#words/sessions.ts';
import type { User } from '#contract/profile/user.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card, PageHeader, PlacesCredit } from '#web/ui/sections.tsx';
import { type Column, NameCell, NameSkeleton, Table } from '#web/ui/table.tsx';
import styles from './devices.module.css';
import { deviceName, devicesQuery, placeOf, systemOf } from './queries.ts';

const RemoveDialog = latePopup(async () => (await import('./end-device-dialogs.tsx')).RemoveDeviceDialog);
const EndOthersDialog = latePopup(async () => (await import('./end-device-dialogs.tsx')).EndOthersDialog);

export function DevicesPage({ user }: { user: User }) {
  const { data, isError, refetch } = useQuery(devicesQuery);
  const [deviceToRemove, setDeviceToRemove] = useState<Session>();
  const [endingOthers, setEndingOthers] = useState(false);
  const others = (data?.length ?? 1) - 1;
  const signOutOthers = others > 0 && (
    <Button kind="danger-plain" onClick={() => setEndingOthers(true)}>
      {text.others}
    </Button>
  );
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} actions={signOutOthers} />
      <Card flush>
        <Table
          caption={text.title}
          columns={columnsOf(user.timeZone, setDeviceToRemove)}
          rows={data}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={{ title: text.title, icon: <MonitorSmartphone /> }}
          error={isError}
          onRetry={() => void refetch()}
        />
      </Card>
      <PlacesCredit />
      {deviceToRemove && (
        <RemoveDialog device={deviceToRemove} onClose={() => setDeviceToRemove(undefined)} />
      )}
      {endingOthers && <EndOthersDialog count={others} onClose={() => setEndingOthers(false)} />}
    </>
  );
}

function columnsOf(zone: string | null, onRemove: (device: Session) => void): Column<Session>[] {
  const { moment, momentWithin } = momentsIn(zone);
  return [
    {
      key: 'browser',
      head: text.browser,
      role: 'title',
      width: '27%',
      cell: (device) => (
        <NameCell name={deviceName(device)} sub={text.since({ time: momentWithin(device.createdTime) })} />
      ),
      skeleton: <NameSkeleton picture={false} />,
    },
    { key: 'device', head: text.device, width: '124', cell: systemOf },
    { key: 'location', head: text.location, cell: placeOf },
    {
      key: 'address',
      head: text.ipAddress,
      width: '17%',
      cell: ({ ipAddress }) => <span className={styles.address}>{ipAddress}</span>,
    },
    {
      key: 'activity',
      head: text.recentActivity,
      cell: ({ isCurrent, recentActivity }) =>
        isCurrent ? <Pill tone="good">{text.active}</Pill> : moment(recentActivity),
    },
    {
      key: 'acts',
      head: text.actions,
      width: '72',
      role: 'actions',
      cell: (device) => (
        <IconButton
          name={text.remove({
            device: deviceName(device),
            location: placeOf(device),
            address: device.ipAddress,
            time: momentWithin(device.createdTime),
          })}
          icon={<Trash2 />}
          onClick={() => onRemove(device)}
        />
      ),
    },
  ];
}
