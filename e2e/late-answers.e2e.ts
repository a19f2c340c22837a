import type { Page } from '@playwright/test';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import { invite, lookAgain, openMembers, organizationOf, row } from './colleagues.ts';
import { expect, newEmail, test } from './fixtures.ts';

// A late answer undoes nothing: neither saves and typing that happened meanwhile, nor later saves.

const firstSave = (page: Page) => page.getByRole('button', { name: 'Save changes' }).first();
const accountOf = (page: Page, name: string) =>
  page.getByRole('button', { name: `Account menu of ${name}`, exact: true });

/**
 * Lets the server handle the next such call at once, but delays its answer until `release`. `handled` resolves
 * when the call is handled.
 */
async function hold(page: Page, method: 'GET' | 'PUT' | 'DELETE', path: string, query = '') {
  const carriedOut = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const lateAnswer = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(
    ({ pathname, search }) => pathname === path && search.includes(query),
    async (route) => {
      if (isHeld || route.request().method() !== method) return route.fallback();
      isHeld = true;
      const response = await route.fetch();
      carriedOut.resolve();
      await free.promise;
      await route.fulfill({ response });
      lateAnswer.resolve();
    },
  );
  const release = async () => {
    free.resolve();
    await lateAnswer.promise;
    // Waits until the answer is drawn.
    await page.evaluate(() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn))));
  };
  return { handled: carriedOut.promise, release };
}

test('a save stays, even if an earlier look-up is answered after it', async ({ page, enter }) => {
  await enter('myprofile');
  await page.getByLabel('Last name').fill('Berg');
  const lookup = await hold(page, 'GET', '/api/init');
  // A press that returns the person to the window also starts a look-up.
  await lookAgain(page);
  await lookup.handled;
  await firstSave(page).click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await lookup.release();
  await expect(accountOf(page, 'Maya Berg')).toBeVisible();
});

test('text typed during a save stays, and can be saved in turn', async ({ page, enter }) => {
  await enter('myprofile');
  const first = page.getByLabel('First name');
  const last = page.getByLabel('Last name');
  const designation = page.getByLabel('Designation');
  await first.fill('Maja');
  await designation.fill(' Lead ');
  const saved = await hold(page, 'PUT', '/api/user');
  await firstSave(page).click();
  await saved.handled;
  await first.fill('Mai');
  await last.fill('Berg');
  await saved.release();
  await expect(accountOf(page, 'Maja Lindqvist')).toBeVisible();
  await expect(first).toHaveValue('Mai');
  await expect(last).toHaveValue('Berg');
  await expect(designation, 'what was sent is shown as it is stored').toHaveValue('Lead');
  await firstSave(page).click();
  await expect(accountOf(page, 'Mai Berg')).toBeVisible();
  await firstSave(page).click();
  await expect(page.getByText('No changes')).toBeVisible();
});

test('an answer updates only the fields that its call changed', async ({ page, company }) => {
  const { urlName } = await company();
  await page.request.put('/api/user', { data: { email: newEmail('next') } });
  await page.goto(`/${urlName}/myprofile`);
  const cancelled = await hold(page, 'DELETE', '/api/pendingemail');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await cancelled.handled;
  await page.getByLabel('Last name').fill('Berg');
  await firstSave(page).click();
  await expect(accountOf(page, 'Maya Berg')).toBeVisible();
  // Hold the next look-up, because it would correct a wrong name.
  await hold(page, 'GET', '/api/init');
  await cancelled.release();
  await expect(page.getByText('is cancelled')).toBeVisible();
  await expect(accountOf(page, 'Maya Berg')).toBeVisible();
});

test('a withdrawn invitation does not return with an earlier list', async ({ page, company }) => {
  const { urlName } = await company();
  await invite(page, 'Aiko Mori');
  await openMembers(page, urlName);
  const lookup = await hold(page, 'GET', '/api/orgusers', `limit=${MEMBERS_PAGE_MAX}`);
  await lookAgain(page);
  await lookup.handled;
  await row(page, 'Aiko Mori').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'Withdraw invitation' }).click();
  await expect(page.getByText('1 person', { exact: true })).toBeVisible();
  await lookup.release();
  await expect(row(page, 'Aiko Mori')).toHaveCount(0);
});

test('another admin’s value fills an empty field and removes its message', async ({ page, company }) => {
  const { urlName } = await company();
  const { orgId } = await organizationOf(page);
  await page.goto(`/${urlName}/organization`);
  const size = page.getByRole('textbox', { name: 'Number of employees' });
  await page.getByLabel('Description').fill('Timber');
  await page.locator('form', { has: size }).getByRole('button', { name: 'Save changes' }).click();
  await expect(size).toHaveAttribute('aria-invalid', 'true');
  await page.request.put('/api/orgs', { data: { org_id: orgId, employee_count: '50' } });
  await lookAgain(page);
  await expect(size).toHaveValue('50');
  await expect(size).not.toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Description')).toHaveValue('Timber');
});
