import type { Page } from '@playwright/test';
import { registerApplication } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { mailedCode, mailedDigest } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { addPasskey, withAuthenticator } from './authenticators.ts';
import { requestOf, test } from './callback.ts';
import { expect, judge, newEmail, PASSWORD } from './fixtures.ts';
import { press, type } from './keyboard.ts';
import { title } from './own-app.ts';

// The pages between an application and the person who enters it, by keyboard.

async function signUp(page: Page) {
  const email = newEmail();
  const data = { emailId: email, password: PASSWORD, timezone: 'Europe/Stockholm' };
  expect((await page.request.post('/api/signup', { data })).ok()).toBe(true);
  return email;
}

async function confirmed(page: Page, app: TestApp) {
  const email = await signUp(page);
  const digest = await mailedDigest(app, email);
  expect((await page.request.post('/api/verifyemail', { data: { digest } })).ok()).toBe(true);
  return email;
}

async function signIn(page: Page, email: string) {
  await type(page, 'Email', email);
  await type(page, 'Password', PASSWORD);
  await page.keyboard.press('Enter');
}
const signOut = async (page: Page) =>
  expect((await page.request.delete('/api/logout', { data: {} })).ok()).toBe(true);

test('a signed-out person signs in or up, and reaches the application', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback);
  const expected = newEmail();
  await page.goto(address({ prompt: 'create', login_hint: expected }));
  await expect(page).toHaveURL(/\/signup\?redirectpath=[^&]+$/);
  const named = page.getByText('to continue to Sign');
  await expect(named).toBeVisible();
  await expect(page.getByText('From Portico')).toBeVisible();
  await judge(page);
  await expect(page.getByLabel('Email')).toHaveValue(expected);
  const email = await confirmed(page, app);
  expect((await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } })).ok()).toBe(true);
  await page.goto(address({ acr_values: '2', login_hint: email }));
  await expect(title(page, 'Sign requires a second step')).toBeVisible();
  await press(page, 'Sign in again');
  await expect(title(page, 'Welcome back')).toBeVisible();
  await expect(named).toBeVisible();
  expect((await page.request.get('/api/user')).ok()).toBe(true);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await type(page, 'Password', PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
  await expect(named).toBeVisible();
  await page.keyboard.type(await mailedCode(app, email));
  const answer = await callback.answer(page);
  expect(answer).toHaveProperty('code');
  expect(answer['state']).toBe('kept');
});

test('consent names application and person, and is asked for once', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback, { is_first_party: false });
  const email = await signUp(page);
  await page.goto(address());
  await expect(title(page, 'Allow Sign to use your account?')).toBeVisible();
  await expect(page.getByText('Not part of Portico')).toBeVisible();
  await expect(page.getByText('Runs on this device')).toBeVisible();
  await expect(page.getByText(`Signed in as ${email}`)).toBeVisible();
  await expect(page.getByText('see your email address')).toBeVisible();
  await judge(page);
  await press(page, 'Cancel');
  expect(await callback.answer(page)).toMatchObject({ error: 'access_denied', state: 'kept' });
  await page.goto(address());
  await press(page, 'Allow');
  expect(await callback.answer(page)).toHaveProperty('code');
  await page.goto(address());
  expect(await callback.answer(page)).toHaveProperty('code');
});

