import type { Page } from '@playwright/test';
import { addRole, organizationOf } from './colleagues.ts';
import { confirmedAt, expect, foundAt, test } from './fixtures.ts';

// How an address names an organization: by its URL name, by its number, or by `c` and its number in older
// addresses.

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a number leads to the same page at the organization’s URL name', async ({ page, company }) => {
  const { urlName } = await company();
  const { orgId } = await organizationOf(page);
  await addRole(page, 'Sales');
  const { roles } = await organizationOf(page);
  const second = await foundAt(page.request, 'Second Traders');
  for (const [address, target, heading] of [
    [`/c${second.Id}/myapps`, `/${second.OrgUrlName}/myapps`, 'My Apps'],
    [`/${second.Id}/organization`, `/${second.OrgUrlName}/organization`, 'Organization'],
    [
      `/${orgId}/organization/role/${roles['Sales']}`,
      `/${urlName}/organization/role/${roles['Sales']}`,
      'Sales',
    ],
    [`/c${orgId}/organization/role`, `/${urlName}/organization/role`, 'Add role'],
    // Without a page it leads to the remembered one, which is the last of those above.
    [`/c${second.Id}`, `/${second.OrgUrlName}/organization`, 'Organization'],
  ] as const) {
    await page.goto(address);
    await page.waitForURL(`**${target}`);
    await expect(title(page, heading), address).toBeVisible();
    const name = target.startsWith(`/${urlName}/`) ? 'Northwind Traders' : 'Second Traders';
    await expect(page.getByRole('banner'), address).toContainText(name);
  }
});

test('a foreign or missing organization leads home', async ({ page, elsewhere, portal, company }) => {
  const { request } = await elsewhere();
  await confirmedAt(portal, request);
  const foreign = await foundAt(request, 'Foreign Traders');

  const { urlName } = await company();
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  for (const path of [
    `/c${foreign.Id}`,
    `/${foreign.Id}/organization/role/1`,
    `/${foreign.OrgUrlName}/organization`,
    '/c999999/myapps',
    '/999999',
  ]) {
    visited.length = 0;
    await page.goto(path);
    await page.waitForURL(`**/${urlName}/myprofile`);
    await expect(title(page, 'My Profile'), path).toBeVisible();
    expect(visited, path).toContain('/');
  }
});
