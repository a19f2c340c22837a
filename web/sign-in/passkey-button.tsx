import { useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import type { signIn } from '#contract/sign-in/calls.ts';
import { signInText } from '#words/sign-in.ts';
import { uiText } from '#words/ui.ts';
import { LastUsed } from '#web/public-pages/last-used.tsx';
import { showAlert } from '#web/lib/alert-store.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

const load = () => import('./passkey-sign-in.ts');

type Props = { onDone: (answer: Output<typeof signIn.signIn>) => Promise<void> };

export function PasskeyButton({ onDone }: Props) {
  const [busy, setBusy] = useState(false);
  const offer = useEffectEvent(async () => {
    // Nobody asked, so a failure stays silent.
    const code = await load().catch(() => undefined);
    const answer = await code?.offerPasskeys();
    if (answer) await onDone(answer);
  });
  useEffect(() => {
    const stop = new AbortController();
    const start = () => {
      stop.abort();
      void offer();
    };
    for (const sign of ['pointermove', 'keydown', 'focusin'])
      document.addEventListener(sign, start, { signal: stop.signal });
    return () => stop.abort();
  }, []);
  const press = () =>
    whileBusy(setBusy, async () => {
      const code = await load().catch(() => undefined);
      if (!code) showAlert({ kind: 'danger', text: uiText.wentWrong });
      const answer = await code?.signInByPasskey();
      if (answer) await onDone(answer);
      // The press has ended the offer.
      else void offer();
    });
  return (
    <Button
      wide
      icon={<Icon d="M15 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M3 20c0-4 4-6 8-6M18 13v8M18 17h3" />}
      badge={<LastUsed method="passkey" />}
      busy={busy}
      onClick={() => void press()}
    >
      {signInText.login.passkey}
    </Button>
  );
}
