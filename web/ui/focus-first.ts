/**
 * A ref of a page's first field. No keyboard covers a wide screen, and a person who has reached something already keeps
 * it.
 */
export function focusFirst(input: HTMLInputElement | null) {
  const isWide = matchMedia('(min-width: 901px) and (pointer: fine)').matches;
  if (isWide && document.activeElement === document.body) input?.focus({ preventScroll: true });
}
