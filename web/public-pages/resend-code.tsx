import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { codeText as text } from '#words/code.ts';
import { asClock, useCountdown } from '#web/lib/countdown.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { LinkButton } from '#web/ui/link-button.tsx';

type Props = { busy: boolean; send: () => Promise<{ waitSeconds: number } | undefined> };

export function ResendCode({ busy, send }: Props) {
  const { left, restart } = useCountdown(RESEND_WAIT_SECONDS, { running: true });
  const waiting = left > 0 || busy;
  const press = async () => {
    const mailed = await send();
    if (!mailed) return;
    restart(mailed.waitSeconds);
    showAlert({ kind: 'success', text: text.resent });
  };
  // Not `disabled`, because a disabled button would lose the focus after the press.
  const again = (words: string) => (
    <LinkButton key="again" aria-disabled={waiting} onClick={() => !waiting && void press()}>
      {words}
    </LinkButton>
  );
  const wait = (words: string) => (
    <span key="wait" className="tabular">
      {words}
    </span>
  );
  return <p>{left > 0 ? text.againIn({ time: asClock(left), again, wait }) : text.again({ again })}</p>;
}
