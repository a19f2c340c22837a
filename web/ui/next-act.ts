/** The same button in the next or previous row of a table or list, because the focused row is about to be removed. */
export function nextAct(): HTMLElement | null {
  const row = document.activeElement?.closest('tr, li');
  const actIn = (row: Element | null | undefined) =>
    row?.querySelector<HTMLElement>(':scope > :last-child button:last-of-type');
  return actIn(row?.nextElementSibling) ?? actIn(row?.previousElementSibling) ?? null;
}
