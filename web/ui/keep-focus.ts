const HEADED = 'section, dialog, [role="dialog"], main';

/** The heading of what stands around a place, or of the page. */
function headingNear(place: Element): HTMLElement | null {
  const around = place.closest(HEADED);
  if (!around) return document.querySelector<HTMLElement>('main h1');
  const heading = around.querySelector<HTMLElement>('h1, h2, h3');
  if (heading || !around.parentElement) return heading;
  return headingNear(around.parentElement);
}

/** What is left around something that has gone, be it that what it went from has gone as well. */
function placeLeft(gone: Node, changes: readonly MutationRecord[]): Element | undefined {
  const from = changes.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(gone)),
  )?.target;
  if (!from) return undefined;
  return from.isConnected && from instanceof Element ? from : placeLeft(from, changes);
}

/**
 * Keeps a keyboard person's place: when what has the focus goes from the page, such as "Try again" once it has worked, the
 * heading of what is left around it takes the focus, unless whoever took it away has led on.
 */
export function keepFocus() {
  let focused: Element | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) focused = target;
  });
  new MutationObserver((changes) => {
    if (!focused || focused.isConnected) return;
    const place = placeLeft(focused, changes);
    focused = undefined;
    if (!place) return;
    // A dialog that closes gives the focus back a moment after it has gone.
    setTimeout(() => {
      if (document.activeElement !== document.body || !place.isConnected) return;
      const heading = headingNear(place);
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}
