import { confirmedAt, expect, expectNoSideScroll, judge, test } from './fixtures.ts';

// The entrance in other languages.

test.use({ waitsForScript: false });

const languages = {
  de: { direction: 'ltr', login: 'Willkommen zurück', signup: 'Konto erstellen' },
  ar: { direction: 'rtl', login: 'مرحبًا بعودتك', signup: 'إنشاء حسابك' },
} as const;

for (const [language, { direction, ...headings }] of Object.entries(languages))
  test.describe(language, () => {
    test.use({ locale: language, viewport: { width: 320, height: 740 } });

    for (const [name, heading] of Object.entries(headings))
      test(`/${name} is drawn and taken over in its language alone, and fits a small phone`, async ({
        page,
      }) => {
        const files: string[] = [];
        page.on('request', (request) => void files.push(new URL(request.url()).pathname));
        await page.goto(`/${name}`, { waitUntil: 'commit' });
        const title = page.getByRole('heading', { level: 1, name: heading });
        await expect(title).toBeVisible();
        const drawn = await title.elementHandle();
        await expect(page.locator('#root[data-drawn]')).toHaveCount(0);
        await page.waitForLoadState('networkidle');
        expect(await drawn?.evaluate((element) => element.isConnected)).toBe(true);
        await expect(page.locator('html')).toHaveAttribute('dir', direction);
        const assets = files.filter((file) => file.startsWith('/assets/'));
        expect(assets.filter((file) => !file.startsWith(`/assets/${language}/`))).toEqual([]);
        expect(assets.some((file) => file.endsWith('.woff2'))).toBe(language !== 'ar');
        await expectNoSideScroll(page);
        await judge(page);
      });
  });

test('the row of languages leads back to the same address, by keyboard', async ({ page }) => {
  await page.goto('/login?redirectpath=%2F7%2Fmyprofile');
  const row = page.getByRole('navigation', { name: 'Language' });
  await expect(row.getByRole('button', { name: 'English' })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Support' }).focus();
  for (const name of ['English', 'العربية', 'Deutsch']) {
    await page.keyboard.press('Tab');
    await expect(row.getByRole('button', { name })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Willkommen zurück' })).toBeVisible();
  await expect(page).toHaveURL(/\/login\?redirectpath=%2F7%2Fmyprofile$/);
  await page.goto('/signup');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('the area comes in the language of the account, after one more load', async ({ page, portal }) => {
  await confirmedAt(portal, page.request);
  const cookie = { name: 'portico-language', value: 'de', url: portal.url };
  await page.context().addCookies([cookie]);
  const loaded: string[] = [];
  page.on('response', async (answer) => {
    if (answer.request().isNavigationRequest()) loaded.push(answer.headers()['content-language'] ?? '');
  });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(loaded).toEqual(['de', 'en']);
});
