import path from 'node:path';
import type { Page } from '@playwright/test';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { test as base } from './fixtures.ts';

const webApp = path.join(import.meta.dirname, '../web/dist');

/**
 * Tests whose portal runs in their own process: they move its clock and change accounts in ways that no call
 * does. The pages' clock starts at the same time as the portal's.
 */
export const test = base.extend<object, { app: TestApp }>({
  app: [
    async ({ playwright: _ }, use) => {
      const app = await startApp({ SUPPORT_EMAIL: 'help@northwind.example' }, webApp);
      await use(app);
      await app.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  page: async ({ page, app }, use) => {
    await page.clock.install({ time: app.clock.now() });
    await use(page);
  },
});

/** Moves the clock of the portal and of pages that are opened from now on. */
export async function forward(page: Page, app: TestApp, ms: number) {
  app.clock.forward(ms);
  await page.clock.install({ time: app.clock.now() });
}

export { mailedLink } from '#server/testing/mailed.ts';

export const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
