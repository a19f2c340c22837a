import { Secret, TOTP } from 'otpauth';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { answerOf, keepCodes, setUpApp, withAuthenticator } from './authenticators.ts';
import { lookAgain } from './colleagues.ts';
import { expect, foundAt, judge, PASSWORD, signOut } from './fixtures.ts';
import { press, tabTo } from './keyboard.ts';
import { asking, heading, offer, proveByMail, rule, setRule, test } from './second-step-fixtures.ts';

// An organization's rule for the second step of its members.

test('a Super Admin sets the rule, and members hear of it', async ({ page, portal, company, colleague }) => {
  const { urlName } = await company();
  const tom = await colleague();
  await page.goto(`/${urlName}/organization`);
  await withAuthenticator(page);
  await rule(page).getByLabel('Members need').selectOption('strong');
  await expect(rule(page).getByText('You do not meet this yourself yet')).toBeVisible();
  await expect(rule(page).getByRole('button', { name: 'Get codes by email' })).toHaveCount(0);
  await judge(page);
  await rule(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(rule(page).getByRole('button', { name: 'Add a passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await keepCodes(page);
  await expect(rule(page).getByText('You do not meet this yourself yet')).toHaveCount(0);
  await expect(rule(page).getByLabel('Members need')).toHaveValue('strong');

  await rule(page).getByRole('link', { name: '1 of 2 members does not meet this yet.' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Members', exact: true })).toBeFocused();
  const members = page.locator('#members');
  await expect(members.getByText('1 person found')).toBeVisible();
  await expect(members.getByRole('row').nth(1)).toContainText(tom.email);
  await expect(members.getByLabel('Status')).toHaveValue('strong');
  await judge(page);
  await page.goBack();
  await expect(members.getByLabel('Status')).toHaveValue('');

  await rule(page).getByLabel('At once').check();
  await rule(page).getByRole('button', { name: 'Lock out 1 of 2 members' }).click();
  const question = page.getByRole('alertdialog', { name: 'Require a second step?' });
  await expect(question.getByRole('button', { name: 'Lock out 1 of 2 members' })).toBeVisible();
  await judge(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await rule(page).getByLabel('At once').uncheck();
  await tabTo(page, 'Save changes');
  await page.keyboard.press('Enter');
  await expect(question).toContainText(/^.*From \d+ \w+ \d{4} on, Northwind Traders opens only to members/);
  await tabTo(page, 'Require it');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Second step of members updated')).toBeVisible();
  await expect(rule(page).getByText(/^Takes effect on \d+ \w+ \d{4}\. 1 of 2/)).toBeVisible();

  await tom.page.goto(`/${urlName}/organization`);
  const banner = tom.page.getByText(/^Northwind Traders requires a passkey or an authenticator app/);
  await expect(banner).toContainText(/from \d+ \w+ \d{4} on/);
  await expect(tom.page.getByRole('heading', { name: 'Roles' })).toBeVisible();
  await expect(rule(tom.page)).toHaveCount(0);
  await judge(tom.page);
  await withAuthenticator(tom.page);
  await tom.page.getByRole('link', { name: 'Set one up' }).click();
  await expect(heading(tom.page, /^Northwind Traders requires a second step from \d+/)).toBeFocused();
  await judge(tom.page);
  const add = tom.page.getByRole('button', { name: 'Add a passkey' });
  await add.click();
  await expect(tom.page.getByText('We sent a 6-digit code')).toBeVisible();
  await tom.page.getByRole('button', { name: 'Cancel' }).click();
  // No second code is mailed so soon, and the first one still works.
  await add.click();
  await tom.page.getByRole('textbox').fill(await portal.mailedCode(tom.email));
  await keepCodes(tom.page);
  await expect(heading(tom.page, 'Organization')).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('codes by mail that a Super Admin turns on count from the next sign-in', async ({ page, company }) => {
  const { urlName } = await company();
  await page.goto(`/${urlName}/organization`);
  await rule(page).getByLabel('Members need').selectOption('any');
  await rule(page).getByRole('button', { name: 'Get codes by email' }).click();
  await rule(page).getByRole('button', { name: 'Confirm with your second step' }).click();
  await expect(page.getByText('To confirm it is you, sign out and in again.')).toBeVisible();
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

test('a member is let in by a mailed code', async ({ page, portal, guest }) => {
  const { urlName, tom } = await guest();
  await tom.page.goto(`/${urlName}/myapps`);
  await setRule(page, 'any');
  // The open page notices at its next refetch.
  await lookAgain(tom.page);
  await expect(asking(tom.page)).toBeVisible();
  await expect(tom.page).toHaveTitle(`Second step · ${PRODUCT_NAME}`);
  await judge(tom.page);
  await tabTo(tom.page, 'Get codes by email');
  await tom.page.keyboard.press('Enter');
  await expect(tom.page.getByRole('textbox', { name: /^\d-digit code$/ })).toBeFocused();
  await judge(tom.page);
  await tom.page.keyboard.type(await portal.mailedCode(tom.email));
  await expect(tom.page).toHaveURL(new RegExp(`/${urlName}/myapps$`));
  // The next sign-in asks for it, too.
  expect(await answerOf(tom.page.request.get('/api/mfa'))).toEqual({ mfa_enabled: 1 });
});

test('before its day, a member gets ready without a mailed code', async ({ guest }) => {
  const { urlName, tom } = await guest('any', new Date(Date.now() + 7 * 86_400_000));
  await tom.page.goto(`/${urlName}/signindevices`);
  await tom.page.getByRole('link', { name: 'Set one up' }).click();
  await press(tom.page, 'Get codes by email');
  await expect(tom.page).toHaveURL(new RegExp(`/${urlName}/signindevices$`));
  await expect(tom.page.getByText(/requires a second step/)).toHaveCount(0);
});

test('an app that is set up on the page shows its codes, then goes on', async ({ portal, guest }) => {
  const { urlName, tom } = await guest('strong');
  await tom.page.goto(`/${urlName}/signindevices`);
  await press(tom.page, 'Set up an authenticator app');
  await tom.page.getByRole('textbox').fill(await portal.mailedCode(tom.email));
  const setUp = tom.page.getByRole('dialog', { name: 'Set up an authenticator app' });
  const key = (await setUp.getByLabel('Key').first().textContent()) ?? '';
  const secret = Secret.fromBase32(key.replaceAll(' ', ''));
  await setUp.getByRole('textbox').fill(new TOTP({ secret }).generate());
  const codes = tom.page.getByRole('dialog', { name: 'Your recovery codes' });
  const saving = tom.page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Download' }).click();
  await saving;
  await expect(tom.page).toHaveURL(/\/account\/secondstep/);
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(tom.page).toHaveURL(new RegExp(`/${urlName}/signindevices$`));
});

test('an organization opened by a new app waits', async ({ portal, guest }) => {
  const { urlName, tom } = await guest('strong');
  await tom.page.goto(`/${urlName}/myprofile`);
  await expect(asking(tom.page)).toBeVisible();
  await tom.page.goto('/account/myprofile');
  await expect(tom.page.getByText(/requires a passkey or an authenticator app\. Set one up/)).toBeVisible();
  await proveByMail(tom, portal);
  await setUpApp(tom.page.request);
  // The recovery codes of a new app may be on the screen, so the page stays.
  await lookAgain(tom.page);
  await expect(tom.page.getByText('Northwind Traders is open to you now.')).toBeVisible();
  await lookAgain(tom.page);
  await expect(tom.page).toHaveURL(/\/account\/myprofile$/);
  await tom.page.getByRole('link', { name: 'Open Northwind Traders' }).click();
  await tom.page.waitForURL(`**/${urlName}/**`);
});

test('others stay open, and a closed one says what it asks', async ({ page, guest }) => {
  const { urlName, tom } = await guest();
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

test('a passkey that is added on the page opens what the person asked for', async ({ portal, guest }) => {
  const { urlName, tom } = await guest('strong');
  await signOut(tom.page);
  await withAuthenticator(tom.page);
  await tom.page.goto(`/${urlName}/signindevices`);
  await tom.page.getByLabel('Email').fill(tom.email);
  await tom.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tom.page.keyboard.press('Enter');
  await expect(asking(tom.page)).toBeVisible();
  await press(tom.page, 'Add a passkey');
  await expect(offer(tom.page)).toHaveCount(0);
  const proof = tom.page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof).not.toContainText('filled in');
  await proof.getByRole('textbox').fill(await portal.mailedCode(tom.email));
  await keepCodes(tom.page);
  await expect(tom.page).toHaveURL(new RegExp(`/${urlName}/signindevices$`));
});
