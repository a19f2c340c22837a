import { invite, lookAgain, openMembers, organizationOf, row } from './colleagues.ts';
import { expect, inMotion, test } from './fixtures.ts';

// Keyboard focus: it stays on the pressed element, or moves to the nearest heading when that element
// disappears.

test.use(inMotion);

test('after saving, the button keeps the focus', async ({ page, enter }) => {
  await enter('myprofile');
  const save = page.getByRole('button', { name: 'Save changes' }).first();
  await page.getByLabel('Designation').fill('Lead');
  await save.press('Enter');
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(save).toBeFocused();

  const requests: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()));
  await page.keyboard.press('Enter');
  await expect(page.getByText('No changes')).toBeVisible();
  await page.getByLabel('Designation').press('Enter');
  await page.getByLabel('Designation').fill('Head');
  await save.press('Enter');
  await expect(page.getByText('Profile updated')).toBeVisible();
  expect(requests).toHaveLength(1);
});

test('“Send again” keeps the focus while it counts down', async ({ page, signUp }) => {
  await signUp();
  await page.goto('/');
  await page.getByRole('button', { name: 'Send again' }).press('Enter');
  const waiting = page.getByRole('button', { name: /^Send again in/ });
  await expect(waiting).toBeDisabled();
  await expect(waiting).toBeFocused();
});

test('a wide screen starts in the first field, and Tab leads from the address to the password', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.goto('/signup');
  await expect(page.getByLabel('Email')).toBeFocused();
  // On a phone the keyboard would cover the page.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.locator('#root[data-drawn]')).toHaveCount(0);
  await expect(page.getByLabel('Email')).not.toBeFocused();
});

test('a removed row leaves the focus to the heading of its list', async ({ page, company }) => {
  const { urlName } = await company();
  const { userId } = await invite(page, 'Tom Berg');
  await openMembers(page, urlName);
  await row(page, 'Tom Berg').getByRole('button', { name: 'Edit' }).focus();
  const { orgId } = await organizationOf(page);
  const removal = { org_id: orgId, del_user_id: userId };
  expect((await page.request.delete('/api/orgusers', { data: removal })).ok()).toBe(true);
  await lookAgain(page);
  await expect(row(page, 'Tom Berg')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Members', exact: true })).toBeFocused();
});

test('Tab during a menu’s closing animation starts at the heading around it', async ({ page, enter }) => {
  await enter('recentactivity');
  // The menu's closing animation lasts until the test ends it.
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
