import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { founder, PASSWORD } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
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

const ofPerson = {
  path: '/account/myprofile',
  heading: 'My Profile',
  request: 'Ask for my data',
  making: 'We are making your file.',
  file: 'profile.json',
};
const subjects = [
  { who: 'a person with an organization', enroll: founder, ...ofPerson },
  {
    who: 'a Super Admin for the organization',
    enroll: (app: TestApp) => founder(app, 'Harbour Logistics'),
    path: '/harbour-logistics/organization/data',
    heading: 'Download the organization’s data',
    request: 'Ask for the data',
    making: 'We are making the file that Maya Lindqvist asked for',
    file: 'members.json',
  },
];
for (const { who, enroll, path, heading, request, making, file: holder } of subjects)
  test(`${who} asks for the data and downloads it by keyboard`, async ({ page, app }) => {
    const maya = await enroll(app);
    await page.context().addCookies([{ name: 'portico', value: maya.visitor.session ?? '', url: app.url }]);
    await forward(page, app, BEYOND_PROOF_MS);
    await page.goto(path);
    await expect(title(page, heading)).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByText('We make the file and email you')).toBeVisible();
    await judge(page);
    await press(page, request);
    await prove(page);
    await expect(page.getByText(making)).toBeVisible();
    await judge(page);

    await app.mails();
    await expect(page.getByText(/^(Your|The) file \(\d+ kB\)/)).toBeVisible();
    await forward(page, app, BEYOND_PROOF_MS);
    await page.goto(await mailedLink(app, maya.email));
    await expect(title(page, heading)).toBeVisible();
    await page.keyboard.press('Tab');
    await judge(page);
    const download = page.waitForEvent('download');
    await press(page, /^Download$/);
    await prove(page);
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^portico-\d{4}-\d\d-\d\d\.zip$/);
    await expect(page.getByText(`${file.suggestedFilename()} is downloaded.`)).toBeVisible();
    const files = unzipSync(await readFile(await file.path()));
    expect(strFromU8(files[holder] ?? new Uint8Array())).toContain(maya.email);
  });
