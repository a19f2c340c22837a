import type { BrowserContext, Page } from '@playwright/test';
import { freePort } from '#server/testing/ports.ts';
import {
  socialEnvironment,
  startFacebook,
  startGoogle,
  type TestProvider,
} from '#server/testing/providers.ts';
import {
  test as base,
  expect,
  expectAccessible,
  expectNoSideScroll,
  inEveryLook,
  newEmail,
  PASSWORD,
  refuseOnce,
  signIn,
  tabTo,
} from './fixtures.ts';
import { Portal } from './portal.ts';

// Signing in with an account elsewhere, in a window of its own: a real OpenID Provider is Google here, and one that
// speaks OAuth and no more is Facebook.

type Providers = { readonly google: TestProvider; readonly facebook: TestProvider };

const test = base.extend<object, { port: number; providers: Providers }>({
  port: [({ playwright: _ }, use) => freePort().then(use), { scope: 'worker' }],
  providers: [
    async ({ port }, use) => {
      const google = await startGoogle(`http://localhost:${port}/api/auth/callback/google`);
      const facebook = await startFacebook();
      await use({ google, facebook });
      await google.close();
      await facebook.close();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ port, providers: { google, facebook } }, use) => {
      const around = socialEnvironment(google.url, facebook.url);
      const portal = await Portal.start({ PORT: String(port), RATE_LIMIT_FACTOR: '1000', ...around });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

let people = 0;
const somebody = () => ({ id: `${process.pid}-${(people += 1)}`, first_name: 'Ida', last_name: 'Berg' });

const button = (page: Page, name: 'Facebook' | 'Google') => page.getByRole('button', { name });
const code = (page: Page) => page.getByRole('textbox', { name: '6-digit code' });
const home = (page: Page) => page.getByRole('heading', { name: 'Here you go!' });

/** Lets Facebook's page wait for a click, as it does in life; `headers` are its own. */
const waitsAtFacebook = (context: BrowserContext, facebook: TestProvider, headers = {}) =>
  context.route(
    `${facebook.url}/dialog*`,
    (route) => {
      const link = `<a href="${route.request().url().replaceAll('&', '&amp;')}">Continue as Ida</a>`;
      const body = `<!doctype html><html lang="en"><title>Facebook</title>${link}`;
      return route.fulfill({ contentType: 'text/html', headers, body });
    },
    { times: 1 },
  );
const goOnAtFacebook = (popup: Page) => popup.getByRole('link', { name: 'Continue as Ida' }).click();

const pressFor = async (page: Page, name: 'Facebook' | 'Google') => {
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page, name).click()]);
  return popup;
};

/** A browser that opens no windows. */
const blockPopups = (page: Page) => page.addInitScript(() => void (window.open = () => null));

/** Goes to Facebook and back without a button, for tests that begin later in the story. */
async function throughFacebook(page: Page) {
  const answer = await page.request.get('/api/auth?state=2&channel_type=1');
  const { response } = (await answer.json()) as { response: { auth_url: string } };
  await page.goto(response.auth_url);
}

const signOut = async (page: Page) =>
  expect((await page.request.delete('/api/logout', { data: {} })).ok()).toBe(true);

/** Somebody of Facebook with an organization here, signed out. */
async function facebookFounder(page: Page, facebook: TestProvider) {
  facebook.person = somebody();
  await throughFacebook(page);
  await expect(home(page)).toBeVisible();
  const answer = await page.request.post('/api/orgs', {
    data: { first_name: 'Ida', country_name: 'Sweden', email_id: newEmail('ida') },
  });
  const { response } = (await answer.json()) as { response: { OrgUrlName: string } };
  await signOut(page);
  return `/${response.OrgUrlName}/myapps`;
}

/** Opens the account of whoever is signed in to somebody of Facebook. */
async function linkFacebook(page: Page, facebook: TestProvider) {
  facebook.person = somebody();
  await throughFacebook(page);
  await page.waitForURL((url) => url.origin === new URL(page.url()).origin && url.pathname !== '/api');
  await expect(home(page)).toBeVisible();
}

test('Facebook opens in a window of 600 by 700, and the page goes on once it is closed', async ({
  page,
  context,
  providers: { facebook },
}) => {
  facebook.person = somebody();
  await waitsAtFacebook(context, facebook);
  await page.goto('/login');
  const popup = await pressFor(page, 'Facebook');
  await expect(popup).toHaveTitle('Facebook');
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([600, 700]);
  expect(page.url()).toMatch(/\/login$/);
  await Promise.all([popup.waitForEvent('close'), goOnAtFacebook(popup)]);
  await expect(home(page)).toBeVisible();
});

test('so does Google, from the sign-up page too', async ({ page, providers: { google } }) => {
  const email = newEmail('maya');
  google.person = { sub: email, email, email_verified: true, given_name: 'Maya', family_name: 'Lind' };
  for (const path of ['/signup', '/login']) {
    await page.goto(path);
    const popup = await pressFor(page, 'Google');
    await popup.waitForEvent('close');
    await expect(home(page)).toBeVisible();
    await signOut(page);
  }
});

test('what the page was asked for is there after the window', async ({ page, providers: { facebook } }) => {
  const asked = await facebookFounder(page, facebook);
  await page.goto(`/login?redirectpath=${encodeURIComponent(asked)}`);
  await pressFor(page, 'Facebook');
  await page.waitForURL(`**${asked}`);
});

test('closing the window is no error, and what was typed stays', async ({
  page,
  context,
  providers: { facebook },
}) => {
  for (const path of ['/login', '/signup']) {
    const email = newEmail();
    await waitsAtFacebook(context, facebook);
    await page.goto(`${path}?redirectpath=%2Fnorthwind`);
    await page.getByLabel('Email').fill(email);
    const popup = await pressFor(page, 'Facebook');
    await expect(popup).toHaveTitle('Facebook');
    await Promise.all([page.waitForEvent('load'), popup.close()]);
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(page.url()).toContain(`${path}?redirectpath=%2Fnorthwind`);
    await expect(button(page, 'Facebook')).toBeEnabled();
  }
});

test('one window at a time: a second press brings it to the front', async ({
  page,
  context,
  providers: { facebook },
}) => {
  await waitsAtFacebook(context, facebook);
  await page.goto('/login');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const popup = await pressFor(page, 'Facebook');
  await button(page, 'Google').click();
  await expect(popup).toHaveTitle('Facebook');
  await popup.evaluate(() => Object.assign(window, { focus: () => (document.title = 'in front') }));
  await button(page, 'Facebook').click();
  expect(context.pages()).toHaveLength(2);
  expect(asked.filter((path) => path === '/api/auth')).toHaveLength(1);
  // The page has gone on to another step meanwhile, and the window is in nobody's way.
});

test('where windows are blocked, the page itself goes there and comes back to what was asked for', async ({
  page,
  providers: { facebook },
}) => {
  const asked = await facebookFounder(page, facebook);
  await blockPopups(page);
  await page.goto(`/login?redirectpath=${encodeURIComponent(asked)}`);
  await button(page, 'Facebook').click();
  await page.waitForURL(`**${asked}`);
  expect(page.context().pages()).toHaveLength(1);
});
