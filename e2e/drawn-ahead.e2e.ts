import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { expect, expectNoSideScroll, inEveryWidth, newEmail, PASSWORD, test } from './fixtures.ts';
import { Portal } from './portal.ts';

// Public pages before their script and font arrive: they can be read, and nothing moves afterwards.

test.use({ waitsForScript: false });

const pages = [
  ['/', 'One door to every application your team works in.', []],
  ['/login', 'Welcome back', ['Email', 'Password']],
  ['/signup', 'Create your account', ['Email', 'Password']],
] as const;

/** Blocks matching files until the returned function is called. */
async function hold(page: Page, files: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, (route) => promise.then(() => route.continue()));
  return resolve;
}

const alive = (page: Page) => expect(page.locator('#root[data-drawn]')).toHaveCount(0);

const visitDrawn = async (page: Page, path: string) => {
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};

/** The accepted layout shift: a last word may be a few pixels wider in the other font. 0.1 counts as good. */
const UNSEEN = 0.0001;

for (const [path, heading, labels] of pages) {
  test(`${path} can be read before its script arrives, and the script takes it over unchanged`, async ({
    page,
  }) => {
    const release = await hold(page, '**/*.js');
    await visitDrawn(page, path);
    const title = page.getByRole('heading', { level: 1, name: heading });
    await expect(title).toBeVisible();
    for (const label of labels) await expect(page.getByLabel(label, { exact: true })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`.+ · ${PRODUCT_NAME}$`));
    const before = await title.elementHandle();
    release();
    await alive(page);
    await page.waitForLoadState('networkidle');
    expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
  });

  for (const width of [1360, 390])
    test(`nothing on ${path} moves when script and font arrive, at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.addInitScript(() => {
        const observed = { shifts: [] as string[], painted: [] as string[] };
        Object.assign(globalThis, { seen: observed });
        const watch = (type: string, tell: (entry: PerformanceEntry) => void) =>
          new PerformanceObserver((list) => list.getEntries().forEach(tell)).observe({
            type,
            buffered: true,
          });
        watch('layout-shift', (entry) => observed.shifts.push(JSON.stringify(entry)));
        watch('largest-contentful-paint', (entry) =>
          observed.painted.push((entry as unknown as { element: Element }).element.textContent),
        );
      });
      const observations = () =>
        page.evaluate(
          () => (globalThis as unknown as { seen: { shifts: string[]; painted: string[] } }).seen,
        );
      const releaseFont = await hold(page, '**/*.woff2');
      const releaseScript = await hold(page, '**/*.js');
      await visitDrawn(page, path);
      await expect
        .poll(async () => (await observations()).painted.length, 'text without its font')
        .toBeGreaterThan(0);
      releaseScript();
      await alive(page);
      expect(await page.evaluate(() => document.fonts.check('1em "Geist Variable"'))).toBe(false);
      releaseFont();
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready);
      expect(await page.evaluate(() => document.fonts.check('1em "Geist Variable"'))).toBe(true);
      const moved = (await observations()).shifts.filter(
        (shift) => (JSON.parse(shift) as { value: number }).value > UNSEEN,
      );
      expect(moved).toEqual([]);
    });
}

for (const [system, choice] of [
  ['light', 'dark'],
  ['dark', 'light'],
  ['dark', undefined],
] as const)
  test(`the first paint is ${choice ?? system}: ${choice ?? 'nothing'} chosen, the system ${system}`, async ({
    page,
    context,
    portal,
  }) => {
    await page.emulateMedia({ colorScheme: system });
    if (choice) await context.addCookies([{ name: 'portico-theme', value: choice, url: portal.url }]);
    await page.addInitScript(() => {
      const colours: string[] = [];
      Object.assign(globalThis, { colours });
      const note = () => colours.push(getComputedStyle(document.documentElement).backgroundColor);
      new PerformanceObserver(note).observe({ type: 'paint', buffered: true });
      addEventListener('load', note);
    });
    await page.goto('/login');
    await alive(page);
    const colours = () => page.evaluate(() => (globalThis as unknown as { colours: string[] }).colours);
    await expect.poll(async () => (await colours()).length).toBeGreaterThan(1);
    const paper = { light: 'oklch(0.984 0.004 85)', dark: 'oklch(0.175 0.006 75)' };
    expect([...new Set(await colours())]).toEqual([paper[choice ?? system]]);
    await expect(page.locator('meta[name=color-scheme]')).toHaveAttribute('content', choice ?? 'light dark');
  });

test('text typed before the script arrives is kept and sent', async ({ page }) => {
  const release = await hold(page, '**/*.js');
  await visitDrawn(page, '/signup?redirectpath=%2Fnorthwind');
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Password', { exact: true });
  const address = newEmail();
  await email.fill(address);
  await password.fill(PASSWORD.slice(0, 6));
  // No handler is attached yet: the form must neither leave the page nor put a password into the address.
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create my free account' }).click();
  await password.focus();
  release();
  await alive(page);
  await expect(password).toBeFocused();
  expect(new URL(page.url()).search).toBe('?redirectpath=%2Fnorthwind');
  await page.keyboard.type(PASSWORD.slice(6));
  await expect(email).toHaveValue(address);
  await expect(password).toHaveValue(PASSWORD);
  await expect(page.getByText(/At least 8 characters.* \(done\)/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    '/login?redirectpath=%2Fnorthwind',
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
});

test('the button sends what was typed before the script arrived', async ({ page }) => {
  const release = await hold(page, '**/*.js');
  await visitDrawn(page, '/login');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  release();
  await alive(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert').getByText('The Email address or Password is wrong.')).toBeVisible();
});

test('pages that need their query start with the frame alone, and never with other content', async ({
  page,
}) => {
  for (const [path, heading] of [
    ['/login?contact=m%E2%80%A2%E2%80%A2%E2%80%A2%40northwind.example', 'Check your email'],
    ['/support?reason=deactivated', 'Your account is deactivated'],
    ['/verifyaccount', 'Confirm your address'],
    ['/notme', 'This link is not complete'],
  ] as const) {
    const release = await hold(page, '**/*.js');
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('link', { name: 'Support' })).toBeVisible();
    await expect(page.getByRole('heading')).toHaveCount(0);
    release();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await page.unroute('**/*.js');
  }
});

test('without JavaScript a page says that it needs it, in every width', async ({ browser, portal }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${portal.url}/login`);
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await inEveryWidth(page, async () => {
    await expect(page.locator('noscript p')).toBeInViewport();
    await expectNoSideScroll(page);
  });
  await context.close();
});

test('pages are drawn with the operator’s settings', async ({ page }) => {
  const portal = await Portal.start({
    SIGN_URL: 'https://sign.example',
    SUPPORT_EMAIL: 'care@northwind.example',
  });
  try {
    const release = await hold(page, '**/*.js');
    for (const [path, link] of [
      ['/', /^Open E-signature/],
      ['/support', 'Write to care@northwind.example'],
    ] as const) {
      await visitDrawn(page, `${portal.url}${path}`);
      await expect(page.getByRole('link', { name: link })).toBeVisible();
    }
    release();
    await alive(page);
  } finally {
    await portal.stop();
  }
});
