import { expect, refuseOnce } from './fixtures.ts';
import { test } from './social.ts';

// Each page or card that looks something up: a failure is shown and can be tried again by keyboard.

const lookups: [path: string, call: string, shown: string][] = [
  ['communications', '/api/emailnotify', 'Product updates'],
  ['signindevices', '/api/usersession', 'Active'],
  ['recentactivity', '/api/auditlogs?*', 'created the organization'],
  ['deleteaccount', '/api/deleteaccount', 'What happens'],
  ['organization', '/api/orgusers?*limit=100*', 'Maya Lindqvist (you)'],
  ['myprofile', '/api/waysin', 'Add a passkey'],
  ['myprofile', '/api/auth/linked', 'Connect Facebook'],
  ['myprofile', '/api/applications/connected', 'You have not entered an application yet'],
];

test('a failed look-up says so, and a retry moves the focus to a heading', async ({ page, company }) => {
  const { urlName } = await company();
  for (const [path, call, shown] of lookups)
    await test.step(`${path} ${call}`, async () => {
      await refuseOnce(page, call, 500, { code: 'internal_error', details: 'Oops!' });
      await page.goto(`/${urlName}/${path}`);
      await expect(page.getByText('This could not be loaded')).toBeVisible();
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).press('Enter');
      await expect(
        page
          .getByRole('main')
          .getByText(shown)
          .or(page.getByRole('button', { name: shown }))
          .first(),
      ).toBeVisible();
      await expect(page.getByRole('main').getByRole('heading').and(page.locator(':focus'))).toBeVisible();
    });
});
