import type { Page } from '@playwright/test';
import { expect, newEmail, signIn, test } from './fixtures.ts';

const card = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Contact information' }) });
const save = (page: Page) => card(page).getByRole('button', { name: 'Save changes' });
const email = (page: Page) => page.getByLabel('Email');
const phone = (page: Page) => page.getByLabel('Phone');

test('both fields are required, each has its rule, and only changes are sent', async ({ page, enter }) => {
  const { email: address } = await enter('myprofile');
  await expect(phone(page)).toHaveAttribute('required');
  await expect(email(page)).toHaveValue(address);
  await email(page).fill('');
  await save(page).click();
  await expect(card(page).getByText('This field is required.')).toHaveCount(2);
  await expect(email(page)).toBeFocused();
  await email(page).fill('maya');
  await phone(page).fill('call me');
  await save(page).click();
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible();
  await expect(page.getByText('Please use digits, spaces, + and - only.')).toBeVisible();

  await email(page).fill(address);
  await phone(page).fill('070-123 45 67');
  const saveRequest = page.waitForRequest('**/api/user');
  await save(page).click();
  expect(Object.keys((await saveRequest).postDataJSON() as object).toSorted()).toEqual([
    'contact_number',
    'org_id',
  ]);
  await expect(page.getByText('Contact information updated')).toBeVisible();
});

test('a new address waits for its link, which can be mailed again', async ({ page, portal, company }) => {
  const { urlName, email: former } = await company();
  const next = newEmail('next');
  await page.clock.install();
  await page.goto(`/${urlName}/myprofile`);
  await phone(page).fill('123');
  await email(page).fill(next);
  await save(page).click();
  await expect(page.getByText(`We emailed a link to ${next}.`)).toBeVisible();
  await expect(email(page)).toHaveValue(former);
  await expect(card(page)).toContainText(`${next} waits to be confirmed`);
  const again = card(page).getByRole('button', { name: /^Send again in 0:\d\d$/ });
  await expect(again).toHaveAttribute('aria-disabled', 'true');
  await page.clock.fastForward(31_000);
  await page.route('**/api/pendingemail/resend', (route) =>
    route.fulfill({ json: { success: true, response: { wait_s: 30 } } }),
  );
  await card(page).getByRole('button', { name: 'Send link again' }).click();
  await expect(page.getByText('A new link is on its way.')).toBeVisible();
  await expect(again).toBeVisible();

  await page.goto(await portal.mailedLink(next));
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(email(page)).toHaveValue(next);
  await expect(page.getByText('waits to be confirmed')).toBeHidden();
});

test('the change can be cancelled, and its link stops working', async ({ page, portal, company }) => {
  const { urlName, email: former } = await company();
  const next = newEmail('next');
  await page.request.put('/api/user', { data: { email: next } });
  const link = await portal.mailedLink(next);
  await page.goto(`/${urlName}/myprofile`);
  await card(page).getByRole('button', { name: 'Cancel change' }).press('Enter');
  await expect(page.getByText('The change of your address is cancelled')).toBeVisible();
  await expect(page.getByText('waits to be confirmed')).toBeHidden();
  await expect(email(page)).toBeFocused();
  await expect(email(page)).toHaveValue(former);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});

test('the former address can take the account back', async ({ page, portal, elsewhere, company }) => {
  const { urlName, email: former } = await company();
  const next = newEmail('next');
  await page.request.put('/api/user', { data: { email: next } });
  await page.goto(await portal.mailedLink(next));
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();

  const own = await elsewhere();
  await own.goto(await portal.mailedLink(former));
  await expect(own.getByRole('heading', { name: 'Keep your address?' })).toBeVisible();
  await own.getByRole('button', { name: 'Keep this address' }).click();
  await own.waitForURL('**/resetpassword');
  const password = 'only the owner has it';
  await own.getByLabel('New password').fill(password);
  await own.getByLabel('Repeat password').fill(password);
  await own.getByRole('button', { name: 'Update password' }).click();
  await own.waitForURL('**/login*');
  await signIn(own, former, password);
  await own.waitForURL('**/myprofile');
  await expect(own.getByLabel('Email')).toHaveValue(former);
  await page.goto(`/${urlName}/myprofile`);
  await page.waitForURL('**/login*');
});
