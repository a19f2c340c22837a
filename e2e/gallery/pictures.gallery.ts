import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSideScroll } from '../fixtures.ts';
import { test } from './cast.ts';
import { brandStates, spokenStates } from './spoken-states.ts';
import { NOW, states } from './states.ts';
import { reachOf } from './steps.ts';

// Pictures every screen and state in both themes and two sizes, and the most seen ones in each language, where axe
// checks them. None may be wider than a narrow window. Run with `npm run gallery`; `npm run gallery -- brands` shows
// ten pages and two mails under three brands.

const wanted = process.env['GALLERY'] ?? '';
const themes = ['light', 'dark'] as const;
const desktop = { width: 1360, height: 900 };
/** The narrowest supported window, and 1280 by 800 at 200 %: neither may scroll sideways. */
const narrow = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
];
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

test.use({ timezoneId: 'Europe/Stockholm', locale: 'en-GB', viewport: desktop });
test.beforeEach(({ page }) => page.clock.setFixedTime(NOW));

const startsAsWanted = ([name]: [string, unknown]) => name.startsWith(wanted);
for (const [name, reach] of Object.entries(states).filter(startsAsWanted))
  test(name, async ({ page, as, portal }) => {
    await reach({ page, as, portal, language: 'en' });
    for (const size of [desktop, { width: 390, height: 844 }])
      for (const theme of themes) await picture(page, name, theme, size);
    for (const viewport of narrow) {
      await page.setViewportSize(viewport);
      await expectNoSideScroll(page);
    }
  });

const phone = { width: 360, height: 780 };
const speak = (
  language: string,
  group: string,
  steps: typeof spokenStates,
  sizes: (theme: string) => Size[],
) =>
  test.describe(language, () => {
    test.use({ locale: language });
    for (const [state, step] of Object.entries(steps))
      if (`${group}--${state}`.startsWith(wanted))
        test(state, async ({ page, as, portal }, { project }) => {
          await reachOf(step)({ page, as, portal, language });
          await page.waitForLoadState('networkidle');
          const name = [group, project.name, state, language].filter((part) => part !== '').join('--');
          for (const theme of themes)
            for (const size of sizes(theme)) {
              await picture(page, name, theme, size);
              await expectNoSideScroll(page);
              await expectAccessible(page, state.startsWith('mail') ? ['wcag2a', 'wcag2aa'] : undefined);
            }
        });
  });
for (const file of readdirSync('languages'))
  speak(file.replace('.arb', ''), 'languages', spokenStates, (theme) => [
    theme === 'light' ? desktop : phone,
  ]);
if (wanted.startsWith('brands'))
  for (const language of ['en', 'ar'])
    speak(language, 'brands', brandStates, () => [desktop, { width: 320, height: 640 }]);

type Size = typeof desktop;
async function picture(page: Page, name: string, colorScheme: (typeof themes)[number], size: Size) {
  await page.evaluate(() => document.fonts.ready);
  // An overlay belongs to the window, so its picture is not stretched over the full page.
  const fullPage = (await page.locator(overlays).count()) === 0;
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  // In a full-page picture the header stands at the scroll position.
  if (fullPage) await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({
    path: `gallery/${name}--${colorScheme}--${size.width}x${size.height}.png`,
    fullPage,
  });
}