test('an organization is remembered, and chosen again once it closes', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback);
  const email = await confirmed(page, app);
  const person = { first_name: 'Maya', last_name: 'Lindqvist', country_name: 'Sweden' };
  for (const name of ['Northwind Traders', 'Southwind Traders']) {
    const data = { ...person, organaization_name: name };
    expect((await page.request.post('/api/orgs', { data })).ok()).toBe(true);
  }
  const scope = 'openid organization';
  await page.goto(address({ scope }));
  await expect(title(page, 'Which organization is this for?')).toBeVisible();
  await judge(page);
  await page.getByRole('radio', { name: 'Northwind Traders' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { checked: true })).toBeFocused();
  await page.getByLabel('Use it every time for Sign').press('Space');
  await press(page, 'Continue');
  expect(await callback.answer(page)).toHaveProperty('code');
  await page.goto(address({ scope }));
  expect(await callback.answer(page)).toHaveProperty('code');

  const rule = { second_step_rule: 'any', second_step_from: app.clock.now() } as const;
  const remembered = app.deps.sql.updateTable('organizations').set(rule);
  await remembered.where('name', '=', 'Southwind Traders').execute();
  await page.goto(address({ scope }));
  await expect(page.getByRole('radio', { name: /^Southwind Traders/ })).toBeDisabled();
  await judge(page);
  await press(page, 'Southwind Traders requires a second step');
  await press(page, 'Get codes by email');
  await expect(page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
  await page.keyboard.type(await mailedCode(app, email));
  await expect(page.getByRole('radio', { name: 'Southwind Traders' })).toBeEnabled();
  await press(page, 'Continue');
  expect(await callback.answer(page)).toHaveProperty('code');
});

test('another account can sign in after the first one signs out', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback);
  const other = await confirmed(page, app);
  await signOut(page);
  const email = await signUp(page);
  app.clock.forward(1000);
  await page.goto(address({ prompt: 'select_account' }));
  await expect(title(page, 'Which account is this for?')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await judge(page);
  await press(page, 'Use another account');
  await expect(title(page, 'Welcome back')).toBeVisible();
  await signIn(page, other);
  expect(await callback.answer(page)).toHaveProperty('code');
  app.clock.forward(1000);
  await app.deps.sql.updateTable('applications').set({ members_of: 0 }).execute();
  await page.goto(address());
  await expect(title(page, 'This account may not use Sign')).toBeVisible();
  await judge(page);
  await press(page, 'Back to Sign');
  expect(await callback.answer(page)).toMatchObject({ error: 'access_denied' });
});

test('a request for a fresh proof asks for the password', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback);
  await signUp(page);
  app.clock.forward(60_000);
  await page.goto(address({ prompt: 'login' }));
  await expect(title(page, 'Please confirm that it is you')).toBeVisible();
  await type(page, 'Password', 'another password');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page.getByText('Invalid crendentials')).toBeVisible();
  await judge(page);
  await type(page, 'Password', PASSWORD);
  await page.keyboard.press('Enter');
  expect(await callback.answer(page)).toHaveProperty('code');
});

test('a passkey or a mailed code proves a person again', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback);
  const email = await confirmed(page, app);
  await withAuthenticator(page);
  await page.goto('/account/myprofile');
  await addPasskey(page);
  const { sql } = app.deps;
  const ids = sql.selectFrom('users').select('id').where('email', '=', email);
  await sql.deleteFrom('passwords').where('user_id', 'in', ids).execute();
  app.clock.forward(60_000);
  await page.goto(address({ prompt: 'login' }));
  await page.getByRole('button', { name: 'Get a code by email' }).waitFor();
  await judge(page);
  await press(page, 'Continue with a passkey');
  expect(await callback.answer(page)).toHaveProperty('code');

  const byPassword = { methods: ['pwd' as const], second_step: null };
  await sql.updateTable('sessions').set(byPassword).execute();
  await page.goto(address({ acr_values: '2' }));
  await expect(title(page, 'Sign requires a second step')).toBeVisible();
  await judge(page);
  await press(page, 'Continue with a passkey');
  expect(await callback.answer(page)).toHaveProperty('code');

  app.clock.forward(60_000);
  await page.goto(address({ max_age: '1' }));
  await press(page, 'Get a code by email');
  await expect(page.getByLabel('6-digit code')).toBeFocused();
  await judge(page);
  await page.keyboard.type(await mailedCode(app, email));
  expect(await callback.answer(page)).toHaveProperty('code');
});

