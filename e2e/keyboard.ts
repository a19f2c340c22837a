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
