import { expect, judge } from './fixtures.ts';
import { button, home, somebody, test } from './social.ts';

test('a person from Facebook gives an address, then a password', async ({ page, portal, facebook }) => {
  facebook.person = somebody();
  await page.goto('/login');
  await button(page, 'Facebook').click();
  await expect(home(page)).toBeVisible();
  const first = `ida.${process.pid}.${Date.now()}@northwind.example`;
  await page.getByLabel('Email').fill(first);
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.waitForURL('**/myprofile');
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeHidden();
  const linked = page.getByRole('listitem').filter({ hasText: 'Facebook' });
  await expect(linked).toContainText('Linked');
  const disconnect = linked.getByRole('button', { name: 'Disconnect Facebook' });
  await expect(disconnect).toHaveAccessibleDescription(
    'Your last way to sign in. Add another one to disconnect it.',
  );
  await expect(disconnect).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByText(`We emailed a link to ${first}.`)).toBeVisible();

  await expect.poll(() => portal.mailedLink(first)).toContain('/resetpassword');
  await page.goto(await portal.mailedLink(first));
  const password = 'a first sturdy arch';
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Repeat password').fill(password);
  await page.getByRole('button', { name: 'Update password' }).click();
  await page.waitForURL('**/login*');
  await page.getByLabel('Email').fill(first);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/myprofile');
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible();
});

test('a provider is linked from My Profile, and the page shows it', async ({ page, facebook, company }) => {
  const { urlName } = await company();
  facebook.person = somebody();
  await page.goto(`/${urlName}/myprofile`);
  const item = page.getByRole('listitem').filter({ hasText: 'Facebook' });
  await expect(item).toContainText('Not linked');
  await page.getByRole('button', { name: 'Connect Facebook' }).click();
  // The provider redirects back at once.
  await expect(page.getByRole('heading', { name: 'Link your account with Facebook?' })).toBeVisible();
  await expect(page.getByText('Ida Berg', { exact: true })).toBeVisible();
  await judge(page);
  await page.getByRole('button', { name: 'Link account' }).click();
  await expect(item.getByText('Linked', { exact: true })).toBeVisible();
  await page.waitForURL(`**/${urlName}/myprofile`);

  await page.getByRole('button', { name: 'Disconnect Facebook' }).click();
  const question = page.getByRole('alertdialog', { name: 'Disconnect Facebook?' });
  await expect(question).toContainText('Devices that are signed in stay signed in.');
  await judge(page);
  await question.getByRole('button', { name: 'Disconnect Facebook' }).click();
  await expect(page.getByText('Facebook is disconnected')).toBeVisible();
  await expect(item.getByText('Not linked')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect Facebook' })).toBeFocused();
});