test('a person who signed in elsewhere sees the request again', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback, { is_first_party: false });
  await signUp(page);
  await page.goto(address());
  await expect(title(page, 'Allow Sign to use your account?')).toBeVisible();
  await signOut(page);
  const other = await signUp(page);
  await press(page, 'Allow');
  await expect(page.getByText(`Signed in as ${other}`)).toBeVisible();
  await expect(page).toHaveURL(/\/authorize\?request=/);
});

test('an organization’s application names its host to outsiders', async ({ page, app, callback }) => {
  const { orgId } = await company(app);
  const own = { org_id: orgId, is_first_party: false };
  const elsewhere = { ...callback, url: 'https://books.example/callback' };
  const address = await requestOf(app, elsewhere, own);
  await page.goto(address({ prompt: 'none' }));
  await expect(title(page, 'Sign could not sign you in here')).toBeVisible();
  await judge(page);
  const onward = page.getByRole('link', { name: 'Go on to books.example' });
  await expect(onward).toHaveAttribute('href', /^https:\/\/books\.example\/callback\?error=login_required/);
});

const failed = 'The request of this application cannot be answered';

test('a wrong request shows a reference that the log explains', async ({ page, app, callback }) => {
  const address = await requestOf(app, callback);
  await page.goto(address({ client_id: 'nobody' }));
  await expect(page.getByText(/No application with this client ID is registered/)).toBeVisible();
  await page.goto(address({ redirect_uri: 'https://elsewhere.example/' }));
  await expect(title(page, failed)).toBeVisible();
  await expect(page.getByText(/that it has not registered/)).toBeVisible();
  await judge(page);
  const reference = new URL(page.url()).searchParams.get('reference') ?? '';
  await expect(page.getByText(`Reference for developers: ${reference}.`)).toBeVisible();
  expect(app.logLines.join('')).toContain(`"reference":"${reference}"`);
});

test('the page shows no text from its address, and says what is missing', async ({ page }) => {
  await page.goto('/authorize?error=Call+us&detail=Call+us&reference=Call+us');
  await expect(title(page, failed)).toBeVisible();
  await expect(page.getByText('The request does not follow the rules for applications.')).toBeVisible();
  await expect(page.getByText(/Call us|Reference/)).toHaveCount(0);
  await page.goto('/authorize');
  await expect(title(page, 'No application has sent you here')).toBeVisible();
  for (const path of ['/authorize?request=gone', '/oidc/auth/gone']) {
    await page.goto(path);
    await expect(title(page, 'This sign-in has ended')).toBeVisible();
  }
  await judge(page);
});

test('an application’s sign-out needs consent; without one it works', async ({ page, app, callback }) => {
  const { clientId } = await registerApplication(app, {
    redirect_urls: [callback.url],
    signed_out_urls: [callback.url],
    is_first_party: false,
  });
  const back = { post_logout_redirect_uri: callback.url, state: 'kept' };
  const ask = `/oidc/logout?${new URLSearchParams({ client_id: clientId, ...back }).toString()}`;
  await signUp(page);
  await page.goto(ask);
  await expect(title(page, 'Sign out?')).toBeVisible();
  await judge(page);
  await press(page, 'Stay signed in');
  expect(await callback.answer(page)).toEqual({ state: 'kept' });
  expect((await page.request.get('/api/user')).ok()).toBe(true);
  // A quick person reaches the button in the moment in which it shows. The page must not take the focus back.
  await page.addInitScript(() => {
    const reach = () => document.querySelector<HTMLElement>('main button')?.focus();
    new MutationObserver(reach).observe(document, { childList: true, subtree: true });
  });
  await page.goto(ask);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeFocused();
  await page.keyboard.press('Enter');
  expect(await callback.answer(page)).toEqual({ state: 'kept' });
  expect((await page.request.get('/api/user')).status()).toBe(401);

  await signUp(page);
  await page.goto('/signout');
  await expect(page.getByText(/^No application asks for it any more/)).toBeVisible();
  await press(page, 'Sign out');
  await expect(title(page, 'You are signed out')).toBeVisible();
  expect((await page.request.get('/api/user')).status()).toBe(401);
  await judge(page);
});
