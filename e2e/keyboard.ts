import type { Page } from '@playwright/test';
import { expect, tabTo } from './fixtures.ts';

// Works the portal by keyboard: reaches named elements with Tab and presses keys.

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
  await expect(page.getByRole('option')).toHaveText([option]);
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
