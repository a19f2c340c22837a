import type { Page } from '@playwright/test';
import { manyActs } from '#server/testing/crowd.ts';
import { founder } from '#server/testing/people.ts';
import { expect } from './fixtures.ts';
import { test, title } from './own-app.ts';

// A log far longer than a page: however far down one goes, what is drawn stays as much as a window holds.

const ROWS = 1500;
const PAGE_ROWS = 100;
/** A window of 720 px and 900 above and below, in rows of 57 px, with heads of days and the stand-ins at the end. */
const DRAWN_MAX = 60;

const table = (page: Page) => page.getByRole('table', { name: 'Activity' });
/** The places of the rows that are drawn, as a screen reader is told them. */
const places = (page: Page) =>
  page
    .locator('main tbody tr[aria-rowindex]')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-rowindex'))));

/** Goes to the end until there is no more; returns the most rows that were there at a time. */
const goToTheEnd = (page: Page) =>
  table(page).evaluate(async (all) => {
    let most = 0;
    while (all.getAttribute('aria-rowcount') === '-1') {
      scrollTo(0, document.body.scrollHeight);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, all.querySelectorAll('tr').length);
    }
    return most;
  });

/**
 * Goes so many pixels, some each frame, and returns how far a row of the window ever moved otherwise, and how often that
 * was seen: a row that is not there any more has no place.
 */
const goSlowly = (page: Page, pixels: number) =>
  page.evaluate(async (far) => {
    let [most, seen] = [0, 0];
    const step = 100 * Math.sign(far);
    for (let gone = 0; Math.abs(gone) < Math.abs(far); gone += step) {
      const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr');
      const before = row?.getBoundingClientRect().top ?? NaN;
      scrollBy(0, step);
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      if (row && !row.isConnected) continue;
      most = Math.max(most, Math.abs((row?.getBoundingClientRect().top ?? NaN) + step - before));
      seen += 1;
    }
    return { most, seen };
  }, pixels);

test('a long log is fetched page by page and drawn near the window only', async ({ page, app }) => {
  const boss = await founder(app);
  await manyActs(app, boss.orgId, boss.id, ROWS);
  await page.context().addCookies([{ name: 'portico', value: boss.visitor.session ?? '', url: app.url }]);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/auditlogs?')) asked += 1;
  });
  await page.goto(`/${boss.urlName}/recentactivity`);
  await expect(title(page, 'Recent Activity')).toBeVisible();
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
  await expect(table(page)).toHaveAttribute('aria-rowcount', '-1');
  expect(asked).toBe(1);

  expect(await goToTheEnd(page)).toBeLessThanOrEqual(DRAWN_MAX);
  // The founding is a row as well, so the last page is not full.
  const pages = Math.ceil((ROWS + 1) / PAGE_ROWS);
  expect(asked).toBe(pages);
  const last = await places(page);
  expect(last).toEqual(last.map((_, at) => (last[0] ?? 0) + at));
  expect(last.at(-1)).toBeGreaterThan(ROWS + 1);

  // Rows that come in, and were never measured, move none that are there.
  const moved = await goSlowly(page, -12_000);
  expect(moved.most).toBeLessThan(0.1);
  expect(moved.seen, 'steps of 120 with a row that stayed').toBeGreaterThan(60);
  const there = await places(page);
  expect(there.length).toBeLessThanOrEqual(DRAWN_MAX);
  expect(there.at(-1)).toBeLessThan(last[0] ?? 0);

  // Who has turned a row keeps it, and the focus, while others come and go.
  const turner = page.getByRole('button', { name: /^Show details/ }).nth(20);
  const name = (await turner.getAttribute('aria-label'))?.replace('Show', 'Hide') ?? '';
  await turner.press('Enter');
  const turned = page.getByRole('button', { name, exact: true });
  await expect(turned).toBeFocused();
  await expect(table(page).getByRole('term')).toHaveCount(1);
  await goSlowly(page, 300);
  await expect(turned).toBeFocused();
  expect(await places(page)).not.toEqual(there);
  expect(asked).toBe(pages);
});
