import { addPasskey, answerOf, keepCodes, setUpApp, withAuthenticator } from './authenticators.ts';
import { expect, judge, PASSWORD } from './fixtures.ts';
import { asking, heading, offer, proveByMail, rule, test } from './second-step-fixtures.ts';

// The ways back into an organization with a rule, for people who lost their second step.

test('the only Super Admin gets a second way back, and comes in with it after losing the first', async ({
  page,
  company,
  browser,
}) => {
  const { urlName, email } = await company();
  await withAuthenticator(page);
  await page.goto('/support');
  await addPasskey(page);
  // As if the codes had been used up.
  await page.route('**/api/orgs/secondstep?*', async (route) => {
    const json = (await (await route.fetch()).json()) as { response: object };
    Object.assign(json.response, { spare: 'none' });
    await route.fulfill({ json });
  });
  await page.goto(`/${urlName}/organization`);
  await rule(page).getByLabel('Members need').selectOption('strong');
  await expect(rule(page).getByText('You need a second way back in first')).toBeVisible();
  await judge(page);
  await page.unroute('**/api/orgs/secondstep?*');
  await rule(page).getByRole('button', { name: 'Make recovery codes' }).click();
  const code = await keepCodes(page);
  await rule(page).getByLabel('At once').check();
  await rule(page).getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Require it' }).click();
  await expect(page.getByText('Second step of members updated')).toBeVisible();

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(`/${urlName}/organization`);
  await elsewhere.getByLabel('Email').fill(email);
  await elsewhere.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await elsewhere.keyboard.press('Enter');
  await expect(asking(elsewhere)).toBeVisible();
  await elsewhere.getByText('None of these works?').click();
  await expect(elsewhere.getByRole('link', { name: 'Write to Support' })).toBeVisible();
  // Nobody else could free her from the rule.
  await expect(elsewhere.getByText(/Ask a Super Admin|ask a Super Admin/)).toHaveCount(0);
  await judge(elsewhere);
  await elsewhere.getByRole('button', { name: 'Type a recovery code' }).click();
  const proof = elsewhere.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByLabel('Recovery code').fill('00000-00000');
  await elsewhere.keyboard.press('Enter');
  await expect(proof.getByText('This recovery code is wrong, or it was used already.')).toBeVisible();
  await judge(elsewhere);
  await proof.getByLabel('Recovery code').fill(code);
  await elsewhere.keyboard.press('Enter');
  await expect(heading(elsewhere, 'Organization')).toBeVisible();
  await expect(elsewhere.getByText('You used a recovery code; 9 are left.')).toBeVisible();
  await judge(elsewhere);
  await elsewhere.getByRole('link', { name: 'Replace it' }).click();
  await expect(elsewhere.getByText(`but not Northwind Traders.`)).toBeVisible();
  await elsewhere.context().close();
});

test('a member who lost the app comes in with a recovery code after a mailed code', async ({
  portal,
  guest,
  elsewhere,
}) => {
  const { urlName, tom } = await guest('strong');
  await proveByMail(tom, portal);
  await setUpApp(tom.page.request);
  const made = answerOf<{ codes: string[] }>(tom.page.request.post('/api/recoverycodes', { data: {} }));
  const [code = ''] = (await made).codes;

  const other = await elsewhere();
  await other.goto(`/${urlName}/signindevices`);
  await other.getByLabel('Email').fill(tom.email);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Get a code by email' }).click();
  await other.getByRole('textbox', { name: /digit code/ }).fill(await portal.mailedCode(tom.email, 2));
  await expect(asking(other)).toBeVisible();
  await expect(offer(other)).toHaveCount(0);
  await other.getByText('None of these works?').click();
  await expect(other.getByRole('link', { name: 'Write to Support' })).toBeVisible();
  await expect(other.getByText(/ask a Super Admin of Northwind Traders/)).toBeVisible();
  await judge(other);
  await other.getByRole('button', { name: 'Type a recovery code' }).click();
  const proof = other.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByLabel('Recovery code').fill(code);
  await other.keyboard.press('Enter');
  await expect(other).toHaveURL(new RegExp(`/${urlName}/signindevices$`));
  await expect(other.getByText('You used a recovery code; 9 are left.')).toBeVisible();
  await other.getByRole('link', { name: 'Replace it' }).click();
  await expect(other.getByRole('button', { name: 'Replace your authenticator app' })).toBeVisible();
});
