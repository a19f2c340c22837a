import type { Page } from '@playwright/test';
import { profileSections } from '#contract/profile/sections.ts';
import { expect, PASSWORD, signOut, test } from './fixtures.ts';
import { press, tabTo } from './keyboard.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });

async function expectArrival(page: Page, name: string) {
  await expect(heading(page, name)).toBeFocused();
  await expect(heading(page, name)).toBeInViewport();
}

test('a link to a section arrives there after sign-in, while cards above load late', async ({
  page,
  enter,
}) => {
  const { email, urlName } = await enter('myapps');
  await signOut(page);
  const cards = Promise.withResolvers<void>();
  await page.route('**/api/{waysin,connectedapplications}*', async (route) => {
    await cards.promise;
    await route.fallback();
  });
  await page.goto(`/account/myprofile#${profileSections.data}`);
  await tabTo(page, 'Email');
  await page.keyboard.type(email);
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/${urlName}/myprofile#${profileSections.data}`);
  await expectArrival(page, 'Download my data');
  cards.resolve();
  await expect(page.getByText('Code by email')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  await expect(page.getByText('You have not entered an application yet')).toBeVisible();
  await expectArrival(page, 'Download my data');
  // Tab goes on from the heading.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Ask for my data' })).toBeFocused();
});

test('the links below the title lead to the sections, and back', async ({ page, enter }) => {
  await enter('myprofile');
  await press(page, 'Contact information');
  await expectArrival(page, 'Contact information');
  await page.getByRole('link', { name: 'Connected applications' }).click();
  await expectArrival(page, 'Connected applications');
  await page.goBack();
  await expectArrival(page, 'Contact information');
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('link', { name: 'Contact information' }).click();
  await expectArrival(page, 'Contact information');
});
