import type { Page } from '@playwright/test';
import {
  addRole,
  type Colleague,
  invite,
  lookAgain,
  openSettings,
  organizationOf,
  setStatus,
  test,
} from './colleagues.ts';
import { confirmedAt, expect, lookedUp } from './fixtures.ts';

// Changes made elsewhere reach a person who only reads.

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

type Ending = {
  readonly end: (page: Page, tom: Colleague) => Promise<unknown>;
  readonly open: (page: Page, urlName: string) => Promise<unknown>;
  readonly read: (page: Page) => Promise<unknown>;
  readonly says: string;
  readonly at: string;
};
const openProfile = async (page: Page, urlName: string) => {
  await lookedUp(page, page.goto(`/${urlName}/myprofile`));
  await title(page, 'My Profile').waitFor();
};
const endings: Record<string, Ending> = {
  'demoted and only searches the members': {
    end: (page, tom) => setStatus(page, tom, 'Sales', 2),
    open: openSettings,
    read: (page) => page.getByLabel('Search members').fill('tom'),
    says: 'Your role does not allow this.',
    at: 'My Profile',
  },
  'disabled and only comes back to the window': {
    end: (page, tom) => setStatus(page, tom, 'Admin', 4),
    open: openProfile,
    read: lookAgain,
    says: 'You no longer belong to Northwind Traders',
    at: 'Here you go!',
  },
};

for (const [change, { end, open, read, says, at }] of Object.entries(endings))
  test(`a colleague who was ${change} is redirected and told why`, async ({ page, company, colleague }) => {
    const { urlName } = await company();
    await addRole(page, 'Sales');
    const tom = await colleague();
    await open(tom.page, urlName);
    await end(page, tom);
    await read(tom.page);
    await expect(tom.page.getByText(says)).toBeVisible();
    await expect(title(tom.page, at)).toBeVisible();
    await expect(tom.page.getByText('This could not be loaded')).toBeHidden();
  });

test('two admins at one card each save only their own changes', async ({ page, company, colleague }) => {
  const { urlName } = await company();
  await page.request.put('/api/orgs', {
    data: { org_id: (await organizationOf(page)).orgId, employee_count: 12 },
  });
  const tom = await colleague();
  await tom.page.goto(`/${urlName}/organization`);
  const card = tom.page
    .locator('form')
    .filter({ has: tom.page.getByRole('heading', { name: 'Organization information' }) });
  const name = card.getByLabel('Organization name');
  await expect(name).toHaveValue('Northwind Traders');

  const renamed = { org_id: (await organizationOf(page)).orgId, name: 'Southwind Traders' };
  expect((await page.request.put('/api/orgs', { data: renamed })).ok()).toBe(true);
  await card.getByLabel('Description').fill('We trade.');
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(tom.page.getByText('Organization information updated')).toBeVisible();
  await expect(name).toHaveValue('Southwind Traders');
  await expect(tom.page.getByRole('banner')).toContainText('Southwind Traders');

  // On return to the window, typed text stays and unchanged fields are refreshed.
  await card.getByLabel('Website').fill('https://typed.example');
  const again = {
    org_id: (await organizationOf(page)).orgId,
    name: 'Westwind Traders',
    website: 'https://other.example',
  };
  expect((await page.request.put('/api/orgs', { data: again })).ok()).toBe(true);
  await lookAgain(tom.page);
  await expect(name).toHaveValue('Westwind Traders');
  await expect(card.getByLabel('Website')).toHaveValue('https://typed.example');
});

test('an invited newcomer is offered the organization', async ({ page, elsewhere, portal, company }) => {
  await company();
  await addRole(page, 'Sales');
  const guest = await elsewhere();
  const email = await confirmedAt(portal, guest.request);
  await invite(page, 'Otto Holm', 'Sales', '', email);

  await guest.goto('/');
  await expect(title(guest, 'Here you go!')).toBeVisible();
  await expect(guest.getByText('As Sales, invited by Maya Lindqvist')).toBeVisible();
  await expect(guest.getByRole('heading', { name: 'Or start one of your own' })).toBeVisible();
  await guest.getByRole('button', { name: 'Decline Northwind Traders' }).click();
  await expect(guest.getByText('You declined the invitation to Northwind Traders.')).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Decline Northwind Traders' })).toBeHidden();

  await invite(page, 'Otto Holm', 'Sales', '', email);
  await guest.reload();
  await expect(guest.getByText('To join, open the link in the email that invited you.')).toBeVisible();
  await guest.goto(await portal.mailedLink(email, 3));
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(title(guest, 'My Profile')).toBeVisible();
  // Sign-up does not ask for a name, so the name comes from the invitation.
  await expect(guest.getByLabel('First name')).toHaveValue('Otto');
});
