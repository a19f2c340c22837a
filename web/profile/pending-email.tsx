import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { profile } from '#contract/profile/calls.ts';
import { profileText as text } from '#words/profile.ts';
import { asClock, useCountdown } from '#web/lib/countdown.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './profile.module.css';

type Props = { email: string; former: string | null; onCancelled: () => void };

export function PendingEmail({ email, former, onCancelled }: Props) {
  const { left, restart } = useCountdown(RESEND_WAIT_SECONDS, { running: true });
  const resending = useCall(profile.resendPendingEmail);
  const cancelling = useCall(profile.cancelPendingEmail);
  const waiting = left > 0;
  const resend = async () => {
    const receipt = await resending.run({});
    if (!receipt) return;
    restart(receipt.waitSeconds);
    showAlert({ kind: 'success', about: 'contact', text: text.pendingSent });
  };
  const cancel = async () => {
    if (!(await cancelling.run({}))) return;
    onCancelled();
    showAlert({ kind: 'success', about: 'contact', text: text.pendingCancelled });
  };
  return (
    <Notice kind="warning" title={text.pending({ email })}>
      <div className={styles.pending}>
        <p>{former === null ? text.pendingFirst : text.pendingLead({ email: former })}</p>
        <div className={styles.acts}>
          <Button size="small" busy={resending.busy} disabled={waiting} onClick={() => void resend()}>
            <span className="tabular">
              {waiting ? text.pendingAgainIn({ time: asClock(left) }) : text.pendingAgain}
            </span>
          </Button>
          <Button size="small" kind="quiet" busy={cancelling.busy} onClick={() => void cancel()}>
            {text.pendingCancel}
          </Button>
        </div>
      </div>
    </Notice>
  );
}
