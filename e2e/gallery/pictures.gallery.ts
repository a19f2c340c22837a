import type { Page } from '@playwright/test';
import { expectNoSideScroll } from '../fixtures.ts';
import { test } from './cast.ts';
import { NOW, states } from './states.ts';

// Pictures every screen and state in both themes and two sizes, and checks that none is wider than a narrow
// window. Run with `npm run gallery`.

const wanted = process.env['GALLERY'] ?? '';
const themes = ['light', 'dark'] as const;
const sizes = { '1360x900': { width: 1360, height: 900 }, '390x844': { width: 390, height: 844 } };
/** The narrowest supported window, and 1280 by 800 at 200 %: neither may scroll sideways. */
const narrow = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
];
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

test.use({ timezoneId: 'Europe/Stockholm', locale: 'en-GB' });

for (const [name, reach] of Object.entries(states))
  if (name.startsWith(wanted))
    test(name, async ({ page, as }) => {
      await page.clock.setFixedTime(NOW);
      await page.setViewportSize(sizes['1360x900']);
      await reach({ page, as });
      await takePictures(page, name);
      for (const viewport of narrow) {
        await page.setViewportSize(viewport);
        await expectNoSideScroll(page);
      }
    });

async function takePictures(page: Page, name: string) {
  await page.evaluate(() => document.fonts.ready);
  // An overlay belongs to the window, so its picture is not stretched over the full page.
  const fullPage = (await page.locator(overlays).count()) === 0;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    // In a full-page picture the header stands at the scroll position.
    if (fullPage) await page.evaluate(() => scrollTo(0, 0));
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `gallery/${name}--${colorScheme}--${size}.png`, fullPage });
    }
  }
}
