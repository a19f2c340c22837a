import { addRole, invite, join, names, openMembers, row, setStatus, table, test } from './colleagues.ts';
import { expect, expectAccessible, foundAt, judge, PASSWORD, refuseOnce, signIn } from './fixtures.ts';
import { choose, tabTo } from './keyboard.ts';

// The members' table: its rows, search and filters, and locked controls.

test('the table shows and counts the members', async ({ page, company, portal, request }) => {
  const { email, urlName } = await company();
  await addRole(page, 'Sales');
  const aiko = await invite(page, 'Aiko Mori', 'Sales', 'Account Executive');
  const jonas = await invite(page, 'Jonas Weber', 'Sales');
  const priya = await invite(page, 'Priya Nair');
  for (const person of [jonas, priya]) await join(portal, request, person);
  await setStatus(page, jonas, 'Sales', 3);
  await setStatus(page, priya, 'Admin', 4);
  await openMembers(page, urlName);

  await expect(page.getByText('4 people, 1 invitation waiting')).toBeVisible();
  await expect(row(page, 'Maya Lindqvist (you)')).toContainText(email);
  await expect(row(page, 'Maya Lindqvist (you)')).toContainText('Super Admin');
  await expect(row(page, 'Aiko Mori')).toContainText(aiko.email);
  await expect(row(page, 'Aiko Mori')).toContainText('Account Executive');
  await expect(row(page, 'Aiko Mori').getByText('Invited')).toBeVisible();
  await expect(row(page, 'Aiko Mori')).toContainText(/Expires \d+ \w+ 20\d\d/);
  await expect(row(page, 'Jonas Weber').getByText('Inactive')).toBeVisible();
  await expect(row(page, 'Priya Nair').getByText('Disabled')).toBeVisible();
  await judge(page);
});

test('search, filters and order run on the server, and stay in the address', async ({ page, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await invite(page, 'Tom Berg');
  await invite(page, 'Åsa Öberg', 'Sales');
  await invite(page, 'Jonas Weber', 'Sales');
  await openMembers(page, urlName);
  const everybody = ['Maya Lindqvist (you)', 'Tom Berg', 'Åsa Öberg', 'Jonas Weber'];
  await expect.poll(() => names(page)).toEqual(everybody);

  const search = page.getByRole('searchbox', { name: 'Search members' });
  await expect(search).toHaveAttribute('placeholder', 'Beginning of a name or email');
  await search.fill('ober');
  await expect(page.getByText('1 person found')).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['Åsa Öberg']);
  await expect(table(page).locator('mark')).toHaveText(['Öber']);
  await expectAccessible(page);
  // Any word of a name matches, and any part of an address.
  await search.fill('BERG tom');
  await expect.poll(() => names(page)).toEqual(['Tom Berg']);
  await expect(table(page).locator('mark').first()).toHaveText('Tom');
  await search.fill('@northwind.example');
  await expect.poll(() => names(page)).toEqual(everybody);
  await expect(table(page).locator('mark')).toHaveText(everybody.map(() => '@northwind.example'));
  await page.getByRole('searchbox').fill('zz');
  await expect(table(page).getByText('Nobody matches')).toBeVisible();
  await expectAccessible(page);
  await table(page).getByRole('button', { name: 'Clear filters' }).click();
  await expect(row(page, 'Tom Berg')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('');

  await page.getByRole('combobox', { name: 'Role' }).selectOption('Sales');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Invited');
  await expect(page.getByText('2 people found')).toBeVisible();
  const byName = table(page).getByRole('columnheader', { name: 'Name' });
  await byName.getByRole('button').click();
  await expect(byName).toHaveAttribute('aria-sort', 'ascending');
  await byName.getByRole('button').click();
  await expect(byName).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => names(page)).toEqual(['Jonas Weber', 'Åsa Öberg']);

  await expect(page).toHaveURL(/\?status=1&role=\d+&sort=name&order=descending$/);
  await page.reload();
  await expect(page.getByText('2 people found')).toBeVisible();
  await expect.poll(() => names(page)).toEqual(['Jonas Weber', 'Åsa Öberg']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect
    .poll(() => names(page))
    .toEqual(['Tom Berg', 'Maya Lindqvist (you)', 'Jonas Weber', 'Åsa Öberg']);
  await byName.getByRole('button').click();
  await expect(byName).toHaveAttribute('aria-sort', 'none');
  await expect.poll(() => names(page)).toEqual(everybody);
  expect(new URL(page.url()).search).toBe('');
});

test('while an answer is pending, only the final text is searched', async ({ page, company }) => {
  const { urlName } = await company();
  await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  const searches: (string | null)[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/orgusers?*search=*', async (route) => {
    searches.push(new URL(route.request().url()).searchParams.get('search'));
    await gate.promise;
    await route.continue();
  });
  await page.getByRole('searchbox').pressSequentially('tom');
  await expect.poll(() => searches).toEqual(['t']);
  gate.resolve();
  await expect(page.getByText('1 person found')).toBeVisible();
  await expect.poll(() => searches).toEqual(['t', 'tom']);
  await expect.poll(() => names(page)).toEqual(['Tom Berg']);
});

