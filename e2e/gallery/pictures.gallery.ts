import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { inLanguage } from '#server/language.ts';
import { expectAccessible, expectNoSideScroll } from '../fixtures.ts';
import { test } from './cast.ts';
import { spokenStates } from './spoken-states.ts';
import { NOW, states } from './states.ts';

// Pictures every screen and state in both themes and two sizes, and the most seen ones in each language, where axe
// checks them. None may be wider than its window. Run with `npm run gallery`.

const wanted = process.env['GALLERY'] ?? '';
const themes = ['light', 'dark'] as const;
const desktop = { width: 1360, height: 900 };
/** The narrowest supported window, and 1280 by 800 at 200 %: neither may scroll sideways. */
const narrow = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
];
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

test.use({ timezoneId: 'Europe/Stockholm', locale: 'en-GB' });

for (const [name, reach] of Object.entries(states))
  if (name.startsWith(wanted))
    test(name, async ({ page, as, portal }) => {
      await page.clock.setFixedTime(NOW);
      await page.setViewportSize(desktop);
      await reach({ page, as, portal });
      for (const viewport of [desktop, { width: 390, height: 844 }])
        for (const theme of themes) await picture(page, name, viewport, theme);
      for (const viewport of narrow) {
        await page.setViewportSize(viewport);
        await expectNoSideScroll(page);
      }
    });

for (const [at, language] of readdirSync('languages')
  .map((file) => file.replace('.arb', ''))
  .entries())
  test.describe(language, () => {
    test.use({ locale: language });
    for (const [state, reach] of spokenStates)
      if (`languages--${state}`.startsWith(wanted))
        test(state, async ({ page, as, portal }) => {
          await page.clock.setFixedTime(NOW);
          await page.setViewportSize(desktop);
          await inLanguage(language, () => reach({ page, as, portal }));
          for (const [turn, viewport] of [desktop, { width: 360, height: 780 }].entries()) {
            await picture(
              page,
              `languages--${state}--${language}`,
              viewport,
              themes[(at + turn) % 2] ?? 'light',
            );
            await expectNoSideScroll(page);
            await expectAccessible(page, state.startsWith('mail') ? ['wcag2a', 'wcag2aa'] : undefined);
          }
        });
  });

async function picture(
  page: Page,
  name: string,
  viewport: { width: number; height: number },
  colorScheme: (typeof themes)[number],
) {
  await page.evaluate(() => document.fonts.ready);
  // An overlay belongs to the window, so its picture is not stretched over the full page.
  const fullPage = (await page.locator(overlays).count()) === 0;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  // In a full-page picture the header stands at the scroll position.
  if (fullPage) await page.evaluate(() => scrollTo(0, 0));
  const path = `gallery/${name}--${colorScheme}--${viewport.width}x${viewport.height}.png`;
  await page.screenshot({ path, fullPage });
}
