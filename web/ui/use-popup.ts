import { type ComponentType, useState } from 'react';
import { lateCode } from './late-code.ts';

/** A popup whose code is fetched when it is first needed; when that fails, the page stays as it is. */
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
    /** Opens it, and tells whether it did. */
    show,
    close: () => setOpen(false),
    /** Only gets it ready; a failure shows when it is asked to open. */
    fetch: () =>
      void load().then(
        (loaded) => setPopup(() => loaded),
        () => undefined,
      ),
  };
}
