import type { Page } from '@playwright/test';
import { test as base, PASSWORD } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import { Portal } from './portal.ts';
import { SignatureApp } from './signature-app.ts';

/** Tests with a second origin that plays the signature application, and a portal that knows it. */
export const test = base.extend<object, { signature: SignatureApp; portal: Portal }>({
  signature: [
    async ({ playwright: _ }, use) => {
      const app = await SignatureApp.start();
      await use(app);
      app.stop();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ signature }, use) => {
      const portal = await Portal.start({
        RATE_LIMIT_FACTOR: '1000',
        SIGN_URL: signature.url,
        REDIRECT_SECRETS: `${signature.url}=${signature.secret}`,
      });
      signature.portalUrl = portal.url;
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

export const loginWith = (query: Record<string, string>) => `/login?${new URLSearchParams(query).toString()}`;

/** Fills in the login page by keyboard alone. */
export async function typeCredentials(page: Page, email: string, password = PASSWORD) {
  await tabTo(page, 'Email');
  await page.keyboard.type(email);
  await tabTo(page, /^Password/);
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

export async function onboard(page: Page, name: string) {
  await page.getByLabel('First name').fill('Maya');
  await page.getByLabel('Organization name').fill(name);
  await page.getByRole('button', { name: 'Create organization' }).click();
}

/** Presses the application's button, which opens the login page in a new window. */
export async function openSignIn(page: Page) {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in' }).click();
  return opened;
}

export const greeting = (page: Page, text: string) =>
  page.getByRole('heading', { level: 1, name: text, exact: true });