test('the last Super Admin sees beside each control why it is locked', async ({
  page,
  company,
  colleague,
}) => {
  const { urlName } = await company();
  await foundAt(page.request, 'Second Traders');
  const tom = await colleague();
  await openMembers(page, urlName);
  const why = 'This is the last active Super Admin';
  const remove = row(page, 'Maya Lindqvist').getByRole('button', { name: `Delete Maya Lindqvist: ${why}` });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await remove.click({ force: true });
  await expect(page.getByRole('status').filter({ hasText: why })).toBeVisible();
  await row(page, 'Maya Lindqvist').getByRole('button', { name: 'Edit Maya Lindqvist' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Maya Lindqvist' });
  for (const control of ['Role', 'Status']) {
    await expect(dialog.getByLabel(control)).toBeDisabled();
    await expect(dialog.getByLabel(control)).toHaveAccessibleDescription(new RegExp(`^${why}`));
  }
  await judge(page);
  // They may still change their own name.
  await dialog.getByLabel('First name').fill('Maja');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Member updated')).toBeVisible();
  await expect(row(page, 'Maja Lindqvist (you)')).toBeVisible();

  await page.getByRole('button', { name: /^Switch organization/ }).click();
  const leave = page.getByRole('button', { name: 'Leave Northwind Traders' });
  await expect(leave).toHaveAttribute('aria-disabled', 'true');
  await expect(leave).toHaveAccessibleDescription(/^You are its last active Super Admin/);
  await leave.click({ force: true });
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await judge(page);
  await page.keyboard.press('Escape');

  const main = page.getByRole('main');
  const deleting = main.getByRole('button', { name: 'Delete account' });
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await expect(main).toContainText('somebody else has to become Super Admin of Northwind Traders');
  await expect(deleting).toBeDisabled();
  await expect(deleting).toHaveAccessibleDescription(/somebody else has to become Super Admin/);
  await deleting.press('Enter');
  await expect(deleting).toBeFocused();
  await expect(page.getByRole('dialog')).toBeHidden();
  await judge(page);
  await page.getByRole('link', { name: 'To the members of Northwind Traders' }).click();
  await page.waitForURL(`**/${urlName}/organization`);
  await setStatus(page, tom, 'Super Admin', 2);
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await expect(main.getByRole('listitem').filter({ hasText: 'Northwind Traders' })).toContainText(
    'You leave',
  );
  await expect(deleting).toBeEnabled();
});

test('an Admin changes no Super Admin and deletes nobody', async ({ page, company, portal, request }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  const tom = await invite(page, 'Tom Berg', 'Admin');
  const priya = await invite(page, 'Priya Nair', 'Sales');
  for (const person of [tom, priya]) await join(portal, request, person);
  await setStatus(page, priya, 'Sales', 4);
  await page.context().clearCookies();
  await signIn(page, tom.email, PASSWORD);
  await page.waitForURL(`**/${urlName}/myprofile`);
  await openMembers(page, urlName);

  const above = row(page, 'Maya Lindqvist');
  await expect(above.getByRole('button', { name: /^Edit .*: Only a Super Admin can change/ })).toBeVisible();
  await expect(above.getByRole('button', { name: /change the role/ })).toHaveCount(0);
  for (const name of ['Maya Lindqvist', 'Priya Nair', 'Tom Berg'])
    await expect(
      row(page, name).getByRole('button', { name: `Delete ${name}: Only a Super Admin may delete users` }),
    ).toHaveAttribute('aria-disabled', 'true');

  await row(page, 'Priya Nair').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Priya Nair' });
  await expect(dialog.getByLabel('Status')).toBeDisabled();
  await expect(dialog.getByText('Disabled: only a Super Admin can lift it.')).toBeVisible();
  await expect(
    dialog
      .getByLabel('Role')
      .getByRole('option', { name: 'Super Admin (only a Super Admin can give it)', disabled: true }),
  ).toHaveCount(1);
  await page.keyboard.press('Escape');

  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit Tom Berg' }).click();
  const own = page.getByRole('dialog', { name: 'Edit Tom Berg' });
  await expect(own.getByText('Your own role is for somebody else to change.')).toBeVisible();
  await expect(own.getByText('Your own status is for somebody else to change.')).toBeVisible();
});

test('the table by keyboard: sort, narrow, edit, come back to the row', async ({ page, company }) => {
  const { urlName } = await company();
  await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await tabTo(page, 'Search members');
  await page.keyboard.type('to');
  await expect(page.getByText('1 person found')).toBeVisible();
  await choose(page, 'Status', 'Inv', 'Invited');
  await tabTo(page, 'Name');
  await page.keyboard.press('Enter');
  await expect(table(page).getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await tabTo(page, 'Edit Tom Berg');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Edit Tom Berg' })).toBeVisible();
  await tabTo(page, 'Designation');
  await page.keyboard.type('Finance Lead');
  await page.keyboard.press('Enter');
  await expect(row(page, 'Tom Berg')).toContainText('Finance Lead');
  await expect(page.getByRole('button', { name: 'Edit Tom Berg' })).toBeFocused();
});

test('a refusal of a stale page is shown, and the list is loaded again', async ({ page, company }) => {
  const { urlName } = await company();
  await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Tom Berg' });
  await dialog.getByLabel('First name').fill('Tim');
  const notFound = { code: 'user_not_found', details: 'This person is not a member of the organization.' };
  await refuseOnce(page, '/api/orgusers', 404, notFound);
  const again = page.waitForRequest('**/api/orgusers?*limit=100*');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: notFound.details })).toBeVisible();
  await expect(dialog).toBeHidden();
  await again;

  const joined = { code: 'not_allowed', details: 'This person has joined already.' };
  await refuseOnce(page, '/api/orgusers/resend', 403, joined);
  const onceMore = page.waitForRequest('**/api/orgusers?*limit=100*');
  await row(page, 'Tom Berg')
    .getByRole('button', { name: /^Send again/ })
    .click();
  await expect(page.getByRole('alert').filter({ hasText: joined.details })).toBeVisible();
  await onceMore;
});
