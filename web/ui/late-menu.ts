import { type ComponentType, type Ref, useLayoutEffect, useRef } from 'react';
import { usePopup } from './use-popup.ts';

/**
 * A menu whose code is fetched when somebody comes near its button, so that the first view need not wait for it. Until
 * it is there the button has what `untilThen` gives it.
 */
export function useLateMenu<Props>(load: () => Promise<ComponentType<Props>>) {
  const button = useRef<HTMLButtonElement>(null);
  const { Popup: Menu, isOpen: isAsked, fetch, open } = usePopup(load);
  const hadFocus = useRef(false);

  // The menu brings a button of its own: it takes over the focus, and the press that came too early.
  useLayoutEffect(() => {
    if (!Menu) return;
    if (hadFocus.current) button.current?.focus();
    if (isAsked) button.current?.click();
  }, [Menu, isAsked]);

  const untilThen = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': false,
    onPointerEnter: fetch,
    onFocus: () => {
      hadFocus.current = true;
      fetch();
    },
    onBlur: () => {
      hadFocus.current = false;
    },
    // On the way down already: the menu's own button may have taken this place before the press ends.
    onPointerDown: open,
    // Other presses, as by a key.
    onClick: ({ detail }: { detail: number }) => {
      if (detail === 0) open();
    },
  };
  return { Menu, button: button as Ref<HTMLButtonElement>, untilThen };
}
