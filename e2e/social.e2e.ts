import { expect, lastAct, newEmail, PASSWORD, signOut } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import {
  blockPopups,
  button,
  code,
  facebookFounder,
  goOnAtFacebook,
  home,
  pressFor,
  somebody,
  test,
  waitsAtFacebook,
} from './social.ts';

// Social sign-in: its window, and the page that waits for it.

test('Facebook opens a window of 600 by 700, by keyboard', async ({ page, context, facebook }) => {
  facebook.person = somebody();
  await waitsAtFacebook(context, facebook);
  await page.goto('/login');
  await tabTo(page, 'Facebook');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  await expect(popup).toHaveTitle('Facebook');
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([600, 700]);
  expect(page.url()).toMatch(/\/login$/);
  await tabTo(popup, 'Continue as Ida');
  await lastAct(popup, popup.keyboard.press('Enter'));
  await expect(home(page)).toBeVisible();
});

test('Google opens in the same window, also from the sign-up page', async ({ page, google }) => {
  const email = newEmail('maya');
  google.person = { sub: email, email, email_verified: true, given_name: 'Maya', family_name: 'Lind' };
  for (const path of ['/signup', '/login']) {
    await page.goto(path);
    const popup = await pressFor(page, 'Google');
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await expect(home(page)).toBeVisible();
    await signOut(page);
  }
});

test('closing the window is no error, and typed text stays', async ({ page, context, facebook }) => {
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

test('only one window opens, and comes to the front', async ({ page, context, facebook }) => {
  await waitsAtFacebook(context, facebook);
  // A test cannot see whether a window is in front, so `focus` is recorded.
  await page.addInitScript(() => {
    const open = window.open.bind(window);
    const focus = () => document.body.append('(to the front)');
    const noted = (popup: object, name: string) => (name === 'focus' ? focus : Reflect.get(popup, name));
    window.open = (...args) => {
      const popup = open(...args);
      return popup && (new Proxy({}, { get: (_, name: string) => noted(popup, name) }) as Window);
    };
  });
  let requests = 0;
  const lateAnswer = Promise.withResolvers<void>();
  await page.route('**/api/auth?*', async (route) => {
    requests += 1;
    await lateAnswer.promise;
    await route.continue();
  });
  await page.goto('/login');
  const popup = await pressFor(page, 'Facebook');
  await button(page, 'Google').click();
  await expect(page.getByText('(to the front)')).toHaveCount(1);
  lateAnswer.resolve();
  await expect(popup).toHaveTitle('Facebook');
  await button(page, 'Facebook').click();
  await expect(page.getByText('(to the front)(to the front)')).toBeVisible();
  expect([requests, context.pages().length]).toEqual([1, 2]);
});

test('an unneeded window closes itself', async ({ page, context, withTwoStep, facebook }) => {
  const { email } = await withTwoStep();
  await waitsAtFacebook(context, facebook);
  await page.goto('/login');
  const popup = await pressFor(page, 'Facebook');
  await expect(popup).toHaveTitle('Facebook');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await Promise.all([popup.waitForEvent('close'), page.keyboard.press('Enter')]);
  await expect(code(page)).toBeFocused();
});

test('a person signed in by another tab is redirected, and nothing is linked', async ({ page, signUp }) => {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const checked = page.waitForResponse('**/api/ustat');
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await checked;
  await signUp();
  const popup = await pressFor(page, 'Facebook');
  await expect(home(page)).toBeVisible();
  await expect.poll(() => popup.isClosed()).toBe(true);
  expect(paths).not.toContain('/api/auth');
});

test('without windows, the page goes to the provider itself', async ({ page, context, facebook }) => {
  const destination = await facebookFounder(page, facebook);
  await blockPopups(page);
  await page.goto(`/login?redirectpath=${encodeURIComponent(destination)}`);
  await button(page, 'Facebook').click();
  await page.waitForURL(`**${destination}`);
  expect(context.pages()).toHaveLength(1);
});

test('a provider may isolate its window', async ({ page, context, facebook }) => {
  const destination = await facebookFounder(page, facebook);
  await waitsAtFacebook(context, facebook, { 'cross-origin-opener-policy': 'same-origin' });
  await page.goto(`/login?redirectpath=${encodeURIComponent(destination)}`);
  const loadedAgain = page.waitForEvent('load');
  const popup = await pressFor(page, 'Facebook');
  // To the page the window looks closed.
  await loadedAgain;
  await expect(button(page, 'Facebook')).toBeEnabled();
  await goOnAtFacebook(popup);
  await popup.waitForURL(`**${destination}`);
});
