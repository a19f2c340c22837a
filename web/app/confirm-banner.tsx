import { confirmation } from '#contract/accounts/confirmation.ts';
import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { areaText } from '#words/area.ts';
import { useCountdown } from '#web/lib/countdown.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './shell.module.css';
import { isToConfirm } from './session.ts';
import { useSession } from './session-context.ts';

export function ConfirmBanner() {
  const { user } = useSession();
  return isToConfirm(user) && <Banner email={user.email ?? ''} />;
}

function Banner({ email }: { email: string }) {
  const { run, busy } = useCall(confirmation.resendVerification);
  const { left, restart } = useCountdown(RESEND_WAIT_SECONDS, { running: false });
  const sendAgain = async () => {
    if (await run({ email })) restart();
  };
  return (
    <div className={styles.banner}>
      <Notice
        kind="warning"
        action={
          <Button size="small" busy={busy} disabled={left > 0} onClick={() => void sendAgain()}>
            {left > 0 ? areaText.sendAgainIn({ seconds: left }) : areaText.sendAgain}
          </Button>
        }
      >
        <output>{(left > 0 ? areaText.linkSent : areaText.confirmAddress)({ email })}</output>
      </Notice>
    </div>
  );
}
