import { useEffect, useEffectEvent, useRef } from 'react';
import { areaText } from '#contract/text/area.ts';
import { forgetUnsaved, hasUnsaved } from '#web/lib/unsaved.ts';
import { usePopup } from '#web/ui/late.tsx';

const loadConfirm = async () => (await import('#web/ui/confirm.tsx')).Confirm;

let ask: (() => Promise<boolean>) | undefined;

/** Whether the page may be left. Asks only if there are unsaved changes. */
export const mayLeave = async () => !hasUnsaved() || !ask || ask();

/** Asks the person before their changes are lost. */
export function DiscardPopup() {
  const { Popup, isOpen, show, close } = usePopup(loadConfirm);
  const pending = useRef<PromiseWithResolvers<boolean>>(undefined);

  const settle = (leaving: boolean) => {
    if (leaving) forgetUnsaved();
    pending.current?.resolve(leaving);
    pending.current = undefined;
    close();
  };
  const question = useEffectEvent(async () => {
    pending.current?.resolve(false);
    const { promise } = (pending.current = Promise.withResolvers<boolean>());
    if (!(await show())) settle(false);
    return promise;
  });
  useEffect(() => {
    ask = () => question();
    return () => {
      ask = undefined;
    };
  }, []);
  return (
    Popup && (
      <Popup
        open={isOpen}
        onClose={() => settle(false)}
        onConfirm={() => settle(true)}
        title={areaText.discardTitle}
        act={areaText.discard}
        cancel={areaText.keepEditing}
        destructive
      >
        {areaText.discardEffect}
      </Popup>
    )
  );
}
