import type { Page } from '@playwright/test';
import { addRole, invite, openMembers, row } from './colleagues.ts';
import { expect, foundAt, judge, newEmail, refuseOnce, test } from './fixtures.ts';

// Many addresses pasted at once: how each line is understood, and its result.

const popup = (page: Page) => page.getByRole('dialog', { name: 'Invite many' });
const line = (page: Page, name: string) => popup(page).getByRole('listitem').filter({ hasText: name });

async function paste(page: Page, text: string) {
  await page.getByRole('button', { name: 'Invite many' }).click();
  await popup(page).getByLabel('Addresses').fill(text);
}

test('pasted lines show how they were understood, and each its result', async ({ page, company, portal }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  const tom = await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  const [aiko, ken] = [newEmail('aiko'), newEmail('ken')];
  await paste(page, `Aiko Mori <${aiko}>; ${tom.email}\nnot an address, "Ito, Ken" <${ken}>; ${ken}`);
  await expect(line(page, 'Aiko Mori')).toContainText('Ready');
  await expect(line(page, 'Ken Ito')).toContainText(ken);
  await expect(popup(page).getByRole('listitem').last()).toContainText('Named twice');
  await expect(line(page, 'not an address')).toContainText('Not a valid address');
  await judge(page);

  await popup(page).getByRole('button', { name: 'Send 3 invitations' }).click();
  await expect(line(page, 'Aiko Mori')).toContainText('Invited');
  await expect(line(page, tom.email)).toContainText('Already a member');
  await expect(line(page, 'Ken Ito')).toContainText('Invited');
  await expect(
    popup(page).getByText('2 invited, 1 already here, 1 not invited, 1 named twice'),
  ).toBeVisible();
  await expect(popup(page).getByRole('progressbar')).toHaveJSProperty('value', 5);
  await judge(page);
  await popup(page).getByRole('button', { name: 'Done' }).click();
  await expect(popup(page)).toBeHidden();
  await expect(page.getByText('4 people, 3 invitations waiting')).toBeVisible();
  await expect(row(page, 'Ken Ito')).toContainText('Sales');
  await portal.mailedLink(ken);
});

test('an empty list shows a message beside the field', async ({ page, company }) => {
  const { urlName } = await company();
  await openMembers(page, urlName);
  await page.getByRole('button', { name: 'Invite many' }).click();
  await popup(page).getByRole('button', { name: 'Send invitations' }).click();
  await expect(popup(page).getByText('Please paste at least one valid address.')).toBeVisible();
  await expect(popup(page).getByText('This field is required.')).toBeVisible();
  const crowd = Array.from({ length: 501 }, (_, at) => `p${at}@northwind.example`).join('\n');
  await popup(page).getByLabel('Addresses').fill(crowd);
  await expect(popup(page).getByText('Please send at most 500 at a time. These are 501.')).toBeVisible();
});

test('sending can be stopped, and the rest can be sent later', async ({ page, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await openMembers(page, urlName);
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/orgusers', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await paste(page, [1, 2, 3].map(() => newEmail('tom')).join());
  await popup(page).getByRole('button', { name: 'Send 3 invitations' }).click();
  await expect(popup(page).getByText('Sending', { exact: true })).toHaveCount(1);
  // While an invitation is being sent, nothing closes the popup.
  await page.keyboard.press('Escape');
  await popup(page).getByRole('button', { name: 'Stop' }).click();
  gate.resolve();
  await expect(popup(page).getByText('1 invited, 0 already here, 2 not invited')).toBeVisible();
  await popup(page).getByRole('button', { name: 'Send the remaining 2' }).click();
  await expect(popup(page).getByText('3 invited, 0 already here, 0 not invited')).toBeVisible();
  await popup(page).getByRole('button', { name: 'Invite more' }).click();
  await expect(popup(page).getByLabel('Addresses')).toHaveValue('');
});

test('a limit stops the list, links to a plan, and the rest can be sent', async ({ page, company }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  await openMembers(page, urlName);
  const full = { code: 'sign_max_users_reached', details: 'You have reached the user limit of your plan.' };
  await paste(page, `ann@${urlName}.example, ben@${urlName}.example`);
  await refuseOnce(page, '/api/orgusers', 409, full);
  await popup(page).getByRole('button', { name: 'Send 2 invitations' }).click();
  const upgrade = page.getByRole('dialog', { name: 'Upgrade your plan?' });
  await expect(upgrade).toContainText(full.details);
  await upgrade.getByRole('button', { name: 'Close' }).last().click();
  await expect(upgrade).toBeHidden();
  await expect(line(page, 'Ann')).toContainText('Limit reached');
  await expect(line(page, 'Ben')).toContainText('Ready');
  await judge(page);

  await refuseOnce(page, '/api/orgusers', 500, {
    code: 'internal_error',
    details: 'Oops! Something went wrong',
  });
  await popup(page).getByRole('button', { name: 'Send the remaining 2' }).click();
  await expect(line(page, 'Ann')).toContainText('Not sent');
  await popup(page).getByRole('button', { name: 'Send the remaining 2' }).click();
  await expect(popup(page).getByText('2 invited, 0 already here, 0 not invited')).toBeVisible();
});

test('a person whose address is not confirmed learns it when the popup opens', async ({ page, signUp }) => {
  await signUp();
  await openMembers(page, (await foundAt(page.request, 'Northwind Traders')).OrgUrlName);
  for (const [button, title] of [
    ['Invite many', 'Invite many'],
    ['Add member', 'Invite a member'],
  ] as const) {
    await page.getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByText('Please confirm your email address first.')).toBeVisible();
    await judge(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});
