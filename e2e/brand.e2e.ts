import { publicPages } from '#contract/pages.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { brandFolder, hostileSvg, northwind } from '#server/testing/brands.ts';
import { expect, expectAccessible, judge, newEmail, PASSWORD, test as base } from './fixtures.ts';
import { Portal } from './portal.ts';

const { legal } = northwind;
const folder = brandFolder(northwind, { 'logo-light.svg': hostileSvg });
const test = base.extend<object, { portal: Portal }>({
  portal: [
    async ({ playwright: _ }, use) => {
      const portal = await Portal.start({ RATE_LIMIT_FACTOR: '1000', BRAND_DIR: folder });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('no public page, error page or guide names the product in any language', async ({ request }) => {
  const paths = [
    '/',
    ...publicPages,
    '/signup/x',
    '/northwind/myapps',
    '/api/docs',
    '/api/docs/applications',
  ];
  for (const language of ['en', 'ar', 'de', 'es', 'fr', 'ja', 'pt-BR'])
    for (const path of paths) {
      const answer = await request.get(path, { headers: { 'accept-language': language }, maxRedirects: 0 });
      const text = await answer.text();
      expect(text.includes(PRODUCT_NAME), `${path} in ${language}`).toBe(false);
    }
});

test('people agree to the terms above the button, and to a new version in the area', async ({
  page,
  portal,
}) => {
  await page.goto('/login');
  await expect(page.getByText('By creating an account you agree')).toBeVisible();
  await page.goto('/signup');
  await expect(page.getByRole('link', { name: 'privacy notice' })).toHaveAttribute('href', legal.privacy.en);
  await judge(page);
  const email = newEmail();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const sent = page.waitForRequest('**/api/signup');
  await page.getByRole('button', { name: 'Create my free account' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ terms_version: legal.version });
  await page.waitForURL(/onboarding/);
  await page.goto('about:blank');

  brandFolder({ ...northwind, legal: { ...legal, version: 'next' } }, {}, folder);
  await portal.killAndRestart();
  await page.goto('/account/myprofile');
  const banner = page.getByText('There is a new version of the terms');
  await expect(banner).toBeVisible();
  await expectAccessible(page);
  const agree = page.getByRole('button', { name: 'Agree' });
  await agree.focus();
  await page.keyboard.press('Enter');
  await expect(banner).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('no frame of a load shows another colour', async ({ page }) => {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { seen });
    const look = () => {
      const button = document.querySelector('button[type=submit]');
      if (button) seen.add(getComputedStyle(button).backgroundColor);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const path of ['/login', '/signup']) {
    await page.goto(path);
    await page.reload({ waitUntil: 'networkidle' });
    const colours = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
    expect(colours).toHaveLength(1);
    // Blue; the accent without a brand is green.
    expect(colours[0]).toMatch(/^oklch\(\S+ \S+ 2[56]\d/);
  }
});

test('two processes take a new folder while both serve, and no request fails', async ({ portal }) => {
  const other = await Portal.start({ RATE_LIMIT_FACTOR: '1000', BRAND_DIR: folder });
  const bases = [portal.url, other.url];
  const over = new AbortController();
  const failed: string[] = [];
  const load = async (url: string) => {
    while (!over.signal.aborted) {
      const { status } = await fetch(url);
      if (status !== 200) failed.push(`${status} ${url}`);
    }
  };
  const loads = bases.flatMap((base) => [load(`${base}/login`), load(`${base}/api/ustat`)]);
  brandFolder({ ...northwind, name: 'Contoso' }, { 'logo-light.svg': `${hostileSvg}<!-- new -->` }, folder);
  let page = '';
  const statusOf = async (url: string) => (await fetch(url)).status;
  for (const base of bases) {
    const shown = async () => {
      // A file that it does not know makes a process look into the folder.
      expect(await statusOf(`${base}/brand/0123456789abcdef/logo-light.svg`)).toBe(404);
      page = await (await fetch(`${base}/login`)).text();
      return page;
    };
    await expect.poll(shown).toContain('Contoso');
    // So every process has the files of the page that one shows.
    const [logo] = /\/brand\/\w+\/logo-light\.svg/.exec(page) ?? [];
    for (const each of bases) await expect.poll(() => statusOf(`${each}${logo}`)).toBe(200);
  }
  over.abort();
  await Promise.all(loads);
  await other.stop();
  expect(failed).toEqual([]);
});
