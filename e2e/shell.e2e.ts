import type { Page } from '@playwright/test';
import { uiText } from '#contract/text/ui.ts';
import { expect, PASSWORD, test } from './fixtures.ts';

// What stands around the pages of the area, and where.

const topOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;

for (const { width, height } of [
  { width: 1360, height: 900 },
  { width: 390, height: 844 },
])
  test(`at ${width} px nothing jumps when the area opens, and no alert lies on the banner`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    // As long as addresses are: the banner's height is that of its words.
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

test('an application is as far on the home page as on My Apps', async ({ page, foundOrganization }) => {
  await page.goto('/');
  const states = () => page.getByRole('listitem').getByText(/^(Available|Not available yet|Upcoming)$/);
  await expect(states()).toHaveText(['Not available yet', 'Not available yet', 'Upcoming', 'Upcoming']);
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myapps`);
  await expect(states()).toHaveText(['Not available yet', 'Not available yet', 'Upcoming', 'Upcoming']);
});

/** Holds the code of a page back until it is told to let it through. */
async function holdPage(page: Page, name = 'organization') {
  const { promise: late, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/assets/${name}-page-*.js`, (route) => late.then(() => route.continue()));
  return release;
}

/** Until it is known who is here, and drawn. */
async function opened(page: Page, open: () => Promise<unknown>) {
  const answered = page.waitForResponse('**/api/init*');
  await open();
  await (await answered).finished();
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

test('the skeleton stands until the page does, however late the code of that comes', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
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
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Organization' })).toBeVisible();
  expect(
    await page.evaluate(() => (globalThis as unknown as { moments: { bare: number } }).moments.bare),
  ).toBe(0);
});

test('who goes back while the first page is on its way is shown where they went', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myapps`);
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

test('of two pages asked for the later is gone to, whichever comes first', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  const release = await holdPage(page);
  await page.goto(`/${urlName}/myapps`);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const here = page.getByRole('heading', { level: 1 });
  await expect(here).toHaveText('My Apps');
  const asked = page.waitForRequest('**/assets/organization-page-*.js');
  await link('Organization').click();
  await asked;
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

test('what a page notes in its own address meanwhile keeps nobody from the page they asked for', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  const release = await holdPage(page, 'devices');
  await page.goto(`/${urlName}/organization`);
  const asked = page.waitForRequest('**/assets/devices-page-*.js');
  await page.getByRole('link', { name: 'Signin Devices' }).click();
  await asked;
  await page.getByRole('searchbox').fill('maya');
  await expect(page).toHaveURL(/search=maya/);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Signin Devices');
});

test('a look at the session that fails while the first page is on its way changes nothing', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
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
});
