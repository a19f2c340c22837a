import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { otherCode, TYPED_CODE } from '#server/testing/people.ts';
import { expect, judge, PASSWORD, refuseOnce, signIn, signOut, test } from './fixtures.ts';
import { tabTo } from './keyboard.ts';

// The second step of signing in, and the step-up of sensitive acts.

const field = (page: Page) => page.getByRole('textbox', { name: /^\d-digit code$/ });

test('the code from the mail completes the sign-in, also after wrong ones', async ({
  page,
  context,
  portal,
  withTwoStep,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email } = await withTwoStep();
  await signIn(page, email);
  await expect(page.getByRole('heading', { level: 1, name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(/^We sent a \d-digit code to m•••@northwind\.example$/)).toBeVisible();
  await expect(page).toHaveTitle(`Check your email · ${PRODUCT_NAME}`);
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(field(page)).toHaveAttribute('inputmode', 'numeric');
  await field(page).pressSequentially('12');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('alert').getByText(/^Please enter the \d digits of the code\.$/)).toBeVisible();
  await expect(field(page)).toBeFocused();
  const code = await portal.mailedCode(email);
  await field(page).fill(otherCode(code));
  await expect(page.getByRole('alert').getByText('Invalid OTP')).toBeVisible();
  await expect(field(page)).toHaveAccessibleDescription('Invalid OTP');
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue('');
  const pasted = ` ${code.slice(0, 3)} - ${code.slice(3)} `;
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  // A complete code is sent without a press.
  await page.keyboard.press('ControlOrMeta+v');
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
});

test('a visit from another page shows the code form at once', async ({ page, portal, withTwoStep }) => {
  const { email } = await withTwoStep();
  await page.goto('/login?contact=Call+555-0100');
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  await page.request.post('/api/signin', { data: { email_id: email, password: PASSWORD, timezone: '' } });
  await page.goto('/login?contact=m•••@northwind.example');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(await portal.mailedCode(email));
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
});

test('a dead code leads back, and a locked account to the support page', async ({ page, withTwoStep }) => {
  const { email } = await withTwoStep();
  await signIn(page, email);
  await refuseOnce(page, '/api/verifyotp', 410, { code: 'otp_expired', details: 'No longer valid.' });
  await field(page).fill(TYPED_CODE);
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome back' })).toBeVisible();
  await expect(page.getByRole('alert').getByText('That code is no longer valid.')).toBeVisible();
  await expect(page).toHaveTitle(`Sign in · ${PRODUCT_NAME}`);
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('');

  await signIn(page, email);
  const locked = { code: 'account_is_disable', reason: 'restricted', until: '2999-01-01T00:00:00Z' };
  await refuseOnce(page, '/api/verifyotp', 403, { ...locked, details: 'Locked.' });
  await field(page).fill(TYPED_CODE);
  await page.waitForURL('**/support?reason=restricted&until=*');
});

test('the code is sent again once half a minute is over', async ({ page, portal, withTwoStep }) => {
  const { email } = await withTwoStep();
  await page.clock.install();
  await signIn(page, email);
  const again = page.getByRole('button', { name: 'Send it again' });
  const countdown = page.getByText(/Send it again in 0:\d\d/);
  await expect(countdown).toBeVisible();
  await expect(again).toBeDisabled();
  // The countdown has run in real time until here and may show any second.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  const secondsLeft = Number(/0:(\d\d)/.exec(await countdown.innerText())?.[1]);
  expect(secondsLeft).toBeLessThanOrEqual(30);
  await page.clock.runFor(6000);
  await expect(countdown).toContainText(`0:${String(secondsLeft - 6).padStart(2, '0')}`);
  await page.clock.runFor(24_000);
  await expect(again).toBeEnabled();
  await page.clock.resume();

  // Only the browser's clock has moved: the server still refuses and says how long to wait.
  const refused = page.waitForResponse('**/api/otp');
  await again.click();
  const wait = Number((await refused).headers()['retry-after']);
  expect(wait).toBeGreaterThan(10);
  expect(wait).toBeLessThanOrEqual(30);
  await expect(page.getByRole('alert').getByText(`You can try again in ${wait} seconds.`)).toBeVisible();
  await page.route('**/api/otp', (route) =>
    route.fulfill({ json: { success: true, response: { contact: 'm•••@northwind.example', wait_s: 30 } } }),
  );
  await again.click();
  await expect(page.getByRole('status').getByText('A new code is on its way.')).toBeVisible();
  await expect(again).toBeDisabled();
  await expect(countdown).toContainText(/0:(30|2\d)/);
  await field(page).fill(await portal.mailedCode(email));
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
});

test('the code page works by keyboard: back, again, the code', async ({ page, portal, withTwoStep }) => {
  const { email } = await withTwoStep();
  await page.goto('/login');
  const enter = async () => {
    await page.keyboard.type(email);
    await tabTo(page, 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(field(page)).toBeFocused();
  };
  await tabTo(page, 'Email');
  await enter();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByLabel('Remember this browser for 30 days')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');

  await enter();
  const code = await portal.mailedCode(email, 2);
  // A typo in the middle is corrected in place.
  await page.keyboard.type(`${code.slice(0, 2)}${otherCode(code)[5]}${code.slice(2, 4)}`);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('End');
  await page.keyboard.type(code.slice(4, 5));
  await expect(field(page)).toHaveValue(code.slice(0, 5));
  await page.keyboard.type(code.slice(5));
  await expect(page.getByRole('heading', { name: 'Here you go!' })).toBeVisible();
});

test('two-step sign-in is turned on and off on My Profile', async ({ page, portal, enter }) => {
  const { email, urlName } = await enter('myprofile');
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  const offer = page.getByRole('alertdialog', { name: 'Turn on two-step sign-in?' });
  await expect(offer).toContainText(`When you sign in, we email a code to ${email} and ask you for it.`);
  await judge(page);
  await offer.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await codes.getByRole('button', { name: 'Print' }).click();
  await page.keyboard.press('Escape');
  await expect(codes).toBeHidden();
  await expect(page.getByText('After your password we ask for a second step')).toBeVisible();

  await signOut(page);
  await signIn(page, email);
  await field(page).fill(await portal.mailedCode(email));
  await page.waitForURL(`**/${urlName}/myprofile`);
  const turnOff = page.getByRole('button', { name: 'Turn off two-step sign-in' });
  await turnOff.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Turn off two-step sign-in?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(turnOff).toBeFocused();
  await turnOff.click();
  await question.getByRole('button', { name: 'Turn off two-step sign-in' }).click();
  await expect(page.getByRole('status').getByText('Two-step sign-in is off')).toBeVisible();
});

const askForProof = (page: Page) =>
  refuseOnce(page, '/api/mfa', 403, { code: 'reauthentication_required', details: 'Confirm it is you.' });

test('a sensitive act asks for the password, then continues by itself', async ({ page, enter }) => {
  await enter('myprofile');
  const turnOn = page.getByRole('button', { name: 'Turn on two-step sign-in' });
  const act = page.getByRole('alertdialog').getByRole('button', { name: 'Turn on two-step sign-in' });
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });

  await askForProof(page);
  await turnOn.click();
  await act.click();
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  const stays = dialog.getByText('What you have filled in stays as it is.');
  await expect(stays).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(turnOn).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.getByLabel('First name').fill('Not saved yet');
  await askForProof(page);
  await turnOn.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Make recovery codes, too').uncheck();
  await act.press('Enter');
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(stays).toBeVisible();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Invalid crendentials')).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('status').getByText('Two-step sign-in is on')).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Not saved yet');
});
