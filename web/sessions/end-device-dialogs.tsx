import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Session, sessions } from '#contract/sessions/calls.ts';
import { sessionsText as text } from '#words/sessions.ts';
import { present } from '#web/lib/failures.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { nextAct } from '#web/ui/next-act.ts';
import { deviceName, devicesQuery, placeOf } from './queries.ts';

export function RemoveDeviceDialog({ device, onClose }: { device: Session; onClose: () => void }) {
  const client = useQueryClient();
  const refetchDevices = () => client.invalidateQueries(devicesQuery);
  const { run } = useCall(sessions.end, {
    // The session has already ended.
    session_not_found: (failure) => {
      present(failure);
      void refetchDevices();
      onClose();
    },
  });
  const [next] = useState(nextAct);
  return (
    <Confirm
      onClose={onClose}
      title={text.removeTitle}
      act={text.removeAct}
      destructive
      after={next}
      onConfirm={async () => {
        const current = device.isCurrent ? ({ currentSession: 1 } as const) : {};
        if (!(await run({ sessionId: device.id, ...current }))) return false;
        if (device.isCurrent) {
          tellSignedOut();
          return leaveFor('/login');
        }
        await refetchDevices();
        showAlert({ kind: 'success', text: text.removed });
        return true;
      }}
    >
      {device.isCurrent
        ? text.removeCurrent
        : text.removeEffect({ device: deviceName(device), location: placeOf(device) })}
    </Confirm>
  );
}

export function EndOthersDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const client = useQueryClient();
  const { run } = useCall(sessions.end);
  const [next] = useState(() => document.querySelector<HTMLElement>('main td:last-child button'));
  return (
    <Confirm
      onClose={onClose}
      title={text.othersTitle}
      act={text.others}
      destructive
      after={next}
      onConfirm={async () => {
        if (!(await run({ others: 1 }))) return false;
        await client.invalidateQueries(devicesQuery);
        showAlert({ kind: 'success', text: text.othersDone });
        return true;
      }}
    >
      {text.othersMany({ count })}
    </Confirm>
  );
}
