import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { addPasskey, keepCodes, setUpApp, withAuthenticator } from './authenticators.ts';
import { expect, judge, PASSWORD, refuseOnce, signIn, signOut, test } from './fixtures.ts';
import { press } from './keyboard.ts';

// Passkeys, the authenticator app, recovery codes and remembered browsers, where their owner manages them.

const passkeys = (page: Page) => page.getByRole('list', { name: 'Your passkeys' }).getByRole('listitem');
/** The row of a way in. */
const way = (page: Page, name: string) =>
  page
    .locator('#ways-in')
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) });

test('a passkey is added, named, renamed and removed by keyboard', async ({ page, company }) => {
  const { urlName } = await company();
  const authenticator = await withAuthenticator(page);
  await page.goto(`/${urlName}/myprofile`);
  await expect(way(page, 'Passkeys')).toContainText('None');

  await authenticator.verifies(false);
  await press(page, 'Add a passkey');
  await expect(page.getByText('No passkey was made: you cancelled, or it took too long.')).toBeVisible();
  await authenticator.verifies(true);
  await press(page, 'Add a passkey');
  const naming = page.getByRole('dialog', { name: 'Your passkey is ready' });
  await expect(naming.getByLabel('Name')).toBeFocused();
  await judge(page);
  // One button: the name is kept or changed.
  await expect(naming.getByRole('button')).toHaveText(['Close', 'Save name']);
  await page.keyboard.type('My laptop');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Passkey added')).toBeVisible();
  await keepCodes(page);
  await press(page, 'Show passkeys');
  await expect(passkeys(page)).toHaveText([/My laptop.*On one device.*Added today, .*, not used yet/]);

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('already holds a passkey for your account')).toBeVisible();

  await press(page, 'Rename My laptop');
  await page.getByRole('dialog', { name: 'Rename this passkey' }).getByLabel('Name').fill('Old laptop');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Passkey renamed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rename Old laptop' })).toBeFocused();

  await press(page, 'Remove Old laptop');
  const question = page.getByRole('alertdialog', { name: 'Remove Old laptop?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await refuseOnce(page, '/api/passkeys', 403, { code: 'reauthentication_required', details: 'Is it you?' });
  await question.getByRole('button', { name: 'Remove passkey' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeVisible();
  // One dialog at a time.
  await expect(question).toBeHidden();
  await judge(page);
  await page.evaluate(() =>
    Object.assign(PublicKeyCredential, {
      signalAllAcceptedCredentials: (left: object) => Object.assign(globalThis, { left }),
    }),
  );
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as { left?: object }).left)).toMatchObject({
    rpId: 'localhost',
    allAcceptedCredentialIds: [],
  });
  await expect(way(page, 'Passkeys')).toContainText('None');
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused();
});

test('a step that must stay is locked, and a refused removal says why', async ({ page, company }) => {
  const { urlName } = await company();
  await withAuthenticator(page);
  await page.goto('/support');
  await addPasskey(page);
  await setUpApp(page.request);
  const locks = { passkey: 'last_way_in', app: 'second_step_needed', two_step: 'second_step_needed' };
  await page.route('**/api/waysin', async (route) => {
    const json = (await (await route.fetch()).json()) as { response: object };
    Object.assign(json.response, { locks, required_by: 'Lakeside Studio' });
    await route.fulfill({ json });
  });
  await page.goto(`/${urlName}/myprofile`);
  await page.getByRole('button', { name: 'Show passkeys' }).click();
  const remove = passkeys(page).getByRole('button', { name: /^Remove/ });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await expect(remove).toHaveAccessibleDescription('Your last way to sign in. Add another one to remove it.');
  await expect(
    page.getByRole('button', { name: 'Remove your authenticator app' }),
  ).toHaveAccessibleDescription(/^Lakeside Studio requires it\./);
  await expect(page.getByRole('button', { name: 'Turn off two-step sign-in' })).toHaveAccessibleDescription(
    'Lakeside Studio requires this, so it stays on.',
  );
  await judge(page);

  await page.unroute('**/api/waysin');
  await page.reload();
  await page.getByRole('button', { name: 'Show passkeys' }).click();
  await page.route('**/api/passkeys', (route) => {
    const error = { code: 'second_step_needed', details: 'An organization needs this passkey.' };
    return route.request().method() === 'DELETE'
      ? route.fulfill({ status: 409, json: { success: false, error } })
      : route.fallback();
  });
  await remove.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByText('An organization needs this passkey.')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(remove).toBeFocused();
});

