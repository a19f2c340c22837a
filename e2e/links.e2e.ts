import type { Page } from '@playwright/test';
import { expect, judge, PASSWORD, refuseOnce, test } from './fixtures.ts';

// Every page of a mailed link: what it says of a link that is incomplete, used or out of date, and the way on.

const DIGEST = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9';
const dead = {
  missing: 'This link is not complete',
  digest_invalid: 'This link no longer works',
  digest_expired: 'This link has expired',
};

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
/** Chooses a password by keyboard. */
async function choose(page: Page) {
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat password').fill(PASSWORD);
  await page.keyboard.press('Enter');
}
const newReset = { link: 'Send me a new link', to: '/forgotpassword' };
const pages = [
  { path: '/resetpassword', call: '/api/resetpassword', act: choose, on: newReset },
  { path: '/createpassword?confirmed=true', call: '/api/resetpassword', act: choose, on: newReset },
  {
    path: '/verifyemail',
    call: '/api/verifyemail',
    act: press('Set a new password instead'),
    on: { link: 'Forgot your password?', to: '/forgotpassword' },
  },
  {
    path: '/notme',
    call: '/api/notme',
    act: press('Sign everybody out'),
    on: { link: 'Choose a new password', to: '/forgotpassword' },
  },
  {
    path: '/restoreemail',
    call: '/api/restoreemail',
    act: press('Keep this address'),
    on: { link: 'Choose a new password', to: '/forgotpassword' },
  },
  {
    path: '/restoreaccount',
    call: '/api/restoreaccount',
    act: press('Restore my account'),
    on: { link: 'Sign in', to: '/login' },
  },
];

for (const { path, call, act, on } of pages)
  test(`the link of ${path} says why it is dead, and a character too many is cut off`, async ({ page }) => {
    const withDigest = (digest: string) => `${path}${path.includes('?') ? '&' : '?'}digest=${digest}`;
    const heading = page.getByRole('heading', { level: 1 });
    const expectDead = async (why: keyof typeof dead) => {
      await expect(heading).toHaveText(dead[why]);
      await expect(page.getByRole('link', { name: on.link, exact: true })).toHaveAttribute('href', on.to);
    };
    for (const code of ['digest_invalid', 'digest_expired'] as const) {
      await page.goto('about:blank');
      await page.goto(withDigest(`${DIGEST}).`));
      await expect(heading).not.toHaveText(dead.missing);
      await expect(page).not.toHaveURL(/digest/);
      await refuseOnce(page, call, 410, { code, details: 'Dead.' });
      await act(page);
      await expectDead(code);
      await expect(heading).toBeFocused();
    }
    await judge(page);
    await page.goto('about:blank');
    await page.goto(withDigest(DIGEST.slice(1)));
    await expectDead('missing');
    await page.reload();
    await expectDead('missing');
  });
