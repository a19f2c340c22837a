/** The same button of the next row of a table, or of the one before: the row that has the focus is about to go. */
export function nextAct(): HTMLElement | null {
  const row = document.activeElement?.closest('tr');
  const actIn = (one: Element | null | undefined) =>
    one?.querySelector<HTMLElement>('td:last-child button:last-of-type');
  return actIn(row?.nextElementSibling) ?? actIn(row?.previousElementSibling) ?? null;
}
