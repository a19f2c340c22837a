import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { proveWith } from '#web/lib/use-call.ts';
import { useSession } from './session-context.ts';
import { usePopup } from '#web/ui/late.tsx';

const loadDialog = async () => (await import('./proof-dialog.tsx')).ProofDialog;

/** Asks the person for a proof when a call needs a recent one. */
export function ProofPopup() {
  const { hasPassword } = useSession().user;
  const { Popup, isOpen, show, close } = usePopup(loadDialog);
  const [turn, setTurn] = useState(0);
  const [byMail, setByMail] = useState(false);
  const pending = useRef<PromiseWithResolvers<boolean>>(undefined);

  const settle = (proven: boolean) => {
    pending.current?.resolve(proven);
    pending.current = undefined;
    close();
  };
  const prove = useEffectEvent(async (needed: 'any' | 'mail') => {
    // Calls refused at the same time share one question.
    if (pending.current) return pending.current.promise;
    const { promise } = (pending.current = Promise.withResolvers<boolean>());
    setTurn(turn + 1);
    setByMail(needed === 'mail');
    if (!(await show())) settle(false);
    return promise;
  });
  useEffect(() => proveWith((needed) => prove(needed)), []);
  return (
    Popup && (
      <Popup
        key={turn}
        open={isOpen}
        byCode={byMail || !hasPassword}
        {...(byMail && { accepted: ['mail'] })}
        onSettled={settle}
      />
    )
  );
}
