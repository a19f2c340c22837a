import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { expect, PASSWORD } from '../fixtures.ts';
import type { Stage } from './cast.ts';
import {
  answer,
  at,
  atAs,
  hold,
  hurry,
  lose,
  open,
  press,
  type Reach,
  refuse,
  see,
  withNothingSet,
  withRegistered,
  write,
} from './steps.ts';

const PROFILE = '/northwind-traders/myprofile';
const profile = atAs('maya', PROFILE);
const apps = atAs('maya', '/northwind-traders/myapps');

const saveProfile = (page: Page) => page.getByRole('button', { name: 'Save changes' }).first().click();
const openMenu = (page: Page) => press(page, /^Account menu of/);
const dialog = (page: Page, name: string) => expect(page.getByRole('dialog', { name })).toBeVisible();

async function askForProof(stage: Stage) {
  const { page } = stage;
  await refuse(page, '/api/mfa', 'reauthentication_required');
  await profile(stage);
  await press(page, 'Turn on two-step sign-in');
  await dialog(page, 'Is it you?');
}

/** Every state of the signed-in area, and the pages beside it. */
export const areaStates: Record<string, Reach> = {
  'onboarding--empty': atAs('noor', '/'),
  'onboarding--messages': async (stage) => {
    await atAs('noor', '/')(stage);
    await write(stage.page, 'Number of employees', 'many');
    await press(stage.page, 'Create organization');
    await see(stage.page, 'This field is required.');
  },
  'onboarding--countries': async (stage) => {
    await atAs('noor', '/')(stage);
    await stage.page.getByLabel('Country').fill('s');
    await expect(stage.page.getByRole('listbox')).toBeVisible();
  },

  'onboarding--no-address': async (stage) => {
    await stage.page.route('**/api/init*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { response: { user_information: object } };
      Object.assign(body.response.user_information, { email: null });
      await route.fulfill({ response, json: body });
    });
    await atAs('noor', '/')(stage);
    await press(stage.page, 'Create organization');
    await see(stage.page, 'This field is required.');
  },
  'onboarding--close-tab': atAs('noor', '/?closeTab=true'),

  'myapps--open': apps,
  'myapps--registered': async (stage) => {
    await withRegistered(stage.page);
    await apps(stage);
    await see(stage.page, 'Invoices');
  },
  'myapps--nothing-set': async (stage) => {
    await withNothingSet(stage.page);
    await apps(stage);
  },

  'myprofile--open': profile,
  'myprofile--changed': async (stage) => {
    await profile(stage);
    await write(stage.page, 'Designation', 'Head of Operations');
  },
  'myprofile--messages': async (stage) => {
    await profile(stage);
    await write(stage.page, 'First name', '');
    await write(stage.page, 'Last name', '<b>');
    await saveProfile(stage.page);
    await see(stage.page, 'This field is required.');
  },
  'myprofile--went-wrong': async (stage) => {
    await lose(stage.page, '/api/user');
    await profile(stage);
    await write(stage.page, 'First name', 'Maj');
    await saveProfile(stage.page);
    await see(stage.page, 'Oops!');
  },
  'myprofile--discard': async (stage) => {
    await profile(stage);
    await write(stage.page, 'First name', 'Maj');
    await stage.page.getByRole('link', { name: 'My Apps' }).click();
    await see(stage.page, 'Discard changes?');
  },
  'myprofile--zones': async (stage) => {
    await profile(stage);
    await stage.page.getByLabel('Time zone').click();
    await expect(stage.page.getByRole('listbox')).toBeVisible();
  },
  'myprofile--unconfirmed': atAs('ines', '/'),
  'myprofile--link-sent': async (stage) => {
    await atAs('ines', '/')(stage);
    await answer(stage.page, '/api/verifyemail/resend');
    await press(stage.page, 'Send again');
    await see(stage.page, 'We sent a new link');
  },
  'myprofile--two-step-on': atAs('otto', '/'),

  'proof--password': askForProof,
  'proof--wrong': async (stage) => {
    const { page } = stage;
    await askForProof(stage);
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(`not ${PASSWORD}`);
    await press(page, 'Confirm');
    await see(page, 'Invalid crendentials');
  },

  'account-menu--one-organization': async (stage) => {
    await profile(stage);
    await openMenu(stage.page);
    await expect(stage.page.getByRole('menu')).toBeVisible();
  },
  'account-menu--several': async (stage) => {
    await atAs('lena', '/')(stage);
    await openMenu(stage.page);
    await expect(stage.page.getByRole('menu')).toBeVisible();
  },
  'switch--open': async (stage) => {
    await atAs('lena', '/')(stage);
    await press(stage.page, /^Switch organization/);
    await dialog(stage.page, 'Switch organization');
  },
  'add-organization--open': async (stage) => {
    await profile(stage);
    await openMenu(stage.page);
    await stage.page.getByRole('menuitem', { name: 'Add Organization' }).click();
    await dialog(stage.page, 'Here you go!');
  },
  'add-organization--messages': async (stage) => {
    await areaStates['add-organization--open']?.(stage);
    await write(stage.page, 'Organization name', 'Second & Third');
    await write(stage.page, 'Number of employees', 'many');
    await press(stage.page, 'Create organization');
    await see(stage.page, 'whole number');
  },
  'upgrade--open': async (stage) => {
    const { page } = stage;
    await refuse(page, '/api/orgs', 'org_max_limit_reached');
    await areaStates['add-organization--open']?.(stage);
    await page.getByRole('dialog').getByLabel('First name').fill('Maya');
    await press(page, 'Create organization');
    await see(page, 'Upgrade your plan?');
  },
  'upgrade--no-prices': async (stage) => {
    await withNothingSet(stage.page);
    await areaStates['upgrade--open']?.(stage);
  },
  'menu-sheet--open': async (stage) => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await profile(stage);
    await stage.page.getByRole('button', { name: 'Menu', exact: true }).click();
  },

  'skeleton--waiting': async ({ page, as }) => {
    await as('maya');
    await hold(page, '/api/init*');
    await page.goto(PROFILE);
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  },
  'skeleton--unconfirmed': async (stage) => {
    await atAs('ines', '/')(stage);
    await hold(stage.page, '/api/init*');
    await stage.page.goto('/');
    await expect(stage.page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  },
  'failed--area-script': async ({ page, as }) => {
    await as('maya');
    await lose(page, '/assets/area-*.js');
    await page.goto(PROFILE);
    await hurry(page);
  },
  'failed--area': async ({ page, as }) => {
    await as('maya');
    await lose(page, '/api/init*');
    await open(page, PROFILE);
  },
  'failed--area-page': async ({ page, as }) => {
    await as('maya');
    await lose(page, '/assets/my-apps-page*.js');
    await page.goto('/northwind-traders/myapps');
    await see(page, 'We could not load this page');
  },

  'specimen--all': async ({ page }) => {
    const html = readFileSync('web/dist/specimen.html', 'utf8');
    await page.route('**/specimen', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await open(page, '/specimen');
  },
  'api-docs--open': at('/api/docs'),
};
