let leave = new AbortController();

/** Focuses its heading. Late parts change the page's height, so it scrolls again until the person acts. */
export function arriveAt(id: string) {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  let hasFocus = false;
  const show = () => {
    const heading = document.getElementById(id)?.querySelector('h2');
    if (!heading) return;
    heading.tabIndex = -1;
    if (!hasFocus) heading.focus({ preventScroll: true });
    hasFocus = true;
    heading.scrollIntoView();
  };
  const height = new ResizeObserver(show);
  if (id !== '') height.observe(document.body);
  signal.addEventListener('abort', () => height.disconnect());
  for (const sign of ['pointerdown', 'wheel', 'touchmove', 'keydown'])
    addEventListener(sign, () => leave.abort(), { signal });
}
