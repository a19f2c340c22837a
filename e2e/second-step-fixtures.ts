import type { Page } from '@playwright/test';
import { answerOf, setUpApp } from './authenticators.ts';
import { addRole, type Colleague, test as base } from './colleagues.ts';
import { expect } from './fixtures.ts';
import type { Portal } from './portal.ts';

// People of an organization that may ask for a second step.

/** Sets the rule by calls, as a Super Admin with an app. */
export async function setRule({ request }: Page, rule: 'any' | 'strong', from?: Date) {
  await setUpApp(request);
  type Init = { default_organizations: { Id: number } };
  const { default_organizations } = await answerOf<Init>(request.get('/api/init'));
  const data = { org_id: default_organizations.Id, rule, ...(from && { from }) };
  expect((await request.put('/api/orgs/secondstep', { data })).ok()).toBe(true);
}

/** Proves a member by a mailed code, as a first step needs. */
export async function proveByMail({ page: { request }, email }: Colleague, portal: Portal) {
  await request.post('/api/reauthenticate/code', { data: {} });
  const data = { otp: await portal.mailedCode(email) };
  expect((await request.post('/api/reauthenticate', { data })).ok()).toBe(true);
}

type Asked = { readonly urlName: string; readonly tom: Colleague };
export const test = base.extend<{ guest: (rule?: 'any' | 'strong', from?: Date) => Promise<Asked> }>({
  /** A member without rights, whose organization has a rule. */
  guest: ({ page, company, colleague }, use) =>
    use(async (rule, from) => {
      const { urlName } = await company();
      await addRole(page, 'Guest');
      const tom = await colleague('Guest');
      if (rule) await setRule(page, rule, from);
      return { urlName, tom };
    }),
});

export const rule = (page: Page) =>
  page.locator('form').filter({ has: page.getByRole('heading', { name: 'Second step of members' }) });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
export const asking = (page: Page) => heading(page, 'Northwind Traders requires a second step');
export const offer = (page: Page) =>
  page.getByRole('dialog', { name: 'Sign in without a password next time?' });
