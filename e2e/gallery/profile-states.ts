import type { Page } from '@playwright/test';
import { expect, PASSWORD } from '../fixtures.ts';
import { choose, pictureFile } from '../pictures.ts';
import type { Stage } from './cast.ts';
import { answer, atAs, hold, lose, press, type Reach, refuse, see, write } from './steps.ts';

const profile = atAs('maya', '/northwind-traders/myprofile');

/** The page with other data about the person. */
const withPerson =
  (patch: object): Reach =>
  async (stage) => {
    await stage.page.route('**/api/init*', async (route) => {
      const json = (await (await route.fetch()).json()) as { response: { user_information: object } };
      Object.assign(json.response.user_information, patch);
      await route.fulfill({ json });
    });
    await profile(stage);
  };
const PENDING = { pending_email: 'maya.lindqvist@harbour-logistics.example' };
const PICTURE = { profile_picture_url: '/icon-dark.svg' };

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const save = (page: Page, title: string) =>
  card(page, title).getByRole('button', { name: 'Save changes' }).click();
const contact = 'Contact information';
const password = 'Change password';

async function fillPasswords(page: Page, current: string, chosen: string, again = chosen) {
  await write(page, 'Current password', current);
  await write(page, 'New password', chosen);
  await write(page, 'Confirm new password', again);
}
async function crop({ page }: Stage) {
  await choose(page, 'Add picture', await pictureFile(page, '#0a6b60', 900, 600));
  await expect(page.getByRole('dialog', { name: 'Crop your picture' })).toBeVisible();
}
const connected = ['Sign', 'Paperboat', 'Harbour Analytics of the North and the Far West', 'قوارب'].map(
  (name, at) => ({
    id: at + 1,
    name,
    organization: at === 1 ? null : 'Northwind Traders',
    icon: at === 0 ? '/icon-light.svg' : null,
    is_first_party: at === 0 ? 1 : 0,
    is_own: at === 2 ? 1 : 0,
    scopes: ['openid', 'profile', 'email', ...(at === 0 ? ['organization'] : [])],
    since: '2026-03-02T09:00:00.000Z',
    last_used: '2026-03-02T10:14:00.000Z',
  }),
);
const linked = (facebook: 0 | 1, google: 0 | 1) => [
  { provider: 'facebook', linked: facebook, available: 1 },
  { provider: 'google', linked: google, available: 1 },
];

