import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { proveWith } from '#web/lib/use-call.ts';
import { latePopup } from '#web/ui/late.tsx';

const ProofDialog = latePopup(async () => (await import('./proof-dialog.tsx')).ProofDialog);

export function ProofPopup() {
  const [needed, setNeeded] = useState<'any' | 'mail'>();
  const pending = useRef<PromiseWithResolvers<boolean>>(undefined);

  const settle = (proven: boolean) => {
    pending.current?.resolve(proven);
    pending.current = undefined;
    setNeeded(undefined);
  };
  const prove = useEffectEvent((kind: 'any' | 'mail') => {
    // Calls refused at the same time share one question.
    if (!pending.current) {
      pending.current = Promise.withResolvers();
      setNeeded(kind);
    }
    return pending.current.promise;
  });
  useEffect(() => proveWith((kind) => prove(kind)), []);
  return (
    needed && (
      <ProofDialog
        {...(needed === 'mail' && { accepted: ['mail'] })}
        onClose={() => settle(false)}
        onProven={() => settle(true)}
      />
    )
  );
}
