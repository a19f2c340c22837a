import type { BrowserContext, Page } from '@playwright/test';
import path from 'node:path';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { somebody, type Worker } from '#server/testing/company.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { expect, judge, newEmail } from './fixtures.ts';
import { test as base, title } from './own-app.ts';

// Onboarding, titled 'Here you go!', in all its cases. The plan is small, and the operator has set a price page.

const PRICES = 'https://prices.northwind.example/plans';

const test = base.extend<object, { app: TestApp }>({
  app: [
    async ({ playwright: _ }, use) => {
      const limits = { MAX_ORGS_PER_USER: '2', MAX_MEMBERS_PER_ORG: '2', RATE_LIMIT_FACTOR: '1000' };
      const webApp = path.join(import.meta.dirname, '../web/dist');
      const app = await startApp({ PRICING_URL: PRICES, ...limits }, webApp);
      await use(app);
      await app.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** Signs the browser in as a new person, with or without an address. */
async function become(page: Page, app: TestApp, { address = true } = {}): Promise<Worker> {
  const person = await somebody(app);
  if (!address)
    await app.deps.sql
      .updateTable('users')
      .set({ email: null, confirmed_at: null })
      .where('id', '=', person.id)
      .execute();
  const value = person.visitor.cookies.get('portico') ?? '';
  await page.context().addCookies([{ name: 'portico', value, url: app.url }]);
  return person;
}

async function createOrganization({ visitor }: Worker, organaization_name: string): Promise<string> {
  const data = { first_name: 'Ann', country_name: 'Sweden', organaization_name };
  const answer = await visitor.post('/api/orgs', data);
  return (answer.body.response as { OrgUrlName: string }).OrgUrlName;
}

const create = (page: Page) => page.getByRole('button', { name: 'Create organization' });

/** Expects the popup of a limit, whose button opens the price page in a new tab. */
async function expectPrices(page: Page, context: BrowserContext, text: string) {
  await context.route(`${PRICES}**`, (route) => route.fulfill({ contentType: 'text/html', body: 'Plans' }));
  const upgrade = page.getByRole('alertdialog', { name: 'Upgrade your plan?' });
  await expect(upgrade).toContainText(text);
  await expect(upgrade.getByRole('button', { name: 'Not now' })).toBeFocused();
  await judge(page);
  const opened = context.waitForEvent('page');
  await upgrade.getByRole('link', { name: 'Upgrade (opens in a new tab)' }).click();
  await expect(await opened).toHaveURL(PRICES);
  await expect(upgrade).toBeHidden();
}

test('without an organization, onboarding asks for a missing address', async ({ page, app }) => {
  const other = await somebody(app);
  const { id } = await become(page, app, { address: false });
  await page.goto('/');
  await expect(title(page, 'Here you go!')).toBeVisible();
  expect(new URL(page.url()).search).toBe('?action=no_org');
  await page.getByLabel('First name').fill('Ann');
  await create(page).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('This field is required.');
  await page.getByLabel('Email').fill('ann@nowhere');
  await create(page).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.');
  await page.getByLabel('Email').fill(other.email);
  await create(page).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email Id already exits');
  await judge(page);
  const email = newEmail('ann');
  await page.getByLabel('Email').fill(email);
  await create(page).click();
  await page.waitForURL('**/ann-organization*/myprofile');
  const { email: stored } = await app.deps.sql
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(stored).toBe(email);
});

test('a person whose only membership is paused or disabled is told why', async ({ page, app }) => {
  const person = await become(page, app);
  const urlName = await createOrganization(person, 'Paused Traders');
  for (const [status, is, who] of [
    [3, 'paused', 'an admin'],
    [4, 'disabled', 'a Super Admin'],
  ] as const) {
    await app.deps.sql.updateTable('memberships').set({ status }).where('user_id', '=', person.id).execute();
    await page.goto(`/${urlName}`);
    await expect(page.getByText(`Your membership in Paused Traders is ${is}`)).toBeVisible();
    await expect(page.getByText(`Ask ${who} there to open it again.`)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Or start one of your own' })).toBeVisible();
  await judge(page);
  await page.getByRole('link', { name: 'Go to my account' }).click();
  await expect(title(page, 'My Profile')).toBeVisible();
});

test('onboarding is a popup in the settings, up to the limit', async ({ page, context, app }) => {
  const urlName = await createOrganization(await become(page, app), 'First Traders');
  await page.goto(`/${urlName}/organization`);
  await create(page).click();
  const popup = page.getByRole('dialog', { name: 'Here you go!' });
  await expect(popup.getByLabel('First name')).toHaveValue('Ann');
  await expect(popup.getByLabel('Email')).toHaveCount(0);
  await popup.getByLabel('Organization name').fill('Second & Third');
  await create(page).last().click();
  await expect(popup.getByLabel('Organization name')).toBeFocused();
  await judge(page);
  await popup.getByLabel('Organization name').fill('Second Traders');
  await popup.getByLabel('Organization name').press('Enter');
  await page.waitForURL('**/second-traders*/organization');
  await expect(page.getByRole('banner')).toContainText('Second Traders');

  await page.getByRole('button', { name: /^Switch organization/ }).click();
  await page.getByRole('button', { name: 'Add Organization' }).click();
  await popup.getByLabel('Organization name').fill('Third Traders');
  await create(page).last().click();
  await expectPrices(page, context, 'organization');
  // The typed text is kept.
  await expect(popup.getByLabel('Organization name')).toHaveValue('Third Traders');
});

test('an alert does not cover the close button of a wide dialog', async ({ page, app }) => {
  const urlName = await createOrganization(await become(page, app), 'Free Traders');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/${urlName}/organization`);
  await create(page).click();
  const popup = page.getByRole('dialog', { name: 'Here you go!' });
  await page.route('**/api/orgs', (route) => route.abort());
  await popup.getByRole('button', { name: 'Create organization' }).click();
  const alert = await page.getByRole('alert').boundingBox();
  const dialog = await popup.boundingBox();
  expect(alert!.x).toBeGreaterThan(dialog!.x + dialog!.width);
});

test('without a support address, the contact person comes after the possible actions', async ({ page }) => {
  const person = `urn to the person who runs ${PRODUCT_NAME} where you work.`;
  await page.goto('/support');
  await expect(page.getByText(`Please t${person}`)).toBeVisible();
  await page.goto('/support?reason=restricted');
  await expect(page.getByText(`If that does not help, t${person}`)).toBeVisible();
});

test('the limit of seats links to the prices, and text is kept', async ({ page, context, app }) => {
  const person = await become(page, app);
  const urlName = await createOrganization(person, 'Small Traders');
  await page.goto(`/${urlName}/organization`);
  const popup = page.getByRole('dialog', { name: 'Invite a member' });
  const invite = async (name: string) => {
    await page.getByRole('button', { name: 'Add member' }).first().click();
    await popup.getByLabel('First name').fill(name);
    await popup.getByLabel('Email').fill(newEmail(name.toLowerCase()));
    await popup.getByLabel('Role').selectOption('Admin');
    await page.keyboard.press('Enter');
  };
  await invite('Tom');
  await expect(popup).toBeHidden();
  await invite('Aiko');
  await expectPrices(page, context, 'user');
  await expect(popup.getByLabel('First name')).toHaveValue('Aiko');
});
