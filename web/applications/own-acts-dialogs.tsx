import { useState } from 'react';
import { type OwnApplication, ownApplications } from '#contract/applications/own.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useOwnChanged } from './own-query.ts';

type Props = { orgId: OrgId; application: OwnApplication; onClose: () => void };
type Secret = { onSecret: (application: OwnApplication, secret: string | null) => void };

export function RotateDialog({ orgId, application, onSecret, onClose }: Props & Secret) {
  const refresh = useOwnChanged(orgId);
  const { run } = useCall(ownApplications.rotateSecret);
  const rotate = async () => {
    const answer = await run({ orgId, id: application.id });
    if (!answer) return false;
    await refresh(answer.entry);
    onSecret(answer.entry, answer.secret);
    // The secret's dialog replaces this one.
    return false;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={fill(text.rotateTitle, application)}
      act={text.rotateAct}
      onConfirm={rotate}
    >
      {fill(text.rotateEffect, { hours: SECRET_OVERLAP_HOURS })}
    </Confirm>
  );
}

export function PauseDialog({ orgId, application, onClose }: Props) {
  const { isPaused } = application;
  const refresh = useOwnChanged(orgId);
  const { run } = useCall(ownApplications.pause);
  const pause = async () => {
    const fresh = await run({ orgId, id: application.id, isPaused: !isPaused });
    if (!fresh) return false;
    await refresh(fresh);
    showAlert({ kind: 'success', text: isPaused ? text.resumed : text.pausedDone });
    return true;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={fill(isPaused ? text.resumeTitle : text.pauseTitle, application)}
      act={isPaused ? text.resumeAct : text.pauseAct}
      onConfirm={pause}
    >
      {isPaused ? text.resumeEffect : text.pauseEffect}
    </Confirm>
  );
}

/** Removes an application once its name is typed. */
export function RemoveDialog({ orgId, application, onClose }: Props) {
  const refresh = useOwnChanged(orgId);
  const { run, busy } = useCall(ownApplications.unregister);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const remove = async () => {
    setWrong(typed.trim() !== application.name);
    if (typed.trim() !== application.name) return;
    const answer = await run({ orgId, id: application.id, title: application.name });
    if (!answer) return;
    await refresh();
    onClose();
    showAlert({ kind: 'success', text: text.removed });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={fill(text.removeTitle, application)}
      description={text.removeEffect}
      onSubmit={() => void remove()}
      footer={<DialogButtons act={text.removeAct} onCancel={onClose} busy={busy} kind="danger" />}
    >
      <TextField
        label={fill(text.removeLabel, application)}
        name="application-name"
        value={typed}
        error={isWrong ? text.removeWrong : undefined}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value);
          setWrong(false);
        }}
      />
    </Dialog>
  );
}
