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
import { LateConfirm } from '#web/ui/late-confirm.tsx';
import { Card } from '#web/ui/sections.tsx';
import { LockNote } from './lock-note.tsx';
import { locksQuery } from './second-step-queries.ts';

export function TwoStepCard({ user, onSaved }: { user: User; onSaved: (changed: Partial<User>) => void }) {
  const client = useQueryClient();
  const { data: locks } = useQuery(locksQuery);
  const { mfaEnabled, hasPassword } = user;
  const lockId = useId();
  const isLocked = mfaEnabled && Boolean(locks?.twoStep);
  const on = hasPassword ? text.effectOn : text.effectOnLinked;
  const off = hasPassword ? text.effectOff : text.effectOffLinked;
  const [isAsking, setAsking] = useState(false);
  const { run, busy } = useCall(stepUp.setTwoStep, {
    // The code would go to an unconfirmed address.
    account_not_confirmed: ({ message }) => showAlert({ kind: 'warning', text: message }),
    second_step_needed: (failure) => {
      present(failure);
      void refetchSecondSteps(client);
      setAsking(false);
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
  const button = (
    <Button
      kind={mfaEnabled ? 'plain' : 'primary'}
      busy={busy}
      disabled={isLocked}
      aria-describedby={isLocked ? lockId : undefined}
      onClick={() => (mfaEnabled ? setAsking(true) : void toggle())}
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
      {isAsking && (
        <LateConfirm
          onClose={() => setAsking(false)}
          title={text.turnOffTitle}
          act={text.turnOff}
          destructive
          onConfirm={toggle}
        >
          {hasPassword ? text.turnOffEffect : text.turnOffEffectLinked}
        </LateConfirm>
      )}
    </Card>
  );
}
