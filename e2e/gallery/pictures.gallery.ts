import type { Page } from '@playwright/test';
import { expectNoSideScroll } from '../fixtures.ts';
import { activityStates } from './activity-states.ts';
import { areaStates } from './area-states.ts';
import { test } from './cast.ts';
import { deletionStates } from './deletion-states.ts';
import { deviceStates } from './device-states.ts';
import { invitationStates } from './invitation-states.ts';
import { memberStates } from './member-states.ts';
import { organizationStates } from './organization-states.ts';
import { profileStates } from './profile-states.ts';
import { publicStates } from './public-states.ts';

// A picture of every screen and state, in both themes and two sizes. `npm run gallery` makes them, and sees to it
// that none of them is wider than a narrow window.

const wanted = process.env['GALLERY'] ?? '';
const themes = ['light', 'dark'] as const;
const sizes = { '1360x900': { width: 1360, height: 900 }, '390x844': { width: 390, height: 844 } };
/** The narrowest window there is, and one of 1280 by 800 at 200 %: nothing may need a sideways scroll. */
const narrow = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
];
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';

/** The day of the pictures: what tells dates and times stands still. */
const NOW = new Date('2026-11-23T09:00:00Z');

test.use({ timezoneId: 'Europe/Stockholm', locale: 'en-GB', contextOptions: { reducedMotion: 'reduce' } });

const states = {
  ...publicStates,
  ...areaStates,
  ...profileStates,
  ...organizationStates,
  ...activityStates,
  ...deletionStates,
  ...deviceStates,
  ...memberStates,
  ...invitationStates,
};
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
  // What lies over a page belongs to the window, and is not stretched over all of it.
  const fullPage = (await page.locator(overlays).count()) === 0;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    // A stretched picture has the header where the page was scrolled to.
    if (fullPage) await page.evaluate(() => scrollTo(0, 0));
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `gallery/${name}--${colorScheme}--${size}.png`, fullPage });
    }
  }
}