/** Every state of My Profile beyond its first card. */
export const profileStates: Record<string, Reach> = {
  'picture--shown': withPerson(PICTURE),
  'picture--remove': async (stage) => {
    await withPerson(PICTURE)(stage);
    await press(stage.page, 'Remove picture');
    await see(stage.page, 'Remove your picture?');
  },
  'picture--hover': async (stage) => {
    await profile(stage);
    await stage.page.getByRole('group', { name: 'Profile picture' }).dispatchEvent('dragover');
  },
  'picture--too-large': async (stage) => {
    await profile(stage);
    const buffer = Buffer.alloc(5_242_881);
    await choose(stage.page, 'Add picture', { name: 'me.png', mimeType: 'image/png', buffer });
    await see(stage.page, 'The file is larger than 5 MB.');
  },
  'picture--crop': async (stage) => {
    await profile(stage);
    await crop(stage);
  },
  'picture--uploading': async (stage) => {
    await profile(stage);
    await crop(stage);
    await hold(stage.page, '/drive/profile');
    await press(stage.page, 'Save image');
    await see(stage.page, /^Uploading/);
  },
  'picture--refused': async (stage) => {
    await profile(stage);
    await crop(stage);
    await refuse(stage.page, '/drive/profile', 'too_many_requests');
    await press(stage.page, 'Save image');
    await see(stage.page, 'Too many tries');
  },

  'contact--pending': withPerson(PENDING),
  'contact--first-pending': withPerson({ ...PENDING, email: null, has_password: 0 }),
  'contact--messages': async (stage) => {
    await profile(stage);
    await write(stage.page, 'Email', 'maya');
    await save(stage.page, contact);
    await see(stage.page, 'Please enter a valid email address.');
  },
  'contact--taken': async (stage) => {
    await profile(stage);
    await refuse(stage.page, '/api/user', 'email_id_exist');
    await write(stage.page, 'Email', 'otto@northwind.example');
    await write(stage.page, 'Phone', '+46 70 123 45 67');
    await save(stage.page, contact);
    await see(stage.page, 'Email Id already exits');
  },
  'contact--no-changes': async (stage) => {
    await withPerson({ contact_number: '070-123 45 67' })(stage);
    await refuse(stage.page, '/api/user', 'no_changes');
    await write(stage.page, 'Phone', '070-123 45 67 ');
    await save(stage.page, contact);
    await see(stage.page, 'No changes');
  },

  'password--messages': async (stage) => {
    await profile(stage);
    await fillPasswords(stage.page, PASSWORD, `"short`, 'other');
    await save(stage.page, password);
    await see(stage.page, 'The two passwords are not the same.');
  },
  'password--wrong': async (stage) => {
    await profile(stage);
    await refuse(stage.page, '/api/changepassword', 'wrong_password');
    await fillPasswords(stage.page, `not ${PASSWORD}`, 'a wholly other arch');
    await save(stage.page, password);
    await see(stage.page, 'Invalid crendentials');
  },
  'password--too-many': async (stage) => {
    await profile(stage);
    await refuse(stage.page, '/api/changepassword', 'too_many_requests');
    await fillPasswords(stage.page, `not ${PASSWORD}`, 'a wholly other arch');
    await save(stage.page, password);
    await see(stage.page, 'Too many tries');
  },
  'password--saved': async (stage) => {
    await profile(stage);
    await answer(stage.page, '/api/changepassword');
    await fillPasswords(stage.page, PASSWORD, 'a wholly other arch');
    await save(stage.page, password);
    await see(stage.page, 'Password updated.');
  },

  'social-only--open': withPerson({ has_password: 0 }),
  'social-only--link-sent': async (stage) => {
    await withPerson({ has_password: 0 })(stage);
    await answer(stage.page, '/api/forgotpassword');
    await press(stage.page, 'Mail me a link');
    await see(stage.page, 'We mailed a link to');
  },
  'social-only--no-address': withPerson({ has_password: 0, email: null, confirmed: 0 }),
  'linked--one': async (stage) => {
    await answer(stage.page, '/api/auth/linked', linked(0, 1));
    await profile(stage);
    await see(stage.page, 'Linked sign-ins');
  },
  'linked--disconnecting': async (stage) => {
    await answer(stage.page, '/api/auth/linked', linked(0, 1));
    await profile(stage);
    await press(stage.page, 'Disconnect Google');
    await see(stage.page, 'Disconnect Google?');
  },
  'linked--only-way': async (stage) => {
    await withPerson({ has_password: 0 })(stage);
    await answer(stage.page, '/api/auth/linked', linked(0, 1));
    await stage.page.reload();
    await see(stage.page, 'Your last way to sign in');
  },
  'linked--loading': async (stage) => {
    await hold(stage.page, '/api/auth/linked');
    await profile(stage);
  },
  'connected--many': async (stage) => {
    await answer(stage.page, '/api/applications/connected', connected);
    await profile(stage);
    await see(stage.page, 'Paperboat');
  },
  'connected--removing': async (stage) => {
    await answer(stage.page, '/api/applications/connected', connected);
    await profile(stage);
    await press(stage.page, 'Remove access of Paperboat');
    await see(stage.page, 'Remove access of Paperboat?');
  },
  'connected--loading': async (stage) => {
    await hold(stage.page, '/api/applications/connected');
    await profile(stage);
  },
  'connected--failed': async (stage) => {
    await lose(stage.page, '/api/applications/connected');
    await profile(stage);
    await see(stage.page, 'This could not be loaded');
  },
  'linked--failed': async (stage) => {
    await lose(stage.page, '/api/auth/linked');
    await profile(stage);
    await see(stage.page, 'This could not be loaded');
  },
};
