import { type ComponentType, useState } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { showAlert } from '#web/ui/alert-store.ts';

/** A popup whose code is fetched when it is first needed; when that fails, the page stays as it is. */
export function usePopup<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Popup, setPopup] = useState<ComponentType<Props>>();
  const [isOpen, setOpen] = useState(false);
  const fetch = async () => {
    const loaded = Popup ?? (await load());
    setPopup(() => loaded);
  };
  const show = async () => {
    try {
      await fetch();
      setOpen(true);
      return true;
    } catch {
      showAlert({ kind: 'danger', text: uiText.wentWrong });
      return false;
    }
  };
  return {
    Popup,
    isOpen,
    open: () => void show(),
    /** Opens it, and tells whether it did. */
    show,
    close: () => setOpen(false),
    /** Only gets it ready; a failure shows when it is asked to open. */
    fetch: () => void fetch().catch(() => undefined),
  };
}
