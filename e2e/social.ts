import type { BrowserContext, Page } from '@playwright/test';
import { freePort } from '#server/testing/ports.ts';
import {
  socialEnvironment,
  startFacebook,
  startGoogle,
  type TestProvider,
} from '#server/testing/providers.ts';
import { test as base, expect, foundAt, newEmail, signOut } from './fixtures.ts';
import { Portal } from './portal.ts';

/** Tests with a real OpenID Provider as Google, and a plain OAuth server as Facebook. */
export const test = base.extend<object, { port: number; google: TestProvider; facebook: TestProvider }>({
  port: [({ playwright: _ }, use) => freePort().then(use), { scope: 'worker' }],
  google: [
    async ({ port }, use) => {
      const google = await startGoogle(`http://localhost:${port}/api/auth/callback/google`);
      await use(google);
      await google.close();
    },
    { scope: 'worker' },
  ],
  facebook: [
    async ({ playwright: _ }, use) => {
      const facebook = await startFacebook();
      await use(facebook);
      await facebook.close();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ port, google, facebook }, use) => {
      const around = socialEnvironment(google.url, facebook.url);
      const portal = await Portal.start({ PORT: String(port), RATE_LIMIT_FACTOR: '1000', ...around });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

let people = 0;
export const somebody = () => ({
  id: `${process.pid}-${(people += 1)}`,
  first_name: 'Ida',
  last_name: 'Berg',
});

export const button = (page: Page, name: 'Facebook' | 'Google') => page.getByRole('button', { name });
export const code = (page: Page) => page.getByRole('textbox', { name: /^\d-digit code$/ });
export const home = (page: Page) => page.getByRole('heading', { name: 'Here you go!' });

/** Makes Facebook's page wait for a click, as in reality; `headers` are added to its answer. */
export const waitsAtFacebook = (context: BrowserContext, facebook: TestProvider, headers = {}) =>
  context.route(
    `${facebook.url}/dialog*`,
    (route) => {
      const link = `<a href="${route.request().url().replaceAll('&', '&amp;')}">Continue as Ida</a>`;
      const body = `<!doctype html><html lang="en"><title>Facebook</title>${link}`;
      return route.fulfill({ contentType: 'text/html', headers, body });
    },
    { times: 1 },
  );

export const goOnAtFacebook = (popup: Page) => popup.getByRole('link', { name: 'Continue as Ida' }).click();

export const pressFor = async (page: Page, name: 'Facebook' | 'Google') => {
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, name).click()]);
  return popup;
};

/** A browser that blocks popup windows. */
export const blockPopups = (page: Page) => page.addInitScript(() => void (window.open = () => null));

/** Goes to Facebook and back by navigation, for tests that start later in the story. */
async function throughFacebook(page: Page) {
  const answer = await page.request.get('/api/auth?state=2&channel_type=1');
  const { response } = (await answer.json()) as { response: { auth_url: string } };
  await page.goto(response.auth_url);
}

/** Creates a Facebook account with an organization here, then signs out. */
export async function facebookFounder(page: Page, facebook: TestProvider) {
  facebook.person = somebody();
  await throughFacebook(page);
  await expect(home(page)).toBeVisible();
  const { OrgUrlName } = await foundAt(page.request, 'Idas House', { email_id: newEmail('ida') });
  await signOut(page);
  return `/${OrgUrlName}/myapps`;
}

/** Links Facebook to the signed-in account. */
export async function linkFacebook(page: Page, facebook: TestProvider) {
  facebook.person = somebody();
  await throughFacebook(page);
  await page.getByRole('button', { name: 'Link account' }).click();
  await expect(home(page)).toBeVisible();
}
