import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

// Works the portal by keyboard: reaches named elements with Tab and presses keys.

/** How long `tabTo` keeps trying while the page is still loading, like an assertion's timeout. */
const TAB_PATIENCE_MS = 20_000;

/** Presses Tab until the named element has the focus. */
export async function tabTo(page: Page, name: string | RegExp) {
  // A provider's page is not part of the portal and has no heading to wait for.
  await page
    .locator('h1:not(.visually-hidden), body:not(:has(#root))')
    .first()
    .waitFor({ state: 'attached' });
  // A page drawn ahead loses an Enter.
  await expect(page.locator('#root[data-drawn]')).toHaveCount(0);
  const until = Date.now() + TAB_PATIENCE_MS;
  for (let presses = 0; presses < 40 || Date.now() < until; presses += 1) {
    await page.keyboard.press('Tab');
    // One evaluation that tolerates a missing element, because the focused element may disappear at any
    // moment.
    const label = await page.locator(':focus').evaluateAll(([element]) => {
      if (!element) return undefined;
      const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
      const named = element.getAttribute('aria-label') ?? labels.map((label) => label.textContent).join(' ');
      return (named || element.textContent || '').trim();
    });
    if (label === undefined) continue;
    if (typeof name === 'string' ? label.startsWith(name) : name.test(label)) return;
  }
  throw new Error(`no way to ${String(name)} with Tab`);
}

/** Reaches an element by its name and presses it once it is enabled. */
export async function press(page: Page, name: string | RegExp) {
  await tabTo(page, name);
  await expect(page.locator(':focus')).toBeEnabled();
  await page.keyboard.press('Enter');
}

/** Reaches a field and replaces its text. */
export async function type(page: Page, name: string, text: string) {
  await tabTo(page, name);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Reaches a combobox, types the beginning of an option, and takes the first match. */
export async function pick(page: Page, name: string, beginning: string, option: RegExp) {
  await type(page, name, beginning);
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([option]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name, exact: true })).toHaveValue(option);
}

/**
 * Reaches a list and types the beginning of an option. Retries, because a pause between keys starts a new
 * search.
 */
export async function choose(page: Page, name: string, beginning: string, option: string) {
  await tabTo(page, name);
  await expect(async () => {
    await page.keyboard.type(beginning);
    // Keys that follow within a second belong to the same search, so the retry waits longer.
    await expect(page.locator(':focus option:checked')).toHaveText(option, { timeout: 2000 });
  }).toPass({ timeout: 20_000 });
}

/** Goes to the first or last entry of an open menu and presses it. */
export async function pressEntry(page: Page, key: 'End' | 'Home', name: string) {
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible();
  await page.keyboard.press(key);
  await expect(page.getByRole('menuitem', { name })).toBeFocused();
  await page.keyboard.press('Enter');
}

/** Answers the file chooser that a button opens. */
export async function chooseFile(
  page: Page,
  name: string,
  file: { name: string; mimeType: string; buffer: Buffer },
) {
  const chooser = page.waitForEvent('filechooser');
  await press(page, name);
  await (await chooser).setFiles(file);
}

/** Turns two-step sign-in on in My Profile, without recovery codes. */
export async function turnTwoStepOn(page: Page) {
  await press(page, 'Turn on two-step sign-in');
  await tabTo(page, 'Make recovery codes, too');
  await page.keyboard.press('Space');
  await press(page, 'Turn on two-step sign-in');
}
