import type { Page } from '@playwright/test';
import { expect, lookedUp, signIn, test } from './fixtures.ts';

const storedText = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  );

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
}

test('storage holds no data, and after signing out neither Back nor the address shows any (D4)', async ({
  page,
  enter,
}) => {
  const { email, urlName } = await enter('myprofile');
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  const cookies = (await page.context().cookies()).filter(({ httpOnly }) => httpOnly);
  expect(cookies.map(({ name }) => name)).toContain('portico');
  const stored = await storedText(page);
  for (const secret of [email, 'Lindqvist', ...cookies.map(({ value }) => value)])
    expect(stored).not.toContain(secret);
  await page.goto(`/${urlName}/myapps`);
  await expect(page.getByRole('heading', { name: 'My Apps' })).toBeVisible();
  await signOut(page);

  const expectNothing = async () => {
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    for (const word of [email, 'Lindqvist']) {
      expect(await page.content()).not.toContain(word);
      expect(await storedText(page)).not.toContain(word);
    }
  };
  await expectNothing();
  for (let steps = 0; steps < 2; steps += 1) {
    await page.goBack();
    await expectNothing();
  }
  await page.goto(`/${urlName}/myprofile`);
  await expectNothing();

  // Simulates that the browser restores the page from its back/forward cache.
  await lookedUp(page, signIn(page, email));
  await expect(page.getByLabel('Last name')).toHaveValue('Lindqvist');
  await page.request.delete('/api/logout', { data: {} });
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    if (!document.documentElement.hidden) throw new Error('still to be seen');
  });
  await page.waitForURL('**/login?redirectpath=*');
});

test('logging out of an ended session still leads to the login page', async ({ page, enter }) => {
  await lookedUp(page, enter('myprofile'));
  await page.context().clearCookies();
  await signOut(page);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your session has ended')).toBeHidden();
});
