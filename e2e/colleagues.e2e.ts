import { addRole, invite, lookAgain, openMembers, organizationOf, row, test } from './colleagues.ts';
import { confirmedAt, expect, expectAccessible, foundAt, newEmail } from './fixtures.ts';

// Two people at once, each in their own browser.

test('an invitation is accepted or declined, and left', async ({ page, elsewhere, portal, company }) => {
  await company('Northwind Traders');
  // Two more admins invite a person who already has an organization.
  const guest = await elsewhere();
  const email = await confirmedAt(portal, guest.request);
  await foundAt(guest.request, 'Own House');
  await invite(page, 'Tom Okafor', 'Admin', '', email);

  await guest.goto('/');
  await guest.getByRole('button', { name: /Own House/ }).click();
  const popup = guest.getByRole('dialog', { name: 'Switch organization' });
  await expect(popup).toContainText('As Admin, invited by Maya Lindqvist');
  for (const colorScheme of ['light', 'dark'] as const) {
    await guest.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(guest);
  }
  // The account confirmed its mailbox before the invitation.
  await expect(popup).toContainText('To join, open the link in the email that invited you.');
  await expect(popup.getByRole('button', { name: 'Join Northwind Traders' })).toBeHidden();
  await guest.goto(await portal.mailedLink(email, 2));
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(guest.getByRole('banner')).toContainText('Northwind Traders');

  await guest.getByRole('button', { name: /Northwind Traders/ }).click();
  await popup.getByRole('button', { name: 'Leave Northwind Traders' }).click();
  const question = guest.getByRole('alertdialog', { name: 'Leave Northwind Traders?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Leave organization' }).click();
  await expect(guest.getByText('You have left Northwind Traders.')).toBeVisible();
  await expect(guest.getByRole('banner')).toContainText('Own House');

  // A declined invitation disappears as well.
  await invite(page, 'Tom Okafor', 'Admin', '', email);
  await guest.reload();
  await guest.getByRole('button', { name: /Own House/ }).click();
  await popup.getByRole('button', { name: 'Decline Northwind Traders' }).click();
  await expect(guest.getByText('You declined the invitation to Northwind Traders.')).toBeVisible();
  await expect(popup.getByRole('button', { name: 'Decline Northwind Traders' })).toBeHidden();
});

test('another admin’s changes show, and move or lose nothing', async ({ page, company, colleague }) => {
  const { urlName } = await company();
  await addRole(page, 'Sales');
  for (let at = 0; at < 5; at += 1) await invite(page, 'Tom Okafor', 'Admin', '', newEmail(`many${at}`));
  const tom = await colleague();
  await openMembers(page, urlName);
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.getByText('7 people').waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(row(page, tom.email)).toBeVisible();
  await row(page, tom.email).getByRole('button', { name: /^Edit/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Tom Okafor' });
  await dialog.getByLabel('Designation').fill('Lead');
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(500);

  const { orgId, roles } = await organizationOf(tom.page);
  const answer = await tom.page.request.post('/api/orgusers', {
    data: { org_id: orgId, role_id: roles['Sales'], first_name: 'Zoe', email_id: newEmail('zoe') },
  });
  expect(answer.ok()).toBe(true);
  await lookAgain(page);
  // The open popup hides the list from roles, so look for the text.
  await expect(page.getByText('Zoe', { exact: true })).toBeVisible();
  await expect(dialog.getByLabel('Designation')).toHaveValue('Lead');
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
});
