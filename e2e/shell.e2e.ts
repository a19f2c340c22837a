import type { Page } from '@playwright/test';
import { uiText } from '#words/ui.ts';
import { expect, PASSWORD, test } from './fixtures.ts';

// The layout around the pages of the area.

const topOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

for (const { width, height } of [
  { width: 1360, height: 900 },
  { width: 390, height: 844 },
])
  test(`at ${width} px nothing moves while the area opens, and no alert covers the banner`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    // A realistic length, because the banner's height depends on its text.
    const emailId = `m${width}${Date.now().toString(36)}@example.com`;
    await page.request.post('/api/signup', { data: { emailId, password: PASSWORD, timezone: '' } });
    for (const title of ['Here you go!', 'My Profile']) {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      const opened = await topOf(page, 'main h1');
      await page.route('**/api/init*', () => new Promise(() => {}));
      await page.goto('/');
      await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
      expect(Math.abs((await topOf(page, '[class*="titleLoading"]')) - opened)).toBeLessThanOrEqual(2);
      await page.unroute('**/api/init*');
      await page.request.post('/api/orgs', { data: { first_name: 'Maya', country_name: 'Sweden' } });
    }

    await page.goto('/');
    await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
    const alert = page.getByRole('alert').getByText('Please confirm your email address first.');
    await expect(alert).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(alert).toBeVisible();
    await expect(page.getByText('We sent a new link to')).toBeVisible();
  });

test('an application has the same availability on the home page and on My Apps', async ({ page, enter }) => {
  await page.goto('/');
  const states = () => page.getByRole('listitem').getByText(/^(Available|Not available yet|Upcoming)$/);
  await expect(states()).toHaveText(['Not available yet', 'Not available yet', 'Upcoming', 'Upcoming']);
  await enter('myapps');
  await expect(states()).toHaveText(['Not available yet', 'Not available yet', 'Upcoming', 'Upcoming']);
});

/** Blocks the code of a page until the returned function is called. */
async function holdPage(page: Page, name = 'organization') {
  const { promise: late, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/assets/${name}-page-*.js`, (route) => late.then(() => route.continue()));
  return release;
}

/** Waits until the session is known and the page is drawn. */
async function opened(page: Page, open: () => Promise<unknown>) {
  const answer = page.waitForResponse('**/api/init*');
  await open();
  await (await answer).finished();
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

test('the skeleton stays until the page appears, also if a session check fails meanwhile', async ({
  page,
  company,
}) => {
  const { urlName } = await company();
  await page.addInitScript(() => {
    const moments = { bare: 0 };
    Object.assign(globalThis, { moments });
    let stood = false;
    new MutationObserver(() => {
      const stands = document.querySelector('main h1') !== null;
      if (stood && !stands) moments.bare += 1;
      stood ||= stands;
    }).observe(document, { childList: true, subtree: true });
  });
  const release = await holdPage(page);
  await opened(page, () => page.goto(`/${urlName}/organization`, { waitUntil: 'commit' }));
  await page.route('**/api/init*', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/init'));
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await failed;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Organization' })).toBeVisible();
  expect(
    await page.evaluate(() => (globalThis as unknown as { moments: { bare: number } }).moments.bare),
  ).toBe(0);
});

test('Back during the first load shows the earlier page', async ({ page, enter }) => {
  await enter('myapps');
  await page.getByRole('link', { name: 'Organization', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Organization' })).toBeVisible();
  const release = await holdPage(page);
  await opened(page, () => page.reload({ waitUntil: 'commit' }));
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
  release();
  await page.getByRole('link', { name: 'Organization', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Organization' })).toBeVisible();
});

test('the last requested page opens, whichever loads first', async ({ page, company }) => {
  const { urlName } = await company();
  const release = await holdPage(page);
  await page.goto(`/${urlName}/myapps`);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const here = page.getByRole('heading', { level: 1 });
  await expect(here).toHaveText('My Apps');
  const chunkRequest = page.waitForRequest('**/assets/organization-page-*.js');
  await link('Organization').click();
  await chunkRequest;
  await link('My Profile').click();
  await expect(here).toHaveText('My Profile');
  const loading = page.getByRole('status').filter({ hasText: uiText.loading });
  await expect(loading).toHaveCount(1);
  release();
  await expect(loading).toHaveCount(0);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(here).toHaveText('My Profile');
  await link('Organization').click();
  await expect(here).toHaveText('Organization');
});

test('a page that changes its query prevents no requested page', async ({ page, company }) => {
  const { urlName } = await company();
  const release = await holdPage(page, 'devices');
  await page.goto(`/${urlName}/organization`);
  const chunkRequest = page.waitForRequest('**/assets/devices-page-*.js');
  await page.getByRole('link', { name: 'Signin Devices' }).click();
  await chunkRequest;
  await page.getByRole('searchbox').fill('maya');
  await expect(page).toHaveURL(/search=maya/);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Signin Devices');
});

test('a name of another direction is isolated', async ({ page, company }) => {
  const name = 'דנה';
  const { urlName } = await company();
  await page.request.put('/api/user', { data: { first_name: name, last_name: 'כהן' } });
  await page.goto(`/${urlName}/organization`);
  const isolated = (place: string) => page.locator(`${place} bdi`, { hasText: name });
  await expect(isolated('table')).toBeVisible();
  await expect(page.locator('header a bdi')).toBeVisible();
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await expect(isolated('[role=menu]')).toBeVisible();
});

test('the focus in the header does not scroll the page, and the account menu leads to My Profile', async ({
  page,
  enter,
}) => {
  const { email } = await enter('organization');
  const middle = 400;
  await expect(page.getByRole('heading', { level: 1, name: 'Organization' })).toBeVisible();
  await page.evaluate((top) => scrollTo(0, top), middle);
  const scrolled = () => page.evaluate(() => scrollY);
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText(email);
  expect(await scrolled()).toBe(middle);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Notifications' }).focus();
  expect(await scrolled()).toBe(middle);
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await menu.getByRole('menuitem', { name: 'My Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeFocused();
});
