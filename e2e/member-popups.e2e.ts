import { addRole, invite, join, openMembers, row } from './colleagues.ts';
import {
  expect,
  expectAccessible,
  inMotion,
  judge,
  newEmail,
  PASSWORD,
  refuseOnce,
  test,
} from './fixtures.ts';

// The popups over the members' table: invite, edit, assign a role, send again, delete.

test.use(inMotion);

test('roles that arrive after the dialog opened preselect the usual role', async ({ page, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  for (const [button, title] of [
    ['Add member', 'Invite a member'],
    ['Invite many', 'Invite many'],
  ] as const) {
    const { promise: opened, resolve: goOn } = Promise.withResolvers<void>();
    await page.route(/\/api\/role\b/, (route) => opened.then(() => route.continue()));
    await openMembers(page, urlName);
    await page.getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByLabel('Role')).toHaveValue('');
    goOn();
    await expect(dialog.getByRole('option', { name: 'Sales' })).toHaveJSProperty('selected', true);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.unroute(/\/api\/role\b/);
  }
});

test('an invitation shows in table and counts, and is mailed', async ({ page, company, portal }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await openMembers(page, urlName);
  await page.getByRole('button', { name: 'Add member' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  const hint = page.getByText('Invite your first colleague');
  await expect(hint).toBeVisible();
  await expect(dialog).toContainText('to join Northwind Traders. It works for 7 days.');
  // The preselected role has no admin rights.
  await expect(dialog.getByLabel('Role')).toHaveValue(/\d+/);
  await expect(dialog.getByRole('option', { name: 'Sales' })).toHaveJSProperty('selected', true);

  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByLabel('First name')).toBeFocused();
  await expect(dialog.getByText('This field is required.')).toHaveCount(2);
  await dialog.getByLabel('First name').fill('Aiko <3');
  await dialog.getByLabel('Email').fill('aiko');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Please enter a valid email address.')).toBeVisible();
  await judge(page);

  const email = newEmail('aiko');
  await dialog.getByLabel('First name').fill('Aiko');
  await dialog.getByLabel('Last name').fill('Mori');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Designation').fill('Account Executive');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Member invited' })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add member' }).first()).toBeFocused();
  await expect(page.getByText('2 people, 1 invitation waiting')).toBeVisible();
  await expect(hint).toBeHidden();
  await expect(row(page, 'Aiko Mori')).toContainText('Account Executive');
  // The roles table counts her as well.
  const sales = page.getByRole('table', { name: 'Roles' }).getByRole('row', { name: /^Sales/ });
  await expect(sales.getByRole('cell', { name: '1', exact: true })).toBeVisible();
  expect(await portal.mailedLink(email)).toContain('/createpassword?digest=');
});

