import { useState } from 'react';
import { secondStepText as text } from '#contract/text/second-step.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { Button } from '#web/ui/button.tsx';
import { signInByPasskey } from './passkey-sign-in.ts';
import type { StepProps } from './step-props.ts';

const focus = (button: HTMLButtonElement | null) => button?.focus();

/** One of the person's passkeys. */
export function PasskeyStep({ onDone }: StepProps) {
  const [busy, setBusy] = useState(false);
  const press = () =>
    whileBusy(setBusy, async () => {
      const answer = await signInByPasskey({ isSecondStep: true });
      if (answer) await onDone(answer);
    });
  return (
    <>
      <header>
        <h1>{text.passkey.title}</h1>
        <p>{text.passkey.lead}</p>
      </header>
      <Button ref={focus} kind="primary" wide busy={busy} onClick={() => void press()}>
        {text.passkey.use}
      </Button>
    </>
  );
}
