import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { proveWith } from '#web/lib/use-call.ts';
import { useSession } from './session-context.ts';
import { usePopup } from '#web/ui/use-popup.ts';

const loadDialog = async () => (await import('./proof-dialog.tsx')).ProofDialog;

/** Waits for calls that need a fresh proof of who is there, and asks for it. */
export function ProofPopup() {
  const { hasPassword } = useSession().user;
  const { Popup, isOpen, show, close } = usePopup(loadDialog);
  const [turn, setTurn] = useState(0);
  const asked = useRef<PromiseWithResolvers<boolean>>(undefined);

  const settle = (proven: boolean) => {
    asked.current?.resolve(proven);
    asked.current = undefined;
    close();
  };
  const prove = useEffectEvent(async () => {
    // Calls that are refused together share one question.
    if (asked.current) return asked.current.promise;
    const { promise } = (asked.current = Promise.withResolvers<boolean>());
    setTurn(turn + 1);
    if (!(await show())) settle(false);
    return promise;
  });
  useEffect(() => proveWith(() => prove()), []);
  return Popup && <Popup key={turn} open={isOpen} byCode={!hasPassword} onSettled={settle} />;
}
