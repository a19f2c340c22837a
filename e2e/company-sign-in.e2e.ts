import { SOCIAL_CLIENT, startGoogle, type TestProvider } from '#server/testing/providers.ts';
import { setUpApp } from './authenticators.ts';
import { addRole } from './colleagues.ts';
import { foundCompany, test } from './company-fixtures.ts';
import { confirmedAt, expect, foundAt, judge, PASSWORD, refuseOnce, signOut } from './fixtures.ts';
import { choose, press, tabTo, type } from './keyboard.ts';

const OFFER = 'Continue with your company';

test('a company connects its provider: a test, a wrong secret, a colleague, a person with an account, and the rule', async ({
  page,
  portal,
  names,
  elsewhere,
}) => {
  const { domain, boss, urlName } = await foundCompany(page, portal, names);
  await addRole(page, 'Sales');
  await page.goto(`/${urlName}/organization/signin`);
  await expect(page.getByText('Switch a connection on first.')).toBeVisible();
  await press(page, 'Connect a provider');
  const redirectUrl = await page.getByLabel('Redirect URL', { exact: true }).inputValue();
  const provider: TestProvider = await startGoogle(redirectUrl);
  provider.person = { sub: 'maya', email: boss, email_verified: true };

  await press(page, /^Edit$/);
  await type(page, 'Issuer', 'https://login.microsoftonline.com/common/v2.0');
  await type(page, 'Client ID', SOCIAL_CLIENT.id);
  await type(page, 'Secret', 'wrong');
  await press(page, 'Save changes');
  await expect(page.getByText('This address serves every company.')).toBeVisible();
  await judge(page);
  await type(page, 'Issuer', provider.url);
  await choose(page, 'New colleagues', 'S', 'Sales');
  await press(page, 'Save changes');
  await expect(page.getByText('Connection saved')).toBeVisible();
  await press(page, /^Test$/);
  await expect(page.getByText('Your company could not sign you in')).toBeVisible();
  await page.goto(`/${urlName}/organization/signin`);
  await expect(page.getByText('The provider refused our secret.')).toBeVisible();
  await press(page, /^Edit$/);
  await type(page, 'Secret', SOCIAL_CLIENT.secret);
  await press(page, 'Save changes');
  await expect(page.getByText('Connection saved')).toBeVisible();
  await press(page, /^Test$/);
  await expect(page.getByText('The address is in a proven domain')).toBeVisible();
  await judge(page);
  await press(page, 'Switch on');
  await press(page, 'Switch on');
  await expect(page.getByText('Company sign-in is on')).toBeVisible();

  // A new colleague.
  const colleague = await elsewhere();
  const ann = `ann@${domain}`;
  provider.person = { sub: 'ann', email: ann, email_verified: true, given_name: 'Ann' };
  await colleague.goto('/login');
  await expect(colleague.getByRole('button', { name: OFFER })).toHaveCount(0);
  await type(colleague, 'Email', ann);
  await expect(colleague.getByRole('button', { name: OFFER })).toBeVisible();
  await judge(colleague);
  await colleague.getByRole('link', { name: 'Create a free account' }).click();
  await type(colleague, 'Email', ann);
  await expect(colleague.getByRole('button', { name: OFFER })).toBeVisible();
  await judge(colleague);
  await press(colleague, OFFER);
  await expect(colleague).toHaveURL(new RegExp(`/${urlName}/`));

  // She confirms a sensitive act at the company, too.
  await colleague.goto(`/${urlName}/myprofile`);
  await refuseOnce(colleague, '/api/mfa', 403, { code: 'reauthentication_required', details: 'Is it you?' });
  await press(colleague, 'Turn on two-step sign-in');
  await press(colleague, 'Turn on two-step sign-in');
  await expect(colleague.getByText('Your company asks you to sign in once more.')).toBeVisible();
  await expect(colleague.getByRole('button', { name: 'Get a code by email' })).toBeVisible();
  await judge(colleague);
  await press(colleague, 'Confirm with Northwind Traders');
  await expect(colleague.getByRole('dialog')).toHaveCount(0);
  await expect(colleague).toHaveURL(new RegExp(`/${urlName}/myprofile`));
  await press(colleague, 'Turn on two-step sign-in');
  await press(colleague, 'Turn on two-step sign-in');
  await expect(colleague.getByRole('status').getByText('Two-step sign-in is on')).toBeVisible();

  // A person with an account and an organization of their own, sent by the company's portal.
  const tom = await elsewhere();
  const address = await confirmedAt(portal, tom.request, `tom@${domain}`);
  const own = await foundAt(tom.request, 'Toms Bakery');
  provider.person = { sub: 'tom', email: address, email_verified: true };
  await signOut(tom);
  await tom.goto(`/login?company=${urlName}`);
  await press(tom, OFFER);
  await expect(tom).toHaveURL(/\/login\?redirectpath/);
  await type(tom, 'Email', address);
  await type(tom, 'Password', PASSWORD);
  await tom.keyboard.press('Enter');
  await expect(tom.getByRole('heading', { name: 'Link your account with Northwind Traders?' })).toBeVisible();
  await judge(tom);
  await press(tom, 'Link account');
  await expect(tom).toHaveURL(new RegExp(`/${urlName}/`));
  await signOut(tom);
  await tom.goto(`/login?company=${urlName}`);
  await press(tom, OFFER);
  await expect(tom).toHaveURL(new RegExp(`/${urlName}/`));
  await tom.goto(`/${urlName}/myprofile`);
  await expect(tom.getByText('You belong to 1 more organization.')).toBeVisible();
  await judge(tom);
  await tom.goto('/');
  await expect(tom).toHaveURL(new RegExp(`/${urlName}/`));
  await tom.goto(`/${own.OrgUrlName}/myapps`);
  await expect(tom.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
  await judge(tom);
  await press(tom, 'Confirm that it is you');
  await type(tom, 'Password', PASSWORD);
  await tom.keyboard.press('Enter');
  await expect(tom).toHaveURL(new RegExp(`/${own.OrgUrlName}/myapps`));

  // With two-step sign-in on, his own proof has two halves.
  const code = await setUpApp(tom.request);
  await signOut(tom);
  await tom.goto(`/login?company=${urlName}`);
  await press(tom, OFFER);
  await expect(tom).toHaveURL(new RegExp(`/${urlName}/`));
  await tom.goto(`/${own.OrgUrlName}/myapps`);
  await press(tom, 'Confirm that it is you');
  await type(tom, 'Password', PASSWORD);
  await tom.keyboard.press('Enter');
  await expect(tom.getByText('Now your second step.')).toBeVisible();
  await judge(tom);
  const waysIn = async () => (await tom.request.get('/api/waysin')).status();
  expect(await waysIn()).toBe(403);
  await type(tom, '6-digit code', code);
  await expect(tom.getByText('Now your second step.')).toHaveCount(0);
  await expect(tom).toHaveURL(new RegExp(`/${own.OrgUrlName}/myapps`));
  expect(await waysIn()).toBe(200);

  // The rule: all that comes first is in one list, and the choice outlasts the visit.
  await page.goto(`/${urlName}/organization/signin`);
  await choose(page, 'Must sign in through the company', 'P', 'People with our addresses');
  await expect(page.getByText('To do', { exact: true })).toHaveCount(2);
  await judge(page);
  await page.getByRole('link', { name: '1 of 3 members has not signed in through the company yet.' }).click();
  await expect(page.getByRole('row', { name: boss })).toBeVisible();
  await expect(page.getByRole('row', { name: ann })).toHaveCount(0);
  await judge(page);
  await setUpApp(page.request);
  await page.goto(`/${urlName}/organization/signin`);
  await expect(page.getByText('To do', { exact: true })).toHaveCount(1);
  provider.person = { sub: 'maya', email: boss, email_verified: true };
  await press(page, OFFER);
  await expect(page).toHaveURL(/\/account\/companylink/);
  await press(page, 'Link account');
  await expect(page).toHaveURL(new RegExp(`/${urlName}/organization/signin`));
  await expect(page.getByLabel('Must sign in through the company')).toHaveValue('addresses');
  await expect(page.getByText('Done', { exact: true })).toHaveCount(2);
  await tabTo(page, 'At once');
  await page.keyboard.press('Space');
  await press(page, 'Save changes');
  await press(page, 'Require it');
  await expect(page.getByText('Rule saved')).toBeVisible();
  await signOut(tom);
  await tom.goto('/login');
  await type(tom, 'Email', address);
  await expect(tom.getByLabel('Password', { exact: true })).toHaveCount(0);
  await judge(tom);
  await press(tom, 'Try another way');
  await type(tom, 'Password', PASSWORD);
  await tom.keyboard.press('Enter');
  await expect(tom.getByText('Northwind Traders asks you to sign in through your company.')).toBeVisible();
  await expect(tom.getByLabel('Password', { exact: true })).toHaveCount(0);
  await judge(tom);
  provider.person = { sub: 'tom', email: address, email_verified: true };
  await press(tom, OFFER);
  await expect(tom).toHaveURL(new RegExp(`/${urlName}/`));
  await provider.close();
});
