import type { Locator, Page } from '@playwright/test';
import { ALERT_SHOWN_MS } from '#contract/limits.ts';
import { addRole, invite, openMembers, row } from './colleagues.ts';
import { expect, test } from './fixtures.ts';

// Every form with stored values: Save can always be pressed; without a change it warns and sends nothing.

const warning = (page: Page) => page.getByRole('alert').filter({ hasText: 'No changes' });

/** Runs out the time of the alerts. */
const endAlerts = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getTiming().iterations === 1) animation.finish();
  });

/** Presses Save, and Enter in `field` if given, and checks the warning and that nothing is sent. */
async function saveUnchanged(page: Page, save: Locator, field?: Locator) {
  const requests: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()));
  await expect(save).toBeEnabled();
  await expect(save).not.toHaveAttribute('aria-disabled', 'true');
  const presses = [() => save.click(), ...(field ? [() => field.press('Enter')] : [])];
  for (const press of presses) {
    await press();
    await expect(warning(page)).toBeVisible();
    await endAlerts(page);
    await expect(warning(page)).toBeHidden();
  }
  expect(requests.filter((url) => !url.endsWith('/activesession'))).toEqual([]);
}

const form = (page: Page, title: string) =>
  page
    .locator('form, section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    .last();
const saveIn = (within: Locator) => within.getByRole('button', { name: 'Save changes' });

test('every unchanged form warns and sends nothing', async ({ page, company }) => {
  test.slow();
  // Onboarding accepts this name and the settings do not. Unchanged, it stays.
  const { urlName } = await company('Northwind 24');
  await page.request.put('/api/user', { data: { contact_number: '070-123 45 67' } });
  const roleId = await addRole(page, 'Sales');

  await page.goto(`/${urlName}/myprofile`);
  const profile = saveIn(page.locator('form')).first();
  const contact = saveIn(form(page, 'Contact information'));
  await saveUnchanged(page, profile, page.getByLabel('First name'));
  await saveUnchanged(page, contact, page.getByLabel('Phone'));
  // Surrounding spaces are no change.
  await page.getByLabel('Phone').fill(' 070-123 45 67 ');
  await page.getByLabel('Last name').fill('Lindqvist ');
  await saveUnchanged(page, profile);
  await saveUnchanged(page, contact);

  await page.goto(`/${urlName}/organization`);
  await saveUnchanged(page, saveIn(form(page, 'Application')), page.getByLabel('Application name'));
  const card = form(page, 'Organization information');
  await saveIn(card).click();
  await expect(
    card.getByText('This field is required.'),
    'of the size, which is not known yet',
  ).toBeVisible();
  await page.getByLabel('Number of employees').fill('12');
  await saveIn(card).click();
  await expect(page.getByText('Organization information updated')).toBeVisible();
  await saveUnchanged(page, saveIn(card), page.getByLabel('Website'));

  await page.goto(`/${urlName}/organization/role/${roleId}`);
  await saveUnchanged(page, page.getByRole('button', { name: 'Rename' }), page.getByLabel('Role name'));
  await saveUnchanged(page, page.getByRole('button', { name: 'Save changes' }));

  await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog');
  await saveUnchanged(page, edit.getByRole('button', { name: 'Save' }), edit.getByLabel('First name'));
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await row(page, 'Tom Berg').getByRole('button', { name: 'change the role' }).click();
  await saveUnchanged(page, page.getByRole('dialog').getByRole('button', { name: 'Assign role' }));
});

test('the time of an alert stands still under the pointer and while it has the focus', async ({
  page,
  company,
}) => {
  const { urlName } = await company();
  await page.goto(`/${urlName}/myprofile`);
  await saveIn(page.locator('form')).first().click();
  const line = warning(page).locator('xpath=..').locator('span').last();
  const time = () =>
    line.evaluate((element) => {
      const [animation] = element.getAnimations();
      return [animation?.playState, animation?.effect?.getTiming().duration];
    });
  await expect.poll(time).toEqual(['running', ALERT_SHOWN_MS]);
  await warning(page).hover();
  await expect.poll(time).toEqual(['paused', ALERT_SHOWN_MS]);
  await page.mouse.move(0, 0);
  await expect.poll(time).toEqual(['running', ALERT_SHOWN_MS]);
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await expect.poll(time).toEqual(['paused', ALERT_SHOWN_MS]);
  await page.locator('h1').first().focus();
  await endAlerts(page);
  await expect(warning(page)).toBeHidden();
});
