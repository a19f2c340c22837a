import { stepUp } from '#contract/step-up.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import { fill } from '#contract/text.ts';
import type { User } from '#contract/user.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/ui/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Card } from '#web/ui/sections.tsx';

/** Whether signing in takes a mailed code after the password, and the switch for it. */
export function TwoStepCard({ user, onSaved }: { user: User; onSaved: (user: User) => void }) {
  const { mfaEnabled, email, hasPassword } = user;
  const on = hasPassword ? text.effectOn : text.effectOnLinked;
  const off = hasPassword ? text.effectOff : text.effectOffLinked;
  const { run, busy } = useCall(stepUp.setTwoStep, {
    // The code would go to an address that nobody has shown to be theirs.
    account_not_confirmed: ({ message }) => showAlert({ kind: 'warning', text: message }),
  });
  const turn = async () => {
    const saved = await run({ mfaEnabled: !mfaEnabled });
    if (!saved) return;
    onSaved({ ...user, ...saved });
    showAlert({ kind: 'success', text: saved.mfaEnabled ? text.turnedOn : text.turnedOff });
  };
  const button = (
    <Button kind={mfaEnabled ? 'plain' : 'primary'} busy={busy} onClick={() => void turn()}>
      {mfaEnabled ? text.turnOff : text.turnOn}
    </Button>
  );
  return (
    <Card foot={button}>
      <div>
        <Pill tone={mfaEnabled ? 'good' : 'neutral'}>{mfaEnabled ? text.on : text.off}</Pill>
      </div>
      <p>{mfaEnabled ? fill(on, { email: email ?? '' }) : off}</p>
    </Card>
  );
}
