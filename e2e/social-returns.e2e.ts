import type { Locator } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { otherCode } from '#server/testing/people.ts';
import { expect, judge, lastAct, PASSWORD, refuseOnce, signIn, signOut } from './fixtures.ts';
import { tabTo } from './keyboard.ts';
import {
  button,
  code,
  facebookFounder,
  home,
  linkFacebook,
  pressFor,
  test,
  waitsAtFacebook,
} from './social.ts';

// Results of a social sign-in: a second step, a cancellation, messages of failure, and the badge of the last
// used provider.

test('the second step is on the page itself', async ({
  page,
  context,
  portal,
  signUpConfirmed,
  facebook,
}) => {
  const { email } = await signUpConfirmed();
  await linkFacebook(page, facebook);
  await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } });
  await signOut(page);
  await page.goto('/signup?redirectpath=%2Fonboarding%3Faction%3Dno_org%26redirect_url%3Dx');
  await button(page, 'Facebook').click();
  await expect(page.getByText(/^We sent a \d-digit code to m•••@northwind\.example$/)).toBeVisible();
  await expect.poll(() => context.pages().length).toBe(1);
  await expect(code(page)).toBeFocused();
  await page.keyboard.type(await portal.mailedCode(email));
  await page.waitForURL('**/onboarding?action=no_org&redirect_url=x');
});

test('after Back, a closed window asks for no code', async ({ page, context, facebook }) => {
  await page.goto('/login?redirectpath=%2Fnorthwind&contact=m•••@northwind.example');
  await page.getByRole('button', { name: 'Back' }).click();
  await waitsAtFacebook(context, facebook);
  const popup = await pressFor(page, 'Facebook');
  await expect(popup).toHaveTitle('Facebook');
  await Promise.all([page.waitForEvent('load'), popup.close()]);
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  expect(page.url()).toMatch(/\/login\?redirectpath=%2Fnorthwind$/);
});

test('a locked account leads to support', async ({ page, portal, signUpConfirmed, facebook }) => {
  const { email } = await signUpConfirmed();
  await linkFacebook(page, facebook);
  await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } });
  await signOut(page);
  for (const round of [1, 2]) {
    await page.request.post('/api/signin', { data: { email_id: email, password: PASSWORD, timezone: '' } });
    const otp = otherCode(await portal.mailedCode(email, round));
    for (let tries = 0; tries < 5; tries += 1)
      await page.request.post('/api/verifyotp', {
        data: { contact: 'm•••@northwind.example', otp, timezone: '' },
      });
  }
  await page.goto('/login');
  const popup = await pressFor(page, 'Facebook');
  await expect(popup.getByText('Your account is locked for a while.')).toBeVisible();
  await lastAct(popup, popup.getByRole('link', { name: 'What you can do' }).click());
  await page.waitForURL('**/support?reason=restricted&until=*');
});

test('a cancelled sign-in is confirmed, and returns', async ({ page, context, facebook }) => {
  await context.route(`${facebook.url}/dialog*`, (route) => {
    const request = new URL(route.request().url()).searchParams;
    const query = new URLSearchParams({
      error: 'access_denied',
      state: request.get('state') ?? '',
    }).toString();
    return route.fulfill({ status: 302, headers: { location: `${request.get('redirect_uri')}?${query}` } });
  });
  await page.goto('/signup');
  const popup = await pressFor(page, 'Facebook');
  await expect(popup.getByRole('heading', { level: 1, name: 'That did not work' })).toBeVisible();
  await expect(popup.getByText('You did not go on with Facebook, so nothing was changed.')).toBeVisible();
  await expect(popup).toHaveTitle(`That did not work · ${PRODUCT_NAME}`);
  await judge(popup);
  await tabTo(popup, 'Return to login');
  await Promise.all([page.waitForEvent('load'), lastAct(popup, popup.keyboard.down('Enter'))]);
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a refusal is shown on the page, and no window stays open', async ({ page, context }) => {
  await page.goto('/login');
  const details = 'Too many tries. Please wait a moment.';
  const error = { code: 'too_many_requests', details };
  await refuseOnce(page, '/api/auth?*', 429, error, { 'retry-after': '120' });
  await button(page, 'Facebook').click();
  await expect(page.getByRole('alert').getByText(`${details} You can try again in 2 minutes.`)).toBeVisible();
  await expect.poll(() => context.pages().length).toBe(1);

  await page.route('**/api/auth?*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await button(page, 'Google').click();
  await expect(page.getByRole('alert').getByText('Oops! Something went wrong')).toBeVisible();
  await expect.poll(() => context.pages().length).toBe(1);
});

test('the page says so when its remaining code does not load', async ({ page, context }) => {
  await page.route('**/social-popup-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto('/login');
  await button(page, 'Facebook').click();
  await expect(page.getByRole('alert').getByText('Oops! Something went wrong')).toBeVisible();
  await expect.poll(() => context.pages().length).toBe(1);
  await expect(button(page, 'Facebook')).toBeEnabled();
});

/** The badge sits on the top right edge of its button and does not touch the label. */
async function badgeOnEdge(button: Locator, label: string) {
  const { badge, whole, words } = await button.evaluate((element, wanted) => {
    const boxOf = (text: string) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()?.nodeValue !== text);
      const range = new Range();
      range.selectNode(texts.currentNode);
      return { words: range.getBoundingClientRect(), around: texts.currentNode.parentElement! };
    };
    return {
      badge: boxOf('Last used').around.getBoundingClientRect(),
      whole: element.getBoundingClientRect(),
      words: boxOf(wanted).words,
    };
  }, label);
  expect(badge.top).toBeLessThan(whole.top);
  expect(badge.right).toBeLessThan(whole.right);
  expect(badge.right).toBeGreaterThan(whole.right - 12);
  expect(badge.bottom <= words.top || badge.left >= words.right, 'the label can be read').toBe(true);
}

test('the last used provider is marked', async ({ page, signUpConfirmed, facebook }) => {
  const marked = (name: string) => page.getByRole('button', { name: `${name} Last used` });
  await page.goto('/login');
  await expect(page.getByText('Last used').filter({ visible: true })).toHaveCount(0);
  const places = () =>
    page.evaluate(() => [...document.querySelectorAll('button')].map((one) => one.getBoundingClientRect()));
  const before = await places();

  await facebookFounder(page, facebook);
  await page.goto('/login');
  await expect(marked('Facebook')).toBeVisible();
  expect(await places()).toEqual(before);
  await badgeOnEdge(marked('Facebook'), 'Facebook');
  await judge(page);

  const { email } = await signUpConfirmed();
  await signOut(page);
  await signIn(page, email);
  await expect(home(page)).toBeVisible();
  await signOut(page);
  await page.goto('/login');
  await expect(marked('Continue')).toBeVisible();
  await badgeOnEdge(marked('Continue'), 'Continue');
  await expect(page.getByText('Last used').filter({ visible: true })).toHaveCount(1);
  await page.goto('/signup');
  await expect(page.getByText('Last used').filter({ visible: true })).toHaveCount(0);
});
