import {
  useEffect,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from 'react';
import styles from './tooltip.module.css';

const SHOW_AFTER_MS = 400;
const GAP_PX = 6;
const EDGE_PX = 8;

interface Events<E> {
  onPointerEnter?: ((event: PointerEvent<E>) => void) | undefined;
  onPointerLeave?: ((event: PointerEvent<E>) => void) | undefined;
  onFocus?: ((event: FocusEvent<E>) => void) | undefined;
  onBlur?: ((event: FocusEvent<E>) => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent<E>) => void) | undefined;
  onClick?: ((event: MouseEvent<E>) => void) | undefined;
}

/** Places it below its owner, or above if there is no room, within the window. */
function position(tip: HTMLElement, owner: Element) {
  const box = owner.getBoundingClientRect();
  const left = box.left + (box.width - tip.offsetWidth) / 2;
  const below = box.bottom + GAP_PX;
  const fits = below + tip.offsetHeight + EDGE_PX < innerHeight;
  const farthest = document.documentElement.clientWidth - tip.offsetWidth - EDGE_PX;
  tip.style.left = `${Math.max(EDGE_PX, Math.min(left, farthest))}px`;
  tip.style.top = `${fits ? below : box.top - GAP_PX - tip.offsetHeight}px`;
}

/**
 * A tooltip for a control with the same accessible name. It shows on hover and keyboard focus, and Escape
 * hides it. It is inside the control, so that the pointer may rest on it, and in the top layer, so that
 * nothing clips it.
 */
export function useTooltip<E extends Element>(text: string, handlers: Events<E>) {
  const ref = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function show() {
    const tip = ref.current;
    if (!tip?.parentElement || tip.matches(':popover-open')) return;
    tip.showPopover();
    position(tip, tip.parentElement);
  }
  function hide() {
    clearTimeout(timer.current);
    if (ref.current?.matches(':popover-open')) ref.current.hidePopover();
  }

  const events: Events<E> = {
    onPointerEnter(event) {
      handlers.onPointerEnter?.(event);
      clearTimeout(timer.current);
      if (event.pointerType === 'mouse') timer.current = setTimeout(show, SHOW_AFTER_MS);
    },
    onPointerLeave(event) {
      handlers.onPointerLeave?.(event);
      hide();
    },
    onFocus(event) {
      handlers.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) show();
    },
    onBlur(event) {
      handlers.onBlur?.(event);
      hide();
    },
    onKeyDown(event) {
      handlers.onKeyDown?.(event);
      if (event.key === 'Escape') hide();
    },
    onClick(event) {
      handlers.onClick?.(event);
      hide();
    },
  };
  const tooltip = (
    <span ref={ref} popover="manual" aria-hidden="true" className={styles.tooltip}>
      {text}
    </span>
  );
  return { tooltip, events };
}