test('typed text is not lost by mistake: Escape and a press outside ask first', async ({ page, company }) => {
  const { urlName } = await company();
  await openMembers(page, urlName);
  await page.getByRole('button', { name: 'Add member' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await expect(dialog.getByLabel('First name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Add member' }).first().click();
  await dialog.getByLabel('First name').fill('Aiko');
  const question = page.getByRole('alertdialog', { name: 'Discard what you filled in?' });
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await judge(page);
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(dialog.getByLabel('First name')).toHaveValue('Aiko');
  await page.mouse.click(5, 5);
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add member' }).first()).toBeFocused();
});

test('an invitation that cannot be sent says why, and keeps the typed text', async ({ page, company }) => {
  const { urlName } = await company();
  const tom = await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await page.getByRole('button', { name: 'Add member' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Invite a member' });
  await dialog.getByLabel('First name').fill('Tom');
  await dialog.getByLabel('Email').fill(tom.email);
  // Where every role has admin rights, the admin has to choose.
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Role')).toBeFocused();
  await dialog.getByLabel('Role').selectOption('Admin');
  const send = dialog.getByRole('button', { name: 'Send invitation' });
  await send.click();
  await expect(page.getByRole('alert').filter({ hasText: 'User already present in the Org' })).toBeVisible();

  const unconfirmed = { code: 'account_not_confirmed', details: 'Please confirm your email address first.' };
  await refuseOnce(page, '/api/orgusers', 403, unconfirmed);
  await send.click();
  await expect(dialog.getByText(unconfirmed.details)).toBeVisible();
  await judge(page);

  const full = { code: 'sign_max_users_reached', details: 'You have reached the user limit of your plan.' };
  await refuseOnce(page, '/api/orgusers', 409, full);
  await send.click();
  const upgrade = page.getByRole('dialog', { name: 'Upgrade your plan?' });
  await expect(upgrade).toContainText(full.details);
  await judge(page);
  await upgrade.getByRole('button', { name: 'Close' }).last().click();
  await expect(upgrade).toBeHidden();
  await expect(dialog.getByLabel('Email')).toHaveValue(tom.email);
});

test('names, role and status are changed in place', async ({ page, company, portal, request }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  const tom = await invite(page, 'Tom Berg');
  await join(portal, request, tom);
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Tom Berg' });
  await expect(dialog.getByLabel('Email')).toHaveValue(tom.email);
  await expect(dialog.getByLabel('Email')).not.toBeEditable();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No changes' })).toBeVisible();

  for (const [status, meaning] of [
    ['Active', 'May work in the organization.'],
    ['Disabled', 'A block: no access and the seat is kept.'],
    ['Inactive', 'A pause: no access for now'],
  ] as const) {
    await dialog.getByLabel('Status').selectOption(status);
    await expect(dialog.getByLabel('Status')).toHaveAccessibleDescription(new RegExp(`^${meaning}`));
  }
  await judge(page);
  await dialog.getByLabel('Last name').fill('Bergman');
  await dialog.getByLabel('Role').selectOption('Sales');
  await dialog.getByLabel('Last name').press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Member updated' })).toBeVisible();
  await expect(row(page, 'Tom Bergman')).toContainText('Sales');
  await expect(row(page, 'Tom Bergman').getByText('Inactive')).toBeVisible();
  await portal.mailed(tom.email, 'Your role in Northwind Traders has changed');
  await portal.mailed(tom.email, 'Your access to Northwind Traders is paused');

  // A paused member becomes active again only while a seat is free.
  await row(page, 'Tom Bergman').getByRole('button', { name: 'Edit' }).click();
  const again = page.getByRole('dialog', { name: 'Edit Tom Bergman' });
  await again.getByLabel('Status').selectOption('Active');
  const full = { code: 'sign_max_users_reached', details: 'You have reached the user limit of your plan.' };
  await refuseOnce(page, '/api/orgusers', 409, full);
  await again.getByRole('button', { name: 'Save changes' }).click();
  const upgrade = page.getByRole('dialog', { name: 'Upgrade your plan?' });
  await expect(upgrade).toContainText(full.details);
  await upgrade.getByRole('button', { name: 'Close' }).last().click();
  await expect(upgrade).toBeHidden();
  await again.getByRole('button', { name: 'Save changes' }).click();
  await expect(row(page, 'Tom Bergman').getByText('Active')).toBeVisible();
});

test('a role is assigned from its cell with one dropdown', async ({ page, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Admin, change the role of Tom Berg' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign new role' });
  await expect(dialog).toContainText('Tom Berg is Admin in Northwind Traders.');
  await expect(dialog.getByRole('combobox')).toHaveCount(1);
  await judge(page);
  await dialog.getByRole('button', { name: 'Assign role' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No changes' })).toBeVisible();
  await dialog.getByLabel('New role').selectOption('Sales');
  await dialog.getByRole('button', { name: 'Assign role' }).click();
  await expect(page.getByRole('button', { name: 'Sales, change the role of Tom Berg' })).toBeFocused();
});

test('an invitation is sent again from its row and its popup', async ({ page, company, portal }) => {
  const { urlName } = await company();
  const tom = await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  const first = await portal.mailedLink(tom.email);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Send again: the invitation of Tom Berg' }).click();
  await expect(page.getByText(`Invitation sent again to ${tom.email}`)).toBeVisible();
  expect(await portal.mailedLink(tom.email, 2)).not.toBe(first);

  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Tom Berg' });
  await expect(dialog.getByText(/^The invitation is valid until/)).toBeVisible();
  await expect(dialog.getByLabel('Status')).toHaveCount(0);
  await judge(page);
  await dialog.getByRole('button', { name: /^Send again/ }).click();
  await expect(dialog).toBeHidden();
  await portal.mailedLink(tom.email, 3);
});

test('deleting names the effect and asks for a proof', async ({ page, company, portal, request }) => {
  const { urlName } = await company();
  const tom = await invite(page, 'Tom Berg');
  const aiko = await invite(page, 'Aiko Mori');
  await join(portal, request, tom);
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Tom Berg?' });
  await expect(dialog).toContainText('Tom Berg loses access to Northwind Traders at once.');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await judge(page);
  await page.keyboard.press('Escape');
  await expect(row(page, 'Tom Berg').getByRole('button', { name: 'Delete' })).toBeFocused();

  await page.keyboard.press('Enter');
  await refuseOnce(page, '/api/orgusers', 403, { code: 'reauthentication_required', details: 'Is it you?' });
  await dialog.getByRole('button', { name: 'Delete member' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof).toBeVisible();
  await expectAccessible(page);
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Member deleted' })).toBeVisible();
  await expect(row(page, 'Tom Berg')).toHaveCount(0);
  await expect(page.getByText('2 people, 1 invitation waiting')).toBeVisible();
  await expect(row(page, 'Aiko Mori').getByRole('button', { name: 'Withdraw' })).toBeFocused();
  await portal.mailed(tom.email, 'You are no longer a member of Northwind Traders');

  await page.keyboard.press('Enter');
  const withdraw = page.getByRole('alertdialog', { name: 'Withdraw the invitation of Aiko Mori?' });
  await expect(withdraw).toContainText(aiko.email);
  await withdraw.getByRole('button', { name: 'Withdraw invitation' }).click();
  await expect(page.getByText('1 person', { exact: true })).toBeVisible();
});
