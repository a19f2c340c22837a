import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { confirmed, founder, PASSWORD } from '#server/testing/people.ts';
import { expect, judge } from './fixtures.ts';
import { press, type } from './keyboard.ts';
import { forward, mailedLink, test, title } from './own-app.ts';

const BEYOND_PROOF_MS = 11 * 60_000;

async function prove(page: Page) {
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof).toBeVisible();
  await type(page, 'Password', PASSWORD);
  await page.keyboard.press('Enter');
  await expect(proof).toBeHidden();
}

for (const [name, enroll] of [
  ['with', founder],
  ['without', confirmed],
] as const)
  test(`a person ${name} an organization asks for their data and downloads it by keyboard`, async ({
    page,
    app,
  }) => {
    const maya = await enroll(app);
    await page.context().addCookies([{ name: 'portico', value: maya.visitor.session ?? '', url: app.url }]);
    await forward(page, app, BEYOND_PROOF_MS);
    await page.goto('/account/deleteaccount');
    await expect(page.getByText('We make the file and mail you')).toBeVisible();
    await judge(page);
    await press(page, 'Ask for my data');
    await prove(page);
    await expect(page.getByText('We are making your file.')).toBeVisible();
    await judge(page);

    await app.mails();
    await expect(page.getByText(/^Your file \(\d+ kB\) is ready/)).toBeVisible();
    await forward(page, app, BEYOND_PROOF_MS);
    await page.goto(await mailedLink(app, maya.email));
    await expect(title(page, 'Delete Account')).toBeVisible();
    await judge(page);
    const download = page.waitForEvent('download');
    await press(page, /^Download$/);
    await prove(page);
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^portico-\d{4}-\d\d-\d\d\.zip$/);
    await expect(page.getByText(`${file.suggestedFilename()} is downloaded.`)).toBeVisible();
    const files = unzipSync(await readFile(await file.path()));
    expect(strFromU8(files['profile.json'] ?? new Uint8Array())).toContain(maya.email);
  });
