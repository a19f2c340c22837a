import { useEffect, useRef } from 'react';
import styles from './tooltip.module.css';

const SHOW_AFTER_MS = 400;
const GAP_PX = 6;
const EDGE_PX = 8;

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

/** Inside the control, so that the pointer may rest on it, and in the top layer, so that nothing clips it. */
export function Tooltip({ children }: { children: string }) {
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const tip = ref.current;
    const owner = tip?.parentElement;
    if (!owner) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      if (!owner.isConnected || tip.matches(':popover-open')) return;
      tip.showPopover();
      position(tip, owner);
    };
    const hide = () => {
      clearTimeout(timer);
      if (tip.matches(':popover-open')) tip.hidePopover();
    };
    const stop = new AbortController();
    const options = { signal: stop.signal };
    owner.addEventListener(
      'pointerenter',
      ({ pointerType }) => {
        clearTimeout(timer);
        if (pointerType === 'mouse') timer = setTimeout(show, SHOW_AFTER_MS);
      },
      options,
    );
    owner.addEventListener('focusin', () => owner.matches(':focus-visible') && show(), options);
    owner.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), options);
    for (const kind of ['pointerleave', 'focusout', 'click']) owner.addEventListener(kind, hide, options);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <span ref={ref} popover="manual" aria-hidden="true" className={styles.tooltip}>
      {children}
    </span>
  );
}
