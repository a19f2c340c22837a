import type { Page } from '@playwright/test';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { founder, rolesOf } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { openMembers, row, table } from './colleagues.ts';
import { expect, expectNoSideScroll } from './fixtures.ts';
import { test } from './own-app.ts';

// A list far longer than a page: rows load while scrolling, and only those near the window are drawn.

const PEOPLE = 3000;
/** The limit of rows drawn at once: a window of 900 px, 900 px above and below it, and the skeletons. */
const DRAWN_MAX = 80;
const AT_ONCE = 2000;

/** An organization with that many members; its founder is signed in at the page. */
async function bigCompany(page: Page, app: TestApp, people: number) {
  const boss = await founder(app);
  const { Admin = 0 } = await rolesOf(boss);
  const { sql, clock } = app.deps;
  const created_at = clock.now();
  for (let from = 1; from < people; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, people - from);
    const numbers = Array.from({ length }, (_, at) => String(from + at + 1).padStart(5, '0'));
    const users = await sql
      .insertInto('users')
      .values(numbers.map((number) => ({ email: `p${number}@${boss.urlName}.example`, created_at })))
      .returning(['id', 'email'])
      .execute();
    const membership = {
      org_id: boss.orgId as OrgId,
      role_id: Admin as RoleId,
      status: 2,
      created_at,
    } as const;
    await sql
      .insertInto('memberships')
      .values(
        users.map(({ id, email }) => ({
          ...membership,
          user_id: id,
          first_name: 'Person',
          last_name: email?.slice(1, 6) ?? '',
        })),
      )
      .execute();
  }
  const cookie = { name: 'portico', value: boss.visitor.session ?? '', url: app.url };
  await page.context().addCookies([cookie]);
  return boss;
}

/** Scrolls to the end of the loaded rows and waits for the next ones. */
async function scrollOn(page: Page) {
  const before = await page.evaluate(() => {
    scrollTo(0, document.body.scrollHeight);
    return document.body.scrollHeight;
  });
  await page.waitForFunction((height) => document.body.scrollHeight > height + 1000, before);
}

const drawn = (page: Page) => table(page).locator('tbody tr:not([aria-hidden])').count();

test('three thousand members scroll to the end without filling the page', async ({ page, app }) => {
  test.slow();
  const { urlName } = await bigCompany(page, app, PEOPLE);
  await openMembers(page, urlName);
  await expect(page.getByText('3000 people')).toBeVisible();
  await expect(table(page)).toHaveAttribute('aria-rowcount', '3001');

  const last = row(page, 'Person 03000');
  for (let loaded = 100; loaded < PEOPLE; loaded += 100) {
    await scrollOn(page);
    expect(await drawn(page)).toBeLessThanOrEqual(DRAWN_MAX);
  }
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(last).toBeInViewport({ timeout: 500 });
  }).toPass();
  expect(await drawn(page)).toBeLessThanOrEqual(DRAWN_MAX);
  await expect(last).toHaveAttribute('aria-rowindex', '3001');
  await expectNoSideScroll(page);

  // Rows in the middle and at the top are drawn again without another request.
  await page.route('**/api/orgusers?*', (route) => route.abort());
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  await expect(row(page, 'Person 01500')).toBeAttached();
  await page.evaluate(() => scrollTo(0, 0));
  await row(page, 'Maya Lindqvist').scrollIntoViewIfNeeded();
  await expect(row(page, 'Maya Lindqvist')).toBeInViewport();
  expect(await drawn(page)).toBeLessThanOrEqual(DRAWN_MAX);
});

test('a page that does not load can be loaded by hand, and the rows above it stay', async ({ page, app }) => {
  const { urlName } = await bigCompany(page, app, 150);
  let refused = 0;
  const failure = { status: 503, json: { success: false, error: { code: 'unavailable', details: 'Busy.' } } };
  await page.route(/orgusers\?.*after=/, async (route) => {
    refused += 1;
    await (refused === 1 ? route.fulfill(failure) : route.continue());
  });
  await openMembers(page, urlName);
  const failed = page.waitForResponse(/orgusers\?.*after=/);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await failed;
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(table(page).getByText('This could not be loaded')).toBeVisible();
  await expect(row(page, 'Person 00100')).toBeVisible();
  await table(page).getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, 'Person 00101')).toBeAttached();
});

test('search covers all members, and the phone layout scrolls as well', async ({ page, app }) => {
  const { urlName } = await bigCompany(page, app, 150);
  await page.setViewportSize({ width: 390, height: 844 });
  await openMembers(page, urlName);
  await page.getByRole('searchbox').fill('person 0007');
  await expect(page.getByText('10 people found')).toBeVisible();
  await row(page, 'Person 00070').scrollIntoViewIfNeeded();
  await expect(row(page, 'Person 00075')).toBeAttached();
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(row(page, 'Person 00002')).toBeAttached();
  await scrollOn(page);
  await expect(row(page, 'Person 00100')).toBeAttached();
  expect(await drawn(page)).toBeLessThanOrEqual(DRAWN_MAX);
  await expectNoSideScroll(page);
});
