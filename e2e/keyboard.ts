import type { Page } from '@playwright/test';
import { expect, tabTo } from './fixtures.ts';

// The portal as somebody without a mouse works it: what has a name is reached with Tab, and then keys are pressed.

/** Reaches a thing by its name and presses it, once it may be. */
export async function press(page: Page, name: string | RegExp) {
  await tabTo(page, name);
  await expect(page.locator(':focus')).toBeEnabled();
  await page.keyboard.press('Enter');
}

/** Reaches a field and types over what it holds. */
export async function type(page: Page, name: string, text: string) {
  await tabTo(page, name);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Reaches a combobox, types how an option begins, and takes the first one there is. */
export async function pick(page: Page, name: string, beginning: string, option: RegExp) {
  await type(page, name, beginning);
  await expect(page.getByRole('option')).toHaveText([option]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name, exact: true })).toHaveValue(option);
}

/** Reaches a list, types how an option begins, and once more where a halt has made two beginnings of it. */
export async function choose(page: Page, name: string, beginning: string, option: string) {
  await tabTo(page, name);
  await expect(async () => {
    await page.keyboard.type(beginning);
    // For longer than keys count as one beginning.
    await expect(page.locator(':focus option:checked')).toHaveText(option, { timeout: 2000 });
  }).toPass({ timeout: 20_000 });
}

/** Goes to the first or the last entry of a menu, once it is open, and presses it. */
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
  const asked = page.waitForEvent('filechooser');
  await press(page, name);
  await (await asked).setFiles(file);
}
