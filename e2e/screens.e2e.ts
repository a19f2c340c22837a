import { addRole } from './colleagues.ts';
import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { PagePath } from '#contract/pages.ts';
import { TYPED_CODE } from '#server/testing/people.ts';
import {
  expect,
  expectAccessible,
  expectNoSideScroll,
  judge,
  newEmail,
  refuseOnce,
  signIn,
  test,
} from './fixtures.ts';

// Every screen: one h1, its own title, nothing wider than the window, and no axe finding, in both themes.

/** A window of 1280 by 800 at 200 %: half as many CSS pixels. */
const ZOOMED = { width: 640, height: 400 };

const publicScreens: [path: string, heading: string | RegExp][] = [
  ['/', /One door to every application/],
  ['/signup', 'Create your account'],
  ['/login', 'Welcome back'],
  ['/verifyaccount', 'Confirm your address'],
  ['/verifyemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9', 'Confirm your address'],
  [
    '/createpassword?confirmed=true&digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9',
    'Create your password',
  ],
  ['/forgotpassword', 'Forgot your password?'],
  ['/resetpassword?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9', 'Choose a new password'],
  ['/notme?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9', 'Was this not you?'],
  ['/restoreemail?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9', 'Keep your address?'],
  ['/restoreaccount?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9', 'Restore your account'],
  ['/support', 'How can we help?'],
  ['/support?reason=deactivated&until=2999-01-01T00:00:00Z', 'Your account is deactivated'],
  ['/support?reason=restricted&until=2999-01-01T00:00:00Z', 'Your account is locked for a while'],
  ['/support?reason=restricted&until=2020-01-01T00:00:00Z', 'Your account is open again'],
  ['/closetab', 'You can close this tab'],
  ['/farewell?reason=deactivated&until=2999-01-01T00:00:00Z', 'Goodbye, and thank you'],
];

/** Checks the page also at 200 % zoom. */
async function judgeZoomed(page: Page) {
  await judge(page);
  const before = page.viewportSize();
  await page.setViewportSize(ZOOMED);
  await expectNoSideScroll(page);
  if (before) await page.setViewportSize(before);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
}

for (const [path, heading] of publicScreens)
  test(`${path} passes the display checks`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(` · ${PRODUCT_NAME}$`));
    if (/^.(login|signup|forgotpassword|verifyaccount)/.test(path))
      await expect(page.locator('main > p').last()).toHaveCSS('text-align', 'start');
    await judgeZoomed(page);
  });

test('the second step passes the display checks', async ({ page, withTwoStep }) => {
  const { email } = await withTwoStep();
  await signIn(page, email);
  const code = page.getByRole('textbox', { name: /^\d-digit code$/ });
  await code.fill('418');
  await judgeZoomed(page);
  await refuseOnce(page, '/api/verifyotp', 401, { code: 'otp_invalid', details: 'Invalid OTP' });
  await code.fill(TYPED_CODE);
  await expect(page.getByText('Invalid OTP')).toBeVisible();
  await judgeZoomed(page);
  await refuseOnce(page, '/api/verifyotp', 410, { code: 'otp_expired', details: 'No longer valid.' });
  await code.fill(TYPED_CODE);
  await expect(page.getByText('That code is no longer valid.')).toBeVisible();
  await judgeZoomed(page);
});

/** A text that each page shows. A new page does not compile without. */
const areaScreens: Readonly<Record<PagePath, string>> = {
  myapps: 'E-signature',
  myprofile: 'Change password',
  communications: 'Product updates',
  signindevices: 'IP Geolocation by DB-IP',
  recentactivity: 'created the organization',
  deleteaccount: 'What happens',
  organization: 'Invite your first colleague',
  'organization/role': 'Role name',
  'organization/role/$id': 'Sign for others',
  'organization/applications': 'No applications yet',
  'organization/applications/$id': 'This application no longer exists',
  'organization/webhooks': 'No webhooks yet',
  'organization/webhooks/$id': 'This webhook no longer exists',
  'organization/signin': 'Add domain',
  'organization/data': 'Download',
};

test('the pages of the area pass the display checks', async ({ page, company }) => {
  test.slow();
  const { urlName } = await company();
  const role = String(await addRole(page, 'Sales'));
  for (const [path, shown] of Object.entries(areaScreens))
    await test.step(path, async () => {
      await page.goto(`/${urlName}/${path.replace('$id', role)}`);
      await expect(page.getByRole('main').getByText(shown).first()).toBeVisible();
      await judgeZoomed(page);
    });
});

test('overlays of My Profile pass the display checks', async ({ page, enter }) => {
  await enter('myprofile');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.getByRole('button', { name: /^Account menu of/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Add Organization' }).click();
    await expect(page.getByRole('dialog', { name: 'Here you go!' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByLabel('Country').click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
});

test('the menu of a phone opens as a sheet and closes with Escape', async ({ page, company }) => {
  const { urlName } = await company();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/${urlName}/myprofile`);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('link', { name: 'My Apps' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'My Apps' })).toBeHidden();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'My Apps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Apps' })).toBeVisible();
});

test('the API page and the outbox pass the display checks', async ({ page, signUp, portal }) => {
  const { email } = await signUp();
  await portal.mailedLink(email);
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { level: 1, name: `${PRODUCT_NAME} API` })).toBeVisible();
  await judgeZoomed(page);
  await page.goto('/outbox');
  await judgeZoomed(page);
  await page.getByRole('link', { name: 'Confirm your email address' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm your email address' })).toBeVisible();
  await expect(page.frameLocator('iframe').getByRole('link', { name: 'Confirm my address' })).toBeVisible();
  await judgeZoomed(page);
});

test('the chosen theme applies before any script runs', async ({ page, context, company }) => {
  const { urlName } = await company();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/${urlName}/myprofile`);
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const html = await (await context.request.get('/login')).text();
  expect(html).toContain('<html data-theme="dark"');
});

test('a page shows nobody more than their own address', async ({ page }) => {
  await page.goto('/verifyaccount');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await expect(page.getByText(/^m•••@northwind\.example$/)).toBeVisible();
});
