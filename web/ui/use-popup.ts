import { type ComponentType, useState } from 'react';
import { lateCode } from './late-code.ts';

/** A popup whose code loads when it is first needed. If loading fails, the page stays as it is. */
export function usePopup<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Popup, setPopup] = useState<ComponentType<Props>>();
  const [isOpen, setOpen] = useState(false);
  const show = async () => {
    const loaded = Popup ?? (await lateCode(load));
    if (!loaded) return false;
    setPopup(() => loaded);
    setOpen(true);
    return true;
  };
  return {
    Popup,
    isOpen,
    open: () => void show(),
    /** Opens the popup. Resolves to whether that worked. */
    show,
    close: () => setOpen(false),
    /** Only preloads. A failure shows when the popup should open. */
    fetch: () =>
      void load().then(
        (loaded) => setPopup(() => loaded),
        () => undefined,
      ),
  };
}
