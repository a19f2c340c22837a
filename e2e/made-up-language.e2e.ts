import { rmSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { publicPages } from '#contract/pages.ts';
import { foreignWords, visibleText } from '#server/testing/foreign.ts';
import { invite } from './colleagues.ts';
import { expect, expectNoSideScroll, newEmail, PASSWORD, signOut, test as base } from './fixtures.ts';
import { houseWith } from './house.ts';
import { Portal } from './portal.ts';

// A language is one file. The portal in this language alone: a text outside of the catalogs shows.

const LANGUAGE = 'en-XA';
/** Words of people, and names that stay as they are. */
const values =
  /Maya|Nora|Holm|Lindqvist|Northwind|northwind|Sweden|Stockholm|Europe|Chrome|Linux|Super Admin|\bAdmin\b|Member\b|Professional Plan|(?:[A-Z2-7]{4} ){4,}[A-Z2-7]+/g;

type House = ReturnType<typeof houseWith>;
const test = base.extend<object, { built: House }>({
  built: [
    async ({ playwright: _ }, use) => {
      const built = houseWith(LANGUAGE);
      await use(built);
      rmSync(built.house, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  portal: [
    async ({ built }, use) => {
      const settings = { RATE_LIMIT_FACTOR: '1000', LANGUAGES: LANGUAGE };
      const portal = await Portal.start(settings, false, built.house);
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** The pages of the area, and the buttons there that open something. */
const pages = [
  ['myapps'],
  ['myprofile', 'profile.password', 'waysIn.turnOn', 'waysIn.setUpApp'],
  ['communications'],
  ['organization', 'members.add', 'members.addMany'],
  ['organization/role'],
  ['organization/applications', 'ownApplications.add'],
  ['organization/webhooks', 'webhooks.add'],
  ['organization/signin', 'companyDomains.add'],
  ['organization/data'],
  ['signindevices'],
  ['recentactivity', 'activityPage.filter', 'activityPage.export'],
  ['deleteaccount', 'deletion.act'],
] as const;

/** The visible texts of the page, and those that are read aloud. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const attributes = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder'];
    const read = [...document.querySelectorAll(attributes.map((name) => `[${name}]`).join())].flatMap(
      (element) =>
        element.checkVisibility() ? attributes.map((name) => element.getAttribute(name) ?? '') : [],
    );
    return [document.title, document.body.innerText, ...read];
  });

function outsideBrackets(text: string): string {
  const rest = text.replaceAll(/\[[^[\]]*\]/g, '');
  return rest === text ? rest : outsideBrackets(rest);
}

/** Each text is whole and of the language, and fits a small phone. */
async function expectOwnWords(page: Page) {
  for (const text of await textsOf(page)) {
    const own = text.replaceAll(values, '');
    expect.soft([page.url(), ...foreignWords(LANGUAGE, own)]).toEqual([page.url()]);
    expect.soft([page.url(), outsideBrackets(own).match(/[À-ɏḀ-ỿ]{2,}/g)]).toEqual([page.url(), null]);
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 740 });
  await expectNoSideScroll(page);
  if (before) await page.setViewportSize(before);
}

async function open(page: Page, path: string) {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectOwnWords(page);
}

test.use({ actionTimeout: 10_000 });

test('the entrance and a day in a language that is one more file', async ({
  page,
  portal,
  built: { texts },
}) => {
  test.setTimeout(180_000);
  const named = (key: string) => texts[key] ?? '';
  const field = (key: string) => page.getByLabel(named(key), { exact: true });
  const button = (key: string) => page.getByRole('button', { name: named(key), exact: true }).first();
  const signInAs = async (address: string) => {
    await field('signIn.login.email').fill(address);
    await field('signIn.login.password').fill(PASSWORD);
    await page.keyboard.press('Enter');
  };
  const email = newEmail();

  for (const path of ['/', ...publicPages, '/verifyemail?digest=x', '/nowhere/at/all'])
    await open(page, path);
  await open(page, '/login');
  await button('signIn.login.submit').click();
  await expect(field('signIn.login.email')).toBeFocused();
  await expectOwnWords(page);
  await signInAs(email);
  await expect(page.getByRole('alert').getByText(named('error.invalid_credentials'))).toBeVisible();
  await expectOwnWords(page);

  await open(page, '/signup');
  await field('accounts.signUp.email').fill(email);
  await field('accounts.signUp.password').fill('short');
  await button('accounts.signUp.submit').click();
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
  await expectOwnWords(page);
  await field('accounts.signUp.password').fill(PASSWORD);
  await button('accounts.signUp.submit').click();
  await expect(
    page.getByRole('heading', { level: 1, name: named('organization.onboardingTitle') }),
  ).toBeVisible();
  await expectOwnWords(page);

  const link = await portal.mailedLink(email);
  const [mail] = await portal.mails(email);
  expect(foreignWords(LANGUAGE, `${mail?.subject} ${mail?.text} ${visibleText(mail?.html ?? '')}`)).toEqual(
    [],
  );
  await page.goto(link);
  await expect(
    page.getByRole('heading', { name: named('confirmation.verifyEmail.confirmedHeading') }),
  ).toBeVisible();
  await expectOwnWords(page);
  await page.goto('/');
  await field('organization.firstName').fill('Maya');
  await field('organization.lastName').fill('Lindqvist');
  await field('organization.name').fill('Northwind');
  await button('organization.create').click();
  await expect(page.getByRole('heading', { level: 1, name: named('profile.title') })).toBeVisible();

  const home = new URL(page.url()).pathname.replace(/\/[^/]*$/, '');
  const popup = page.locator('[role=dialog], [role=alertdialog], [role=menu], dialog[open]');
  const openAndClose = async (button: Locator) => {
    await button.click();
    await expect(popup.or(page.locator('main button[aria-expanded=true]')).first()).toBeVisible();
    await expectOwnWords(page);
    await page.keyboard.press('Escape');
    await expect(popup).toBeHidden();
  };
  for (const [path, ...popups] of pages) {
    await open(page, `${home}/${path}`);
    if (path === 'recentactivity') await openAndClose(page.locator('tbody button').first());
    for (const key of popups) await test.step(key, () => openAndClose(button(key)));
  }
  for (const one of await page.getByRole('banner').locator('[aria-haspopup]:visible').all())
    await openAndClose(one);

  const nora = await invite(page, 'Nora Holm');
  await page.context().clearCookies();
  await open(page, await portal.mailedLink(nora.email));
  await field('newPassword.password').fill(PASSWORD);
  await field('newPassword.repeat').fill(PASSWORD);
  await button('createPassword.submit').click();
  await expect(page.getByRole('button', { name: 'Nora Holm' })).toBeVisible();
  await expectOwnWords(page);
  await page.request.put('/api/mfa', { data: { mfa_enabled: 1 } });
  await signOut(page);
  await open(page, '/login');
  await signInAs(nora.email);
  await expect(page.locator('[autocomplete=one-time-code]')).toBeVisible();
  await expectOwnWords(page);
});
