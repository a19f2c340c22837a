import type { Page } from '@playwright/test';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { expect, refuseOnce, signIn } from './fixtures.ts';
import { test } from './own-app.ts';
import { turnTwoStepOn } from './keyboard.ts';

// A current password has at least 8 characters: a shorter one shows a message beside its field, and nothing
// is sent.

const SHORT = 'sturdy ';
const message = 'Please use at least 8 characters.';

/** Types a password that is too short, and checks the message and that nothing is sent. */
async function refusesShortPassword(page: Page, label: string, path: string) {
  const requests: string[] = [];
  page.on('request', (request) => new URL(request.url()).pathname === path && requests.push(request.url()));
  const field = page.getByLabel(label, { exact: true }).last();
  await field.fill(SHORT);
  await field.press('Enter');
  await expect(page.getByText(message)).toBeVisible();
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(SHORT);
  expect(requests).toEqual([]);
}

test('a short password is refused at sign-in', async ({ page, app }) => {
  const maya = await founder(app);
  await page.goto('/login');
  await page.getByLabel('Email').fill(maya.email);
  await refusesShortPassword(page, 'Password', '/api/signin');
  await signIn(page, maya.email, PASSWORD);
  await page.waitForURL('**/myprofile');
});

test('a short current password costs no try, also in a step-up', async ({ page, app }) => {
  const maya = await founder(app);
  await page.context().addCookies([{ name: 'portico', value: maya.visitor.session ?? '', url: app.url }]);
  await page.goto(`/${maya.urlName}/myprofile`);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('New password', { exact: true }).fill('another arch 42');
  await page.getByLabel('Confirm new password').fill('another arch 42');
  await refusesShortPassword(page, 'Current password', '/api/changepassword');
  await refuseOnce(page, '/api/mfa', 403, { code: 'reauthentication_required', details: 'Is it you?' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  // The message from above would satisfy the next check.
  await expect(page.getByText(message)).toBeHidden();
  await turnTwoStepOn(page);
  await expect(page.getByRole('dialog', { name: 'Is it you?' })).toBeVisible();
  await refusesShortPassword(page, 'Password', '/api/reauthenticate');
});
