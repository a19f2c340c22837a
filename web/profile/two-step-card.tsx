import { useState } from 'react';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/user.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { lateCode } from '#web/ui/late.tsx';
import { Card } from '#web/ui/sections.tsx';

const loadDialog = async () => (await import('./turn-off-dialog.tsx')).TurnOffDialog;

/** Shows and switches two-step sign-in. */
export function TwoStepCard({ user, onSaved }: { user: User; onSaved: (changed: Partial<User>) => void }) {
  const { mfaEnabled, email, hasPassword } = user;
  const on = hasPassword ? text.effectOn : text.effectOnLinked;
  const off = hasPassword ? text.effectOff : text.effectOffLinked;
  const [Dialog, setDialog] = useState<Awaited<ReturnType<typeof loadDialog>>>();
  const { run, busy } = useCall(stepUp.setTwoStep, {
    // The code would go to an unconfirmed address.
    account_not_confirmed: ({ message }) => showAlert({ kind: 'warning', text: message }),
  });
  const toggle = async () => {
    const state = await run({ mfaEnabled: !mfaEnabled });
    if (!state) return false;
    onSaved(state);
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
      <p>{mfaEnabled ? fill(on, { email: email ?? '' }) : off}</p>
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
