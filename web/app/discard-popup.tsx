import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { areaText } from '#words/area.ts';
import { forgetUnsaved, hasUnsaved } from '#web/lib/unsaved.ts';
import { LateConfirm } from '#web/ui/late-confirm.tsx';

let ask: (() => Promise<boolean>) | undefined;

export const mayLeave = async () => !hasUnsaved() || !ask || ask();

export function DiscardPopup() {
  const [isOpen, setOpen] = useState(false);
  const pending = useRef<PromiseWithResolvers<boolean>>(undefined);

  const settle = (leaving: boolean) => {
    if (leaving) forgetUnsaved();
    pending.current?.resolve(leaving);
    pending.current = undefined;
    setOpen(false);
  };
  const question = useEffectEvent(() => {
    pending.current?.resolve(false);
    pending.current = Promise.withResolvers();
    setOpen(true);
    return pending.current.promise;
  });
  useEffect(() => {
    ask = () => question();
    return () => {
      ask = undefined;
    };
  }, []);
  return (
    isOpen && (
      <LateConfirm
        onClose={() => settle(false)}
        onConfirm={() => settle(true)}
        title={areaText.discardTitle}
        act={areaText.discard}
        cancel={areaText.keepEditing}
        destructive
      >
        {areaText.discardEffect}
      </LateConfirm>
    )
  );
}
