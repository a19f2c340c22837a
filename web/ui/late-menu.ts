import { type ComponentType, type Ref, useLayoutEffect, useRef } from 'react';
import { usePopup } from './use-popup.ts';

/**
 * A menu whose code loads when the pointer or the focus reaches its button, so that the first view need not
 * wait for it. Until then the button has the props `untilThen`.
 */
export function useLateMenu<Props>(load: () => Promise<ComponentType<Props>>) {
  const button = useRef<HTMLButtonElement>(null);
  const { Popup: Menu, isOpen: isAsked, fetch, open } = usePopup(load);
  const hadFocus = useRef(false);

  // The menu renders its own button, which takes over the focus and an early press.
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
    // On pointer down, because the menu's own button may replace this one before the press ends.
    onPointerDown: open,
    // Presses by keyboard or assistive technology.
    onClick: ({ detail }: { detail: number }) => {
      if (detail === 0) open();
    },
  };
  return { Menu, button: button as Ref<HTMLButtonElement>, untilThen };
}
