import { Secret, TOTP } from 'otpauth';
import { addPasskey, withAuthenticator, withoutAutofill } from './authenticators.ts';
import { expect, expectAccessible, PASSWORD, refuseOnce, signIn, signOut, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';

// Signing in with a passkey, and with second steps other than the mailed code.

test('a passkey signs in by its button and by keyboard, without an address', async ({ page, company }) => {
  await company();
  await withAuthenticator(page);
  await withoutAutofill(page);
  await page.goto('/support');
  await addPasskey(page);
  await signOut(page);
  await page.goto('/login');
  await expectAccessible(page);
  await tabTo(page, 'Sign in with a passkey');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/myprofile$/);
  await signOut(page);
  await page.goto('/login');
  await expect(
    page.getByRole('button', { name: 'Sign in with a passkey' }).getByText('Last used'),
  ).toBeVisible();
});

test('autofill offers the passkey at the first interaction', async ({ page, company }) => {
  await company();
  await withAuthenticator(page);
  await page.goto('/support');
  await addPasskey(page);
  await signOut(page);
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await refuseOnce(page, '/api/signin/passkey', 401, { code: 'passkey_invalid', details: 'Too late.' });
  const refused = page.waitForResponse((answer) => answer.status() === 401);
  await page.getByLabel('Email').press('ArrowDown');
  // The offer comes back.
  await refused;
  await expect(page).toHaveURL(/\/myprofile$/);
});

test('an authenticator that does not know its owner is refused', async ({ page, signUpConfirmed }) => {
  await signUpConfirmed();
  const authenticator = await withAuthenticator(page);
  await withoutAutofill(page);
  await page.goto('/support');
  await addPasskey(page);
  await signOut(page);
  await page.goto('/login');
  await authenticator.verifies(false);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('The passkey was not used');
  await expect(page).toHaveURL(/\/login$/);
});

test('after the password the strongest step comes first, and each works', async ({ page, company }) => {
  const { email } = await company();
  await withAuthenticator(page);
  await withoutAutofill(page);
  await page.goto('/support');
  await addPasskey(page);
  const begun = await page.request.post('/api/authenticator/setup', { data: {} });
  const { secret, setup } = ((await begun.json()) as { response: { secret: string; setup: string } })
    .response;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const added = await page.request.post('/api/authenticator', { data: { setup, code: totp.generate() } });
  expect(added.ok()).toBe(true);
  // The passkey brought the first ten.
  const made = await page.request.post('/api/recoverycodes', { data: {} });
  const { codes } = ((await made.json()) as { response: { codes: string[] } }).response;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const other = (name: string) => page.getByRole('button', { name }).click();

  await signOut(page);
  await signIn(page, email, PASSWORD);
  await expect(heading('Use your passkey')).toBeVisible();
  await expectAccessible(page);
  await other('Type a code from your authenticator app');
  await expect(heading('Open your authenticator app')).toBeVisible();
  await expectAccessible(page);
  await other('Get a code by email');
  await expect(heading('Check your email')).toBeVisible();
  await other('Type a recovery code');
  await page.keyboard.type('not a code');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Recovery code')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await page.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/myprofile$/);

  await signOut(page);
  await signIn(page, email, PASSWORD);
  await page.getByRole('button', { name: 'Continue with a passkey' }).press('Enter');
  await expect(page).toHaveURL(/\/myprofile$/);

  await signOut(page);
  await signIn(page, email, PASSWORD);
  await other('Type a code from your authenticator app');
  await page.getByLabel('Remember this browser for 30 days').check();
  // The setup used the code of its step, and the app accepts the next one already.
  await page
    .getByRole('textbox', { name: /digit code/ })
    .pressSequentially(totp.generate({ timestamp: Date.now() + 30_000 }));
  await expect(page).toHaveURL(/\/myprofile$/);

  await signOut(page);
  await signIn(page, email, PASSWORD);
  await expect(page).toHaveURL(/\/myprofile$/);
});
