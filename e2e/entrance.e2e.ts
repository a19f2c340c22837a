import type { Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, signIn, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';

// The forms of sign-in and sign-up: their display, the parameters they pass on, and that each sends once.

const password = (page: Page) => page.getByLabel('Password', { exact: true });

/** Holds the requests of a call or page and counts them; `release` lets them through. */
async function holdCall(page: Page, path: string) {
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const requests: string[] = [];
  const isAsked = (url: URL) => url.pathname === path;
  await page.route(isAsked, async (route) => {
    requests.push(route.request().method());
    await gate;
    await route.continue();
  });
  return { requests, release };
}

test('a password can be shown and hidden, also by keyboard', async ({ page }) => {
  await page.goto('/login');
  await password(page).fill(PASSWORD);
  await expect(password(page)).toHaveAttribute('type', 'password');
  await tabTo(page, 'Show password');
  await page.keyboard.press('Space');
  await expect(password(page)).toHaveAttribute('type', 'text');
  await expect(password(page)).toHaveValue(PASSWORD);
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'password');
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
});

const sendsOnce = [
  { path: '/login', call: '/api/signin', submit: 'Continue' },
  { path: '/signup', call: '/api/signup', submit: 'Create my free account' },
  { path: '/forgotpassword', call: '/api/forgotpassword', submit: 'Send me a link' },
  {
    path: `/restoreaccount?digest=${'a'.repeat(43)}`,
    call: '/api/restoreaccount',
    submit: 'Restore my account',
  },
];
test('each form sends once, however often it is pressed', async ({ context }) => {
  for (const { path, call, submit } of sendsOnce) {
    await context.clearCookies();
    // A page of its own, because the page before may still go on somewhere.
    const page = await context.newPage();
    await page.goto(path);
    const email = page.getByLabel('Email');
    const hasEmail = (await email.count()) > 0;
    if (hasEmail) await email.fill(newEmail());
    if ((await password(page).count()) > 0) await password(page).fill(PASSWORD);
    const { requests, release } = await holdCall(page, call);
    const button = page.getByRole('button', { name: submit });
    await button.dblclick();
    await expect(button, path).toHaveAttribute('aria-busy', 'true');
    if (hasEmail) await email.press('Enter');
    await button.click({ force: true });
    const answer = page.waitForResponse(`**${call}`);
    release();
    await answer;
    expect(requests, path).toEqual(['POST']);
    await page.close();
  }
});

test('sign-in stays locked between the answer and the next page', async ({ page, company }) => {
  const { email } = await company();
  await page.request.delete('/api/logout', { data: {} });
  const signIns = await holdCall(page, '/api/signin');
  signIns.release();
  const next = await holdCall(page, '/');
  const answer = page.waitForResponse('**/api/signin');
  await signIn(page, email);
  await answer;
  await expect.poll(() => next.requests).toEqual(['GET']);
  await page.keyboard.press('Enter');
  next.release();
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  expect(signIns.requests).toEqual(['POST']);
});

test('a taken address is shown beside its field, with a link to sign in', async ({ page, signUp }) => {
  const { email } = await signUp();
  await page.request.delete('/api/logout', { data: {} });
  await page.goto('/signup?source=zoho');
  await page.getByLabel('Email').fill(email.toUpperCase());
  await password(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my free account' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email Id already exits');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByRole('alert').getByText('Email Id already exits')).toBeVisible();
  await expect(page.getByText('Were you invited? Then a new link is on its way')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in instead' }).click();
  await page.waitForURL('**/login?source=zoho');
});

test('after a call without an answer everything can be sent again', async ({ page }) => {
  const email = newEmail();
  await page.route('**/api/signin', (route) => route.abort());
  await signIn(page, email);
  await expect(page.getByRole('alert').getByText('Oops! Something went wrong')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.unroute('**/api/signin');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert').getByText('The Email address or Password is wrong.')).toBeVisible();
});
