const HEADED = 'section, dialog, [role="dialog"], main';

function headingNear(element: Element): HTMLElement | null {
  const around = element.closest(HEADED);
  if (!around) return document.querySelector<HTMLElement>('main h1');
  const heading = around.querySelector<HTMLElement>('h1, h2, h3');
  if (heading || !around.parentElement) return heading;
  return headingNear(around.parentElement);
}

/** The nearest remaining ancestor of a removed node, even if its parent was removed too. */
function remainingAncestor(removed: Node, changes: readonly MutationRecord[]): Element | undefined {
  const parent = changes.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(removed)),
  )?.target;
  if (!parent) return undefined;
  return parent.isConnected && parent instanceof Element ? parent : remainingAncestor(parent, changes);
}

/** When the focused element disappears, the nearest heading gets the focus, unless other code has moved it. */
export function keepFocus() {
  let focused: Element | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) focused = target;
  });
  new MutationObserver((changes) => {
    if (!focused || focused.isConnected) return;
    const ancestor = remainingAncestor(focused, changes);
    focused = undefined;
    if (!ancestor) return;
    // A closing dialog returns the focus only a moment later.
    setTimeout(() => {
      if (document.activeElement !== document.body || !ancestor.isConnected) return;
      const heading = headingNear(ancestor);
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}
