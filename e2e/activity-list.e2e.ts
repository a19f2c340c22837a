import type { Page } from '@playwright/test';
import { manyActs } from '#server/testing/crowd.ts';
import { founder } from '#server/testing/people.ts';
import { expect } from './fixtures.ts';
import { test, title } from './own-app.ts';

// A log far longer than a page: the page draws only what the window holds, however far one scrolls.

const ROWS = 1500;
const PAGE_ROWS = 100;
/**
 * A window of 720 px plus 900 px above and below, in rows of 57 px, with day headings and the skeletons at
 * the end.
 */
const DRAWN_MAX = 60;

const table = (page: Page) => page.getByRole('table', { name: 'Activity' });
/** The positions of the drawn rows, as a screen reader hears them. */
const rowIndexes = (page: Page) =>
  page
    .locator('main tbody tr[aria-rowindex]')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-rowindex'))));

/** Scrolls to the end of the log; returns the largest number of rows drawn at a time. */
const scrollToEnd = (page: Page) =>
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
 * Scrolls by `pixels`, a step per frame. Returns the largest unexpected movement of a row, and how many steps
 * were measured: a row that has left the page has no position.
 */
const scrollSlowly = (page: Page, pixels: number) =>
  page.evaluate(async (far) => {
    let [most, seen] = [0, 0];
    const step = 100 * Math.sign(far);
    for (let scrolled = 0; Math.abs(scrolled) < Math.abs(far); scrolled += step) {
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
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/auditlogs?')) requests += 1;
  });
  await page.goto(`/${boss.urlName}/recentactivity`);
  await expect(title(page, 'Recent Activity')).toBeVisible();
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
  await expect(table(page)).toHaveAttribute('aria-rowcount', '-1');
  expect(requests).toBe(1);

  expect(await scrollToEnd(page)).toBeLessThanOrEqual(DRAWN_MAX);
  // The organization's creation is a row too, so the last page is not full.
  const pages = Math.ceil((ROWS + 1) / PAGE_ROWS);
  expect(requests).toBe(pages);
  const last = await rowIndexes(page);
  expect(last).toEqual(last.map((_, at) => (last[0] ?? 0) + at));
  expect(last.at(-1)).toBeGreaterThan(ROWS + 1);

  // New rows above, with unmeasured heights, move no row that is already drawn.
  const moved = await scrollSlowly(page, -12_000);
  expect(moved.most).toBeLessThan(0.1);
  expect(moved.seen, 'steps of 120 with a row that stayed').toBeGreaterThan(60);
  const there = await rowIndexes(page);
  expect(there.length).toBeLessThanOrEqual(DRAWN_MAX);
  expect(there.at(-1)).toBeLessThan(last[0] ?? 0);

  // An expanded row stays expanded and keeps the focus while other rows are drawn and removed.
  const turner = page.getByRole('button', { name: /^Show details/ }).nth(20);
  const name = (await turner.getAttribute('aria-label'))?.replace('Show', 'Hide') ?? '';
  await turner.press('Enter');
  const turned = page.getByRole('button', { name, exact: true });
  await expect(turned).toBeFocused();
  await expect(table(page).getByRole('term')).toHaveCount(1);
  await scrollSlowly(page, 300);
  await expect(turned).toBeFocused();
  expect(await rowIndexes(page)).not.toEqual(there);
  expect(requests).toBe(pages);
});
