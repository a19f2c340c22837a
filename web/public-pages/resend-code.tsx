import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { codeText as text } from '#contract/text/code.ts';
import { fill } from '#contract/text.ts';
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
  return (
    <p>
      <span>{`${text.noCode} `}</span>
      <LinkButton aria-disabled={waiting} onClick={() => !waiting && void press()}>
        {text.again}
      </LinkButton>
      {left > 0 && <span className="tabular">{` ${fill(text.in, { time: asClock(left) })}`}</span>}
    </p>
  );
}
