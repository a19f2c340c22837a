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

const loadQuestion = async () => (await import('./turn-off-dialog.tsx')).TurnOffDialog;

/** Shows and switches two-step sign-in. */
export function TwoStepCard({ user, onSaved }: { user: User; onSaved: (changed: Partial<User>) => void }) {
  const { mfaEnabled, email, hasPassword } = user;
  const on = hasPassword ? text.effectOn : text.effectOnLinked;
  const off = hasPassword ? text.effectOff : text.effectOffLinked;
  const [Question, setQuestion] = useState<Awaited<ReturnType<typeof loadQuestion>>>();
  const { run, busy } = useCall(stepUp.setTwoStep, {
    // The code would go to an unconfirmed address.
    account_not_confirmed: ({ message }) => showAlert({ kind: 'warning', text: message }),
  });
  const turn = async () => {
    const saved = await run({ mfaEnabled: !mfaEnabled });
    if (!saved) return false;
    onSaved(saved);
    showAlert({
      kind: 'success',
      about: 'two-step',
      text: saved.mfaEnabled ? text.turnedOn : text.turnedOff,
    });
    return true;
  };
  const ask = async () => {
    const loaded = await lateCode(loadQuestion);
    setQuestion(() => loaded);
  };
  const button = (
    <Button
      kind={mfaEnabled ? 'plain' : 'primary'}
      busy={busy}
      onClick={() => void (mfaEnabled ? ask() : turn())}
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
      {Question && (
        <Question
          effect={hasPassword ? text.turnOffEffect : text.turnOffEffectLinked}
          onClose={() => setQuestion(undefined)}
          onConfirm={turn}
        />
      )}
    </Card>
  );
}
