import { invite } from './colleagues.ts';
import type { Page } from '@playwright/test';
import { confirmedAt, expect, foundAt, lookedUp, PASSWORD, type Person, test } from './fixtures.ts';
import type { Portal } from './portal.ts';

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const signInElsewhere = (email: string, url: string) =>
  fetch(`${url}/api/signin`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    body: JSON.stringify({ email_id: email, password: PASSWORD, timezone: '' }),
  });
/** Opens the profile of a person with one unread notification. */
async function openWithNews(page: Page, portal: Portal, { email, urlName }: Person) {
  await signInElsewhere(email, portal.url);
  await page.goto(`/${urlName}/myprofile`);
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible();
}

test('the bell counts unread ones, and the panel reads them', async ({ page, portal, enter }) => {
  const { email, urlName } = await lookedUp(page, enter('myprofile'));
  await expect(bell(page, 'Notifications')).toBeVisible();
  await signInElsewhere(email, portal.url);
  // Simulates that the person returns to the window.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible();
  await bell(page, 'Notifications, 1 unread').click();
  await expect(panel(page).getByText(/^Today, /)).toBeVisible();
  await expect(panel(page).getByText('New: ')).toHaveCount(1);
  await expect(panel(page).getByRole('status').filter({ hasText: '1 new, now read' })).toBeVisible();
  await expect(bell(page, 'Notifications')).toBeAttached();
  await panel(page)
    .getByRole('link', { name: 'New sign-in to your account with Firefox on Linux, from 127.0.0.1.' })
    .click();
  await expect(page).toHaveURL(`/${urlName}/signindevices`);
  await expect(panel(page)).toBeHidden();
  await page.reload();
  await expect(bell(page, 'Notifications')).toBeVisible();
});

test('new notifications stay marked while the panel is open', async ({ page, portal, company }) => {
  const person = await company();
  await openWithNews(page, portal, person);
  await bell(page, 'Notifications, 1 unread').click();
  await expect(panel(page).getByRole('status').filter({ hasText: '1 new, now read' })).toBeVisible();
  await signInElsewhere(person.email, portal.url);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(panel(page).getByRole('listitem')).toHaveCount(2);
  await expect(panel(page).getByText('New: ')).toHaveCount(2);
  await expect(panel(page).getByRole('status').filter({ hasText: '2 new, now read' })).toBeVisible();
  await page.keyboard.press('Escape');
  await bell(page, 'Notifications').click();
  await expect(panel(page).getByRole('listitem')).toHaveCount(2);
  await expect(panel(page).getByText('New: ')).toHaveCount(0);
});

test('an invitation’s notification leads to the answer', async ({ page, portal, company, elsewhere }) => {
  const { email } = await company('Harbour Logistics');
  const boss = await elsewhere();
  await confirmedAt(portal, boss.request);
  const { OrgUrlName } = await foundAt(boss.request, 'Brandt Consulting');
  await invite(boss, 'Maya', 'Admin', '', email);

  // A reset confirms the mailbox again, so the invitation can be answered here.
  await page.request.post('/api/forgotpassword', { data: { email_id: email } });
  const reset = new URL(await portal.mailedLink(email, 3)).searchParams.get('digest');
  const password = 'another sturdy arch';
  await page.request.put('/api/resetpassword', { data: { digest: reset, password, timezone: '' } });
  await page.request.post('/api/signin', { data: { email_id: email, password, timezone: '' } });
  await page.goto('/');
  await bell(page, 'Notifications, 1 unread').click();
  await expect(panel(page)).toContainText('invited you to join Brandt Consulting as Admin.');
  await panel(page).getByRole('button', { name: 'Join or decline' }).click();
  await page
    .getByRole('dialog', { name: 'Switch organization' })
    .getByRole('button', { name: /^Join/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`^[^?]*/${OrgUrlName}/`));
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(panel(page)).toContainText('Nothing new');
  const reply = (await (await boss.request.get('/api/notifications')).json()) as {
    response: { notifications: { text: string }[] };
  };
  expect(reply.response.notifications[0]?.text).toBe('Maya accepted your invitation to Brandt Consulting.');
});

test('an earlier look-up makes nothing unread again', async ({ page, portal, company }) => {
  await openWithNews(page, portal, await company());
  const read = page.waitForEvent('requestfinished', (one) => one.method() === 'PUT');
  await page.route('**/api/notifications?*', async (route) => {
    const reply = await route.fetch();
    await read;
    await route.fulfill({ response: reply });
  });
  const lookedUpAgain = page.waitForEvent('requestfinished', (one) =>
    one.url().includes('/api/notifications?'),
  );
  await bell(page, 'Notifications, 1 unread').click();
  await lookedUpAgain;
  await expect(panel(page)).toContainText('1 new, now read');
  await page.keyboard.press('Escape');
  await expect(bell(page, 'Notifications')).toBeVisible();
});

/** A notification answer with these ids and this count of unread ones. */
const answer = (ids: number[], unread: number, next: number | null) => {
  const news = { kind: 'deletion_scheduled', created_at: '2026-03-02T09:00:00Z', read: unread === 0 ? 1 : 0 };
  const notifications = ids.map((id) => ({ ...news, id, text: `News ${id}.` }));
  return { json: { success: true, response: { notifications, unread, next } } };
};

test('older notifications load on request, also after a failure', async ({ page, company }) => {
  const { urlName } = await company();
  await page.route('**/api/notifications?*', (route) =>
    route.request().url().includes('after=2')
      ? route.fulfill(answer([1], 0, null))
      : route.fulfill(answer([3, 2], 0, 2)),
  );
  await page.route('**/api/notifications?*', (route) => route.abort(), { times: 2 });
  // Fails the look-up of the bell and the one of the panel.
  const failed = page.waitForEvent('requestfailed', (one) => one.url().includes('/api/notifications?'));
  await page.goto(`/${urlName}/myprofile`);
  await failed;
  await bell(page, 'Notifications').click();
  await expect(panel(page)).toContainText('This could not be loaded');
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page).getByRole('listitem')).toHaveCount(2);
  await panel(page).getByRole('button', { name: 'Show older' }).click();
  await expect(panel(page).getByRole('listitem')).toHaveCount(3);
  await expect(panel(page).getByText('2 Mar 2026, ')).toHaveCount(3);
  await expect(panel(page).getByRole('button', { name: 'Show older' })).toHaveCount(0);
});

test('only shown notifications become read', async ({ page, company }) => {
  const { urlName } = await company();
  const marked: unknown[] = [];
  await page.route(/\/api\/notifications/, (route) => {
    if (route.request().method() === 'PUT') {
      marked.push(route.request().postDataJSON());
      return route.fulfill(answer([3, 2], 2 - marked.length, 2));
    }
    return route.request().url().includes('after=2')
      ? route.fulfill(answer([1], 1, null))
      : route.fulfill(answer([3, 2], 3, 2));
  });
  await page.goto(`/${urlName}/myprofile`);
  await bell(page, 'Notifications, 3 unread').click();
  await expect(panel(page)).toContainText('2 new, now read');
  await expect.poll(() => marked).toMatchObject([{ read_from: 2, read_up_to: 3 }]);
  await panel(page).getByRole('button', { name: 'Show older' }).click();
  await expect(panel(page)).toContainText('3 new, now read');
  expect(marked).toHaveLength(2);
  expect(marked[1]).toMatchObject({ read_from: 1, read_up_to: 1 });
});
