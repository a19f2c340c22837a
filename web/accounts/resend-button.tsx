import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { confirmationText } from '#contract/text/confirmation.ts';
import { fill } from '#contract/text.ts';
import type { MailedLink } from '#web/accounts/mailed-link.ts';
import { asClock, useCountdown } from '#web/lib/countdown.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';

const text = confirmationText.resend;

/** Sends the link again once the last mail had time to arrive. */
export function ResendButton({ call, email }: { call: MailedLink['call']; email: string }) {
  const { left, restart } = useCountdown(RESEND_WAIT_SECONDS, { running: true });
  const { run, busy } = useCall(call);
  const waiting = left > 0;

  const send = async () => {
    if ((await run({ email })) === undefined) return;
    restart();
    showAlert({ kind: 'success', text: text.sent });
  };

  // Not `disabled`, because a disabled button would lose the focus after the press.
  return (
    <Button wide busy={busy} aria-disabled={waiting} onClick={() => !waiting && void send()}>
      <span className="tabular">{waiting ? fill(text.againIn, { time: asClock(left) }) : text.again}</span>
    </Button>
  );
}
