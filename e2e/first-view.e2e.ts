import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** The most that a first view may load, in kB (1000 bytes) as it travels. */
const limits = {
  '/login': { script: 76.5, style: 8, font: 32 },
  '/signup': { script: 76.5, style: 8, font: 32 },
  '/': { script: 76, style: 8, font: 32 },
  area: { script: 165, style: 12, font: 32 },
} as const;
type View = keyof typeof limits;
const kinds = { script: '.js', style: '.css', font: '.woff2' } as const;

/** What the page has loaded, kind by kind; it names each file with its size, so that a failure says what grew. */
async function loadedBy(page: Page) {
  const files = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => {
      const { name, encodedBodySize } = entry as PerformanceResourceTiming;
      return { name: new URL(name).pathname, bytes: encodedBodySize };
    }),
  );
  return Object.entries(kinds).map(([kind, ending]) => {
    const all = files.filter(({ name }) => name.endsWith(ending)).toSorted((a, b) => b.bytes - a.bytes);
    const lines = all.map(({ name, bytes }) => `${bytes} ${name}`);
    return { kind, kB: all.reduce((sum, { bytes }) => sum + bytes, 0) / 1000, lines };
  });
}

async function expectFirstView(page: Page, url: string, view: View, heading: string) {
  const elsewhere: string[] = [];
  const unfit: string[] = [];
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url());
    const { 'content-encoding': encoding, 'cache-control': kept = '' } = response.headers();
    if (origin !== new URL(url).origin) elsewhere.push(response.url());
    const isScript = pathname.endsWith(kinds.script);
    if (isScript && (encoding !== 'br' || !kept.endsWith('immutable')))
      unfit.push(`${pathname}: ${encoding}, ${kept}`);
  });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  await page.waitForLoadState('networkidle');

  expect(elsewhere, 'requests to other origins').toEqual([]);
  expect(unfit, 'scripts not sent as brotli, or not kept for good').toEqual([]);
  for (const { kind, kB, lines } of await loadedBy(page)) {
    const most = limits[view][kind as keyof typeof kinds];
    const said = `${view} loads ${kB} kB of ${kind}, at most ${most}:\n${lines.join('\n')}\n`;
    expect(lines.length, `${view} loads some ${kind}`).toBeGreaterThan(0);
    expect.soft(kB, said).toBeLessThanOrEqual(most);
  }
}

for (const [path, heading] of [
  ['/login', 'Welcome back'],
  ['/signup', 'Create your account'],
  ['/', 'One door to every application your team works in.'],
] as const)
  test(`a first visit to ${path} stays light`, ({ page, portal }) =>
    expectFirstView(page, `${portal.url}${path}`, path, heading));

test('the first view of the signed-in area stays light', async ({ page, portal, signUp }) => {
  await signUp();
  await expectFirstView(page, `${portal.url}/`, 'area', 'Here you go!');
});
