import type { APIRequestContext, Page } from '@playwright/test';
import { expect, newEmail, PASSWORD, test as base } from './fixtures.ts';
import type { Portal } from './portal.ts';

// Makes the people of an organization by calls, for tests that start later in the story.

type Invited = { readonly name: string; readonly email: string; readonly userId: number };

async function send<T>(request: APIRequestContext, method: string, path: string, data?: object): Promise<T> {
  const answer = await request.fetch(path, { method, ...(data && { data }) });
  const { success, response, error } = (await answer.json()) as Record<string, unknown>;
  expect(success, JSON.stringify(error)).toBe(true);
  return response as T;
}

/** The caller's organization, and the ids of its roles by name. */
export async function organizationOf(page: Page) {
  type Init = { default_organizations: { Id: number }; Roles: { id: number; name: string }[] };
  const { default_organizations: current, Roles } = await send<Init>(page.request, 'GET', '/api/init');
  return { orgId: current.Id, roles: Object.fromEntries(Roles.map(({ id, name }) => [name, id])) };
}

/** Adds a role without admin rights, and returns its id. */
export async function addRole(page: Page, role_name: string) {
  const { orgId } = await organizationOf(page);
  return (await send<{ Id: number }>(page.request, 'POST', '/api/role', { org_id: orgId, role_name })).Id;
}

/** Invites a person in the name of the person signed in on `page`. */
export async function invite(
  page: Page,
  name = 'Tom Berg',
  role = 'Admin',
  designation = '',
  email = newEmail(name.toLowerCase().replace(/[^a-z]/g, '')),
  language?: string,
): Promise<Invited> {
  const { orgId, roles } = await organizationOf(page);
  const [first = '', last = ''] = name.split(' ');
  const person = { first_name: first, last_name: last, email_id: email, designation, language };
  type Row = { user_id: number };
  const row = await send<Row>(page.request, 'POST', '/api/orgusers', {
    org_id: orgId,
    role_id: roles[role],
    ...person,
  });
  return { name, email, userId: row.user_id };
}

/** Follows an invitation in another browser and chooses a first password. */
export async function join(portal: Portal, request: APIRequestContext, { email }: { email: string }) {
  const digest = new URL(await portal.mailedLink(email)).searchParams.get('digest');
  await send(request, 'POST', '/api/resetpassword', { digest, password: PASSWORD, timezone: '' });
}

/** Tests with colleagues of the page's person. */
export const test = base.extend<{ colleague: (role?: string) => Promise<Colleague> }>({
  /** A person whom the page's person invited, in another browser; an admin unless another role is given. */
  colleague: ({ page, portal, elsewhere }, use) =>
    use(async (role) => {
      const person = await invite(page, 'Tom Okafor', role);
      const theirs = await elsewhere();
      await join(portal, theirs.request, person);
      return { ...person, page: theirs };
    }),
});
export type Colleague = Invited & { readonly page: Page };

/** Sets a member's role and status as the caller at the page. */
export async function setStatus(page: Page, { name, userId }: Invited, role: string, status: 2 | 3 | 4) {
  const { orgId, roles } = await organizationOf(page);
  const [first_name] = name.split(' ');
  const change = { org_id: orgId, user_id: userId, first_name, role_id: roles[role], status };
  await send(page.request, 'PUT', '/api/orgusers', change);
}

/** Simulates that the person returns to the window. */
export const lookAgain = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('focus')));

/** Opens the members of an organization. */
export async function openMembers(page: Page, urlName: string, query = '') {
  await page.goto(`/${urlName}/organization${query}`);
  await expect(
    table(page)
      .getByRole('button', { name: /^Edit / })
      .first(),
  ).toBeVisible();
}

/** Opens the members and waits for everything that an admin looks up there. */
export async function openSettings(page: Page, urlName: string) {
  await openMembers(page, urlName);
  await expect(page.getByText(/^\d+ people/)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Roles' }).getByRole('row', { name: /^Admin/ })).toBeVisible();
}

export const table = (page: Page) => page.getByRole('table', { name: 'Members' });
export const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
/** The names in the table, from the top. */
export const names = async (page: Page) => {
  // One evaluation for all rows, because rows may be drawn or removed meanwhile.
  const texts = await table(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((cells) => cells.querySelector('td')?.innerText ?? ''));
  return texts.map((text) => text.split('\n').find((line) => line.length > 2) ?? '');
};
