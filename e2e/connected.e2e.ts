import { expect, judge, test } from './fixtures.ts';

const PATH = '**/api/applications/connected';
const connected = (id: number, name: string) => ({
  id,
  name,
  icon: null,
  organization: id === 1 ? 'Northwind Traders' : null,
  is_first_party: id === 1 ? 1 : 0,
  is_own: id === 3 ? 1 : 0,
  scopes: ['openid', 'profile', 'email'],
  since: '2026-03-02T09:00:00.000Z',
  last_used: '2026-03-02T10:14:00.000Z',
});

test('connected applications are listed, and removed after a question', async ({ page, company }) => {
  const { urlName } = await company();
  let applications = [connected(1, 'Sign'), connected(2, 'Paperboat'), connected(3, 'Ledger')];
  await page.route(PATH, (route) => {
    if (route.request().method() === 'DELETE')
      applications = applications.filter(
        ({ id }) => id !== (route.request().postDataJSON() as { id: number }).id,
      );
    return route.fulfill({ json: { success: true, response: applications } });
  });
  await page.goto(`/${urlName}/myprofile`);
  const paperboat = page.getByRole('listitem').filter({ hasText: 'Paperboat' });
  await expect(paperboat).toContainText('From another provider');
  await expect(paperboat).toContainText(
    'It may see: that it is you, name, picture, time zone and language, email address',
  );
  await expect(page.getByRole('listitem').filter({ hasText: 'Ledger' })).toContainText(
    'It may see: that it is you, name and picture, email address',
  );
  await expect(
    page.getByRole('listitem').filter({ has: page.getByText('Sign', { exact: true }) }),
  ).toContainText('For Northwind Traders');
  await judge(page);

  await page.getByRole('button', { name: 'Remove access of Paperboat' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Remove access of Paperboat?' });
  await expect(question).toContainText('you are signed out of it');
  await judge(page);
  await page.keyboard.press('Escape');
  await expect(paperboat).toBeVisible();

  await page.getByRole('button', { name: 'Remove access of Paperboat' }).click();
  await question.getByRole('button', { name: 'Remove access' }).click();
  await expect(page.getByText('Paperboat can no longer use your account')).toBeVisible();
  await expect(paperboat).toBeHidden();
  await expect(page.getByRole('button', { name: 'Remove access of Sign' })).toBeVisible();
});
