import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import type { User } from '#contract/profile/user.ts';
import { present } from '#web/lib/failures.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { lateCode } from '#web/ui/late.tsx';
import { Card } from '#web/ui/sections.tsx';
import { LockNote } from './lock-note.tsx';
import { locksQuery } from './second-step-queries.ts';

const loadDialog = async () => (await import('./turn-off-dialog.tsx')).TurnOffDialog;

/** Shows and switches two-step sign-in. */
export function TwoStepCard({ user, onSaved }: { user: User; onSaved: (changed: Partial<User>) => void }) {
  const client = useQueryClient();
  const { data: locks } = useQuery(locksQuery);
  const { mfaEnabled, hasPassword } = user;
  const lockId = useId();
  const isLocked = mfaEnabled && Boolean(locks?.twoStep);
  const on = hasPassword ? text.effectOn : text.effectOnLinked;
  const off = hasPassword ? text.effectOff : text.effectOffLinked;
  const [Dialog, setDialog] = useState<Awaited<ReturnType<typeof loadDialog>>>();
  const { run, busy } = useCall(stepUp.setTwoStep, {
    // The code would go to an unconfirmed address.
    account_not_confirmed: ({ message }) => showAlert({ kind: 'warning', text: message }),
    second_step_needed: (failure) => {
      present(failure);
      void refetchSecondSteps(client);
      setDialog(undefined);
    },
  });
  const toggle = async () => {
    const state = await run({ mfaEnabled: !mfaEnabled });
    if (!state) return false;
    onSaved(state);
    void refetchSecondSteps(client);
    showAlert({
      kind: 'success',
      about: 'two-step',
      text: state.mfaEnabled ? text.turnedOn : text.turnedOff,
    });
    return true;
  };
  const openDialog = async () => {
    const dialog = await lateCode(loadDialog);
    setDialog(() => dialog);
  };
  const button = (
    <Button
      kind={mfaEnabled ? 'plain' : 'primary'}
      busy={busy}
      disabled={isLocked}
      aria-describedby={isLocked ? lockId : undefined}
      onClick={() => void (mfaEnabled ? openDialog() : toggle())}
    >
      {mfaEnabled ? text.turnOff : text.turnOn}
    </Button>
  );
  return (
    <Card foot={button}>
      <div>
        <Pill tone={mfaEnabled ? 'good' : 'neutral'}>{mfaEnabled ? text.on : text.off}</Pill>
      </div>
      <p>{mfaEnabled ? on : off}</p>
      {isLocked && <LockNote id={lockId}>{text.locked}</LockNote>}
      {Dialog && (
        <Dialog
          effect={hasPassword ? text.turnOffEffect : text.turnOffEffectLinked}
          onClose={() => setDialog(undefined)}
          onConfirm={toggle}
        />
      )}
    </Card>
  );
}
