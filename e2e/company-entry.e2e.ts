import { companyWithProvider } from '#server/testing/company-provider.ts';
import { confirmed } from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { join } from '#server/testing/staff.ts';
import { requestOf, test } from './callback.ts';
import { expect, judge, PASSWORD } from './fixtures.ts';
import { press, type } from './keyboard.ts';

test('an application leads through the company, the profile shows its address as fixed, and a sign-out offers its own', async ({
  page,
  app,
  callback,
}) => {
  const company = await companyWithProvider(app);
  const { orgId, urlName, roleId, domain, provider } = company;
  const ann = await confirmed(app, `ann@${domain}`);
  await join(app, ann, orgId, roleId);
  await page.goto('/login');
  await type(page, 'Email', ann.email);
  await type(page, 'Password', PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/${urlName}/`));
  const rule = { company_rule: 'everybody', company_rule_from: app.clock.now() } as const;
  await updateRows(app, 'organizations', { id: orgId }, rule);
  provider.person = { sub: 'ann', email: ann.email };
  const request = await requestOf(app, callback, { is_for_everyone: true });
  await page.goto(request({ organization: urlName, scope: 'openid organization' }));
  const heading = 'Northwind Traders asks you to sign in through your company';
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await judge(page);
  await press(page, 'Continue with your company');
  const link = 'Link your account with Northwind Traders?';
  await expect(page.getByRole('heading', { name: link })).toBeVisible();
  await press(page, 'Link account');
  expect(Object.keys(await callback.answer(page))).toContain('code');

  await page.goto(`/${urlName}/myprofile`);
  await expect(page.getByText('Northwind Traders decides this address')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly', '');
  await judge(page);

  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  const alsoThere = page.getByRole('link', { name: 'Also sign out of Northwind Traders' });
  await expect(alsoThere).toBeVisible();
  await judge(page);
  await alsoThere.click();
  await page.waitForURL(`${provider.url}/session/end?**`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL('/login');
  await company.close();
});