test('an app is set up, shows recovery codes once, and is removed', async ({ page, context, enter }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter('myprofile');
  const codes = way(page, 'Recovery codes');
  await expect(codes.getByRole('button', { name: 'Make recovery codes' })).toHaveAccessibleDescription(
    /^Add a passkey, an authenticator app or two-step sign-in first\./,
  );

  await press(page, 'Set up an app');
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  const code = dialog.getByRole('textbox', { name: /digit code/ });
  await expect(code).toBeFocused();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toHaveJSProperty(
    'complete',
    true,
  );
  await judge(page);
  await dialog.getByRole('button', { name: 'Copy key' }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  await expect(dialog.getByText(secret.match(/.{4}/g)?.join(' ') ?? '')).toBeVisible();
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await code.fill(String((Number(totp.generate()) + 500_000) % 1_000_000).padStart(6, '0'));
  await expect(dialog.getByText('Invalid OTP')).toBeVisible();
  await expect(code).toBeFocused();
  await page.keyboard.type(totp.generate());

  const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
  const list = shown.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  await judge(page);
  // The digits submit themselves, so a hasty Enter comes late.
  await expect(shown.getByRole('button', { name: 'Copy' })).toBeFocused();
  const question = page.getByRole('alertdialog', { name: 'Close without keeping them?' });
  const crossAndBackdrop = [
    async () => page.keyboard.press('Escape'),
    async () => press(page, 'Close'),
    async () => page.mouse.click(5, 5),
  ];
  for (const leave of crossAndBackdrop) {
    await leave();
    await expect(question.getByRole('button', { name: 'Back to the codes' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
  }
  const first = (await list.first().textContent()) ?? '';
  const downloading = page.waitForEvent('download');
  await shown.getByRole('button', { name: 'Download' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^\w+-recovery-codes\.txt$/);
  expect(await readFile(await file.path(), 'utf8')).toContain(first);
  await shown.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(first);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  // On paper the dialog itself is invisible.
  await expect(page.getByText(/^Recovery codes of .* for /)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ways to sign in', includeHidden: true })).toBeHidden();
  await page.emulateMedia({ media: 'screen', colorScheme: null });
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toBeHidden();

  await expect(codes.getByText('10 of 10 left')).toBeVisible();
  await expect(way(page, 'Two-step sign-in').getByText('On', { exact: true })).toBeVisible();
  await expect(way(page, 'Authenticator app').getByText('Set up', { exact: true })).toBeVisible();

  await press(page, 'Make new codes');
  await page
    .getByRole('alertdialog', { name: 'Make new recovery codes?' })
    .getByText('Make new codes')
    .last()
    .click();
  await expect(list).toHaveCount(10);
  await expect(shown).not.toContainText(first);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await shown.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Your browser did not let us copy.')).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await question.getByRole('button', { name: 'Close' }).click();
  await expect(shown).toBeHidden();

  await page.getByRole('button', { name: 'Replace your authenticator app' }).click();
  await expect(dialog).toContainText('Your current app works until the new one is set up.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove your authenticator app' }).click();
  await page.getByRole('button', { name: 'Remove app' }).click();
  await expect(page.getByText('Authenticator app removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeFocused();
});

test('a remembered browser is listed with its place and forgotten', async ({ page, portal, enter }) => {
  const { email } = await enter('myprofile');
  await expect(way(page, 'Remembered browsers')).toContainText('None');
  expect((await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } })).ok()).toBe(true);
  await signOut(page);
  await signIn(page, email, PASSWORD);
  await page.getByLabel('Remember this browser for 30 days').check();
  await page.getByRole('textbox', { name: /digit code/ }).fill(await portal.mailedCode(email));
  // The page that was open last opens again.
  await expect(page).toHaveURL(/\/myprofile$/);
  await press(page, 'Show browsers');
  const list = page.getByRole('list', { name: 'Remembered browsers' });
  await expect(list.getByRole('listitem')).toHaveText([/Chrome On Linux.*This browser/]);
  await judge(page);
  await press(page, /^Forget Chrome On Linux/);
  await expect(page.getByText('Browser forgotten')).toBeVisible();
  await expect(way(page, 'Remembered browsers').first()).toContainText('None');
});
