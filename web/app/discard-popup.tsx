import { useEffect, useEffectEvent, useRef } from 'react';
import { areaText } from '#contract/text/area.ts';
import { forgetUnsaved, hasUnsaved } from '#web/lib/unsaved.ts';
import { usePopup } from '#web/ui/use-popup.ts';

const loadConfirm = async () => (await import('#web/ui/confirm.tsx')).Confirm;

let ask: (() => Promise<boolean>) | undefined;

/** Whether the page may be left: true at once, unless there are changes that the person wants to keep. */
export const mayLeave = async () => !hasUnsaved() || !ask || ask();

/** Asks before changes are lost, for whatever leads away from a page. */
export function DiscardPopup() {
  const { Popup, isOpen, show, close } = usePopup(loadConfirm);
  const asked = useRef<PromiseWithResolvers<boolean>>(undefined);

  const settle = (leaving: boolean) => {
    if (leaving) forgetUnsaved();
    asked.current?.resolve(leaving);
    asked.current = undefined;
    close();
  };
  const question = useEffectEvent(async () => {
    asked.current?.resolve(false);
    const { promise } = (asked.current = Promise.withResolvers<boolean>());
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
