import type { Page } from '@playwright/test';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { answerOf, setUpApp, withAuthenticator } from './authenticators.ts';
import { addRole, type Colleague, lookAgain, test } from './colleagues.ts';
import type { Portal } from './portal.ts';
import { expect, foundAt, judge, PASSWORD, signIn, signOut } from './fixtures.ts';
import { tabTo } from './keyboard.ts';

// An organization's rule for the second step of its members, and the offer of a passkey.

/** Sets the rule by calls, as a Super Admin with an app. */
async function setRule({ request }: Page, rule: 'any' | 'strong') {
  await setUpApp(request);
  type Init = { default_organizations: { Id: number } };
  const { default_organizations } = await answerOf<Init>(request.get('/api/init'));
  const data = { org_id: default_organizations.Id, rule };
  expect((await request.put('/api/orgs/secondstep', { data })).ok()).toBe(true);
}

/** Proves a member by a mailed code, as a first step needs. */
async function proveByMail({ page: { request }, email }: Colleague, portal: Portal) {
  await request.post('/api/reauthenticate/code', { data: {} });
  const data = { otp: await portal.mailedCode(email) };
  expect((await request.post('/api/reauthenticate', { data })).ok()).toBe(true);
}

const rule = (page: Page) =>
  page.locator('form').filter({ has: page.getByRole('heading', { name: 'Second step of members' }) });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const asking = (page: Page) => heading(page, 'Northwind Traders requires a second step');
const offer = (page: Page) => page.getByRole('dialog', { name: 'Sign in without a password next time?' });

test('a Super Admin sets the rule, and members hear of it', async ({ page, portal, company, colleague }) => {
  const { urlName } = await company();
  const tom = await colleague();
  await page.goto(`/${urlName}/organization`);
  await rule(page).getByLabel('Members need').selectOption('strong');
  await expect(rule(page).getByText('2 of 2 members do not meet this yet.')).toBeVisible();
  await rule(page).getByRole('button', { name: 'Save changes' }).click();
  const question = page.getByRole('alertdialog', { name: 'Require a second step?' });
  await expect(question).toContainText(/^.*From \d+ \w+ \d{4} on Northwind Traders opens only to members/);
  await judge(page);
  await question.getByRole('button', { name: 'Require it' }).click();
  await expect(rule(page).getByText('You do not meet this yourself yet')).toBeVisible();
  await expect(rule(page).getByRole('link', { name: 'Open My Profile' })).toBeVisible();
  await judge(page);

  await setUpApp(page.request);
  await page.goto(`/${urlName}/organization`);
  await rule(page).getByLabel('Members need').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(rule(page).getByText('1 of 2 members does not meet this yet.')).toBeVisible();
  await tabTo(page, 'Save changes');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Require it');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Second step of members updated')).toBeVisible();
  await expect(rule(page).getByText(/^Takes effect on \d+ \w+ \d{4}\. 1 of 2/)).toBeVisible();

  await tom.page.goto(`/${urlName}/organization`);
  const banner = tom.page.getByText(/^Northwind Traders requires a passkey or an authenticator app/);
  await expect(banner).toContainText(/from \d+ \w+ \d{4} on/);
  await expect(heading(tom.page, 'Organization')).toBeVisible();
  await expect(tom.page.getByRole('heading', { name: 'Roles' })).toBeVisible();
  await expect(rule(tom.page)).toHaveCount(0);
  await judge(tom.page);
  await tom.page.getByRole('link', { name: 'Set one up' }).click();
  await expect(heading(tom.page, 'My Profile')).toBeFocused();
  await proveByMail(tom, portal);
  await setUpApp(tom.page.request);
  await lookAgain(tom.page);
  await expect(banner).toHaveCount(0);
});

