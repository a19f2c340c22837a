import type { Page } from '@playwright/test';
import { LANGUAGE_COOKIE } from '#contract/languages.ts';
import type { UserId } from '#contract/wire.ts';
import { founder, mailedCode, otherCode, PASSWORD, type Person } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { expect, judge } from './fixtures.ts';
import { forward, test, title } from './own-app.ts';

// Deleting an account: the page, the popup, the farewell, and the way back.

const DAY_MS = 86_400_000;

/** Opens the page in the person's browser. */
async function open(page: Page, { url }: TestApp, { visitor }: Person, urlName: string) {
  await page.context().addCookies([{ name: 'portico', value: visitor.session ?? '', url }]);
  await page.goto(`/${urlName}/deleteaccount`);
  await expect(title(page, 'Delete Account')).toBeVisible();
}
const act = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Delete account' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete your account?' });
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete account' });
const reason = (page: Page) => dialog(page).getByLabel('Why are you leaving?');
const password = (page: Page) => dialog(page).getByLabel('Password', { exact: true });
async function ask(page: Page) {
  await act(page).click();
  await expect(dialog(page)).toBeVisible();
}
test('a very long address wraps, and nothing leaves its card', async ({ page, app }) => {
  const maya = await founder(app);
  const email = `${'maximiliane.alexandra.von.hohenzollern'.repeat(2)}@northwind.example`;
  await page.route('**/api/init*', async (route) => {
    const json = (await (await route.fetch()).json()) as { response: { user_information: object } };
    Object.assign(json.response.user_information, { email });
    await route.fulfill({ json });
  });
  await open(page, app, maya, maya.urlName);
  const sentence = page.getByText(`The link we email to ${email}`);
  await expect(sentence).toBeVisible();
  await judge(page);
  await page.setViewportSize({ width: 320, height: 800 });
  const beyond = await sentence.evaluate((element) => {
    const card = element.closest('section')?.getBoundingClientRect();
    return element.getBoundingClientRect().right - (card?.right ?? 0);
  });
  expect(beyond).toBeLessThan(0);
});

test('deleting says what happens, refuses beside its fields, and ends in a farewell', async ({
  page,
  app,
}) => {
  const maya = await founder(app, 'Northwind Traders');
  await open(page, app, maya, maya.urlName);
  const main = page.getByRole('main');
  await expect(main).toContainText(`The link we email to ${maya.email} brings everything back`);
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Stockholm' });
  const day = format.format(app.clock.now().getTime() + 60 * DAY_MS);
  await expect(main.getByRole('heading', { name: `On ${day}` })).toBeVisible();
  await expect(main.getByRole('listitem').filter({ hasText: 'Northwind Traders' })).toContainText(
    'Goes with you',
  );
  await judge(page);
  await ask(page);
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(act(page)).toBeFocused();
  await ask(page);
  await confirm(page).click();
  await expect(reason(page)).toBeFocused();
  await expect(dialog(page).getByText('This field is required.')).toHaveCount(2);
  await reason(page).fill('"quoted"');
  await password(page).fill('wrong arch 99');
  await confirm(page).click();
  await expect(reason(page)).toHaveAttribute('aria-invalid', 'true');
  await reason(page).fill('I am moving on');
  await confirm(page).click();
  await expect(password(page)).toBeFocused();
  await expect(dialog(page)).toContainText('Invalid crendentials');
  await expect(reason(page)).toHaveValue('I am moving on');
  await dialog(page).getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await judge(page);

  await password(page).fill(PASSWORD);
  await confirm(page).click();
  await page.waitForURL('**/farewell?*');
  await expect(title(page, 'Goodbye, and thank you')).toBeVisible();
  await expect(page.getByText('60 days left')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('zone')).toBe('Europe/Stockholm');
  await expect(page.getByText(`It is erased on ${day}.`)).toBeVisible();
  await expect(page.getByText('The email we sent you holds a link')).toBeVisible();
  await judge(page);
  // The language of the browser stays, so that the farewell can be read.
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([LANGUAGE_COOKIE]);
  await page.goBack();
  await expect(page).not.toHaveURL(/deleteaccount$/);
});

test('without a password, a mailed code proves the person, once', async ({ page, app }) => {
  const maya = await founder(app);
  await app.deps.sql
    .deleteFrom('passwords')
    .where('user_id', '=', maya.id as UserId)
    .execute();
  await forward(page, app, 11 * 60_000);
  await open(page, app, maya, maya.urlName);
  await ask(page);
  await expect(password(page)).toHaveCount(0);
  await reason(page).fill('I am moving on');
  await confirm(page).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof.getByText(/We sent/)).toBeVisible();
  const code = await mailedCode(app, maya.email);
  await proof.getByLabel(/code/i).fill(otherCode(code));
  await expect(proof.getByText('Invalid OTP')).toBeVisible();
  await expect(proof.getByLabel(/code/i)).toHaveValue('');
  await expect(proof.getByLabel(/code/i)).toBeFocused();
  await page.keyboard.type(code);
  await page.waitForURL('**/farewell?*');
});
