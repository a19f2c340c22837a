import { invite, lookAgain, openMembers, organizationOf, row } from './colleagues.ts';
import { expect, lookedUp, refuseOnce, test } from './fixtures.ts';

// A keyboard person's place: whatever they press stays theirs, or what is left around it is.

test('after saving the button is blocked and still has the focus, and presses nothing', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/myprofile`);
  const save = page.getByRole('button', { name: 'Save changes' }).first();
  await page.getByLabel('Designation').fill('Lead');
  await save.press('Enter');
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(save).toBeFocused();

  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
  await page.keyboard.press('Enter');
  await page.getByLabel('Designation').press('Enter');
  await page.getByLabel('Designation').fill('Head');
  await save.press('Enter');
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(save).toBeDisabled();
  expect(sent).toHaveLength(1);
});

test('“Send again” keeps the focus while it counts down', async ({ page, signUp }) => {
  await signUp();
  await page.goto('/');
  await page.getByRole('button', { name: 'Send again' }).press('Enter');
  const waiting = page.getByRole('button', { name: /^Send again in/ });
  await expect(waiting).toBeDisabled();
  await expect(waiting).toBeFocused();
});

for (const [name, path, call] of [
  ['Communications', 'communications', '/api/emailnotify'],
  ['Signin Devices', 'signindevices', '/api/usersession'],
  ['Delete Account', 'deleteaccount', '/api/deleteaccount'],
] as const)
  test(`${name}: a failure is told truly, and trying again leads to the heading of what then stands there`, async ({
    page,
    foundOrganization,
  }) => {
    const { urlName } = await foundOrganization();
    await refuseOnce(page, call, 500, { code: 'internal_error', details: 'Oops! Something went wrong' });
    await page.goto(`/${urlName}/${path}`);
    await expect(page.getByText('Something went wrong on our side. Try again.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
    await expect(page.getByRole('main').getByRole('heading').and(page.locator(':focus'))).toBeVisible();
  });

test('whose row goes while it has the focus, removed by another admin, leaves it to the heading of the list', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  const { userId } = await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit' }).focus();
  const { orgId } = await organizationOf(page);
  const removal = { org_id: orgId, del_user_id: userId };
  expect((await page.request.delete('/api/orgusers', { data: removal })).ok()).toBe(true);
  await lookAgain(page);
  await expect(row(page, 'Tom Berg')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Members' })).toBeFocused();
});

test('whoever goes on with Tab while a menu closes begins at the heading around it', async ({
  page,
  foundOrganization,
}) => {
  const { urlName } = await foundOrganization();
  await page.goto(`/${urlName}/recentactivity`);
  // It closes for as long as the test wants.
  await page.evaluate(() => {
    const closing = Promise.withResolvers<void>();
    Element.prototype.getAnimations = () => [{ finished: closing.promise } as unknown as Animation];
    addEventListener('test-menu-closed', () => closing.resolve());
  });
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.locator(':focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.locator('[data-base-ui-focus-guard]:focus')).toBeAttached();
  await page.evaluate(() => dispatchEvent(new Event('test-menu-closed')));
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Recent Activity' })).toBeFocused();
});

test('without a connection that is what is said', async ({ page, context, foundOrganization }) => {
  const { urlName } = await foundOrganization();
  await lookedUp(page, page.goto(`/${urlName}/myprofile`));
  await page.getByLabel('Designation').fill('Lead');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByRole('alert').getByText('You seem to be offline.')).toBeVisible();
  await context.setOffline(false);
});