test('a day in the past is refused, and the rule can be lifted', async ({ page, company }) => {
  const { urlName } = await company();
  await setRule(page, 'any');
  // The browser's clock does not decide whether the rule applies.
  await page.clock.setFixedTime(Date.now() - 86_400_000);
  await page.goto(`/${urlName}/organization`);
  await expect(rule(page).getByLabel('At once')).toBeChecked();
  await expect(
    rule(page).getByText(/^In effect since \d+ \w+ \d{4}\. All members meet this\.$/),
  ).toBeVisible();
  await rule(page).getByLabel('At once').uncheck();
  await rule(page).getByLabel('From').fill('2020-01-01');
  await rule(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(rule(page).getByText('Please choose a day after today, or “At once”.')).toBeVisible();
  await rule(page).getByLabel('Members need').selectOption('none');
  await rule(page).getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Stop requiring it' }).click();
  await expect(page.getByText('Second step of members updated')).toBeVisible();
  await rule(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
});

test('a member is let in by a mailed code', async ({ page, portal, company, colleague }) => {
  const { urlName } = await company();
  await addRole(page, 'Guest');
  const tom = await colleague('Guest');
  await tom.page.goto(`/${urlName}/myapps`);
  await setRule(page, 'any');
  // The open page notices at its next refetch.
  await lookAgain(tom.page);
  await expect(asking(tom.page)).toBeVisible();
  await expect(tom.page).toHaveTitle(`Second step · ${PRODUCT_NAME}`);
  await judge(tom.page);
  await tabTo(tom.page, 'Set one up');
  await tom.page.keyboard.press('Enter');
  await expect(tom.page).toHaveURL(/\/account\/myprofile\?org=/);
  await expect(tom.page.getByText(/^Northwind Traders requires a second step\. Set one up/)).toBeVisible();
  await tom.page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await tom.page.getByRole('link', { name: 'Confirm with your second step' }).click();
  await expect(asking(tom.page)).toBeFocused();
  await judge(tom.page);
  await tom.page.getByRole('button', { name: 'Confirm and open Northwind Traders' }).click();
  await expect(tom.page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
  await judge(tom.page);
  await tom.page.keyboard.type(await portal.mailedCode(tom.email));
  // My Profile was the last page.
  await expect(tom.page).toHaveURL(new RegExp(`/${urlName}/myprofile$`));
  await expect(heading(tom.page, 'My Profile')).toBeVisible();
});

test('an organization opened by a new app waits', async ({ page, portal, company, colleague }) => {
  const { urlName } = await company();
  await addRole(page, 'Guest');
  const tom = await colleague('Guest');
  await setRule(page, 'strong');
  await tom.page.goto(`/${urlName}/myprofile`);
  await expect(asking(tom.page)).toBeVisible();
  await tom.page.getByRole('link', { name: 'Set one up' }).click();
  await expect(heading(tom.page, 'My Profile')).toBeVisible();
  await proveByMail(tom, portal);
  await setUpApp(tom.page.request);
  // The recovery codes of a new app are still on the screen, so the page stays.
  await lookAgain(tom.page);
  await expect(tom.page.getByText('Northwind Traders is open to you now.')).toBeVisible();
  await lookAgain(tom.page);
  await expect(tom.page).toHaveURL(/\/account\/myprofile\?org=/);
  await tom.page.getByRole('link', { name: 'Open Northwind Traders' }).click();
  await tom.page.waitForURL(`**/${urlName}/**`);
});

test('others stay open, and a closed one says what it asks', async ({ page, company, colleague }) => {
  const { urlName } = await company();
  await addRole(page, 'Guest');
  const tom = await colleague('Guest');
  const own = await foundAt(tom.page.request, 'Fabrikam');
  await setRule(page, 'any');
  await tom.page.goto(`/${own.OrgUrlName}/myapps`);
  await tom.page.getByRole('button', { name: /^Switch organization/ }).click();
  const switcher = tom.page.getByRole('dialog', { name: 'Switch organization' });
  await switcher.getByLabel('Organization').selectOption('Northwind Traders');
  await switcher.getByRole('button', { name: 'Switch' }).last().click();
  await expect(asking(tom.page)).toBeVisible();
  await judge(tom.page);
  await tom.page.getByRole('button', { name: 'Fabrikam', exact: true }).last().click();
  await tom.page.waitForURL(`**/${own.OrgUrlName}/**`);
  await tom.page.goto(`/${urlName}/organization`);
  await expect(asking(tom.page)).toBeVisible();
});

test('the offered passkey opens the organization', async ({ page, portal, company, colleague }) => {
  const { urlName } = await company();
  await addRole(page, 'Guest');
  const tom = await colleague('Guest');
  await setRule(page, 'strong');
  await signOut(tom.page);
  await withAuthenticator(tom.page);
  await signIn(tom.page, tom.email);
  await expect(offer(tom.page)).toBeVisible();
  await judge(tom.page);
  await tabTo(tom.page, 'Create a passkey');
  await tom.page.keyboard.press('Enter');
  const proof = tom.page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByRole('textbox').fill(await portal.mailedCode(tom.email));
  await expect(tom.page.getByText('Passkey added')).toBeVisible();
  await expect(offer(tom.page)).toHaveCount(0);
  await expect(heading(tom.page, 'Northwind Traders is open to you')).toBeVisible();
  await judge(tom.page);
  await tom.page.getByRole('button', { name: 'Open Northwind Traders' }).click();
  await tom.page.waitForURL(`**/${urlName}/**`);
});

test('a person who declines the offer of a passkey is not asked again', async ({ page, company }) => {
  const { email } = await company();
  await signOut(page);
  await withAuthenticator(page);
  await signIn(page, email);
  await expect(offer(page)).toBeVisible();
  const declined = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.keyboard.press('Escape');
  await declined;
  await expect(offer(page)).toHaveCount(0);
  await signOut(page);
  const answer = page.waitForResponse('**/api/passkeys/offer');
  await signIn(page, email);
  expect(await (await answer).json()).toMatchObject({ response: { is_open: 0 } });
  await expect(heading(page, 'My Profile')).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
});

test('no passkey is offered where it cannot be kept or none signed in', async ({ page, company }) => {
  const { email } = await company();
  let asked = 0;
  await page.route('**/api/passkeys/offer', (route) => {
    asked += 1;
    return route.continue();
  });
  await signOut(page);
  await signIn(page, email);
  await expect(heading(page, 'My Profile')).toBeVisible();
  await signOut(page);
  await withAuthenticator(page);
  await page.request.post('/api/signin', { data: { email_id: email, password: PASSWORD, timezone: '' } });
  await page.goto('/');
  await expect(heading(page, 'My Profile')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toBe(0);
});
