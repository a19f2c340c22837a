import { expect, PASSWORD } from '../fixtures.ts';
import { choose, pictureFile } from '../pictures.ts';
import {
  type Reach,
  type Step,
  answer,
  at,
  atAs,
  dialog,
  follow,
  go,
  hold,
  hurry,
  inDialog,
  lose,
  open,
  popup,
  press,
  refuse,
  signInAs,
  withNothingSet,
  withPerson,
  withRegistered,
  write,
  withoutAnswer,
} from './steps.ts';

const PROFILE = '/northwind-traders/myprofile';
const profile = atAs('maya', PROFILE);
const apps = atAs('maya', '/northwind-traders/myapps');

const saveProfile: Step = ({ page }) => page.getByRole('button', { name: 'Save changes' }).first().click();
const openMenu = press(/^Account menu of/);
const askForProof: Step = [
  refuse('/api/mfa', 'reauthentication_required'),
  profile,
  press('Turn on two-step sign-in'),
  ({ page }) =>
    page.getByRole('alertdialog').getByRole('button', { name: 'Turn on two-step sign-in' }).click(),
  dialog('Is it you?'),
];
const addOrganization: Step = [
  profile,
  openMenu,
  ({ page }) => page.getByRole('menuitem', { name: 'Add Organization' }).click(),
  dialog('Here you go!'),
];
const upgrade: Step = [
  refuse('/api/orgs', 'org_max_limit_reached'),
  addOrganization,
  ({ page }) => page.getByRole('dialog').getByLabel('First name').fill('Maya'),
  press('Create organization'),
  'Upgrade your plan?',
];
const isWaiting: Step = ({ page }) => expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');

/** The page with other data about the person. */
const profileWith = (patch: object): Step => [withPerson(patch), profile];
const PENDING = { pending_email: 'maya.lindqvist@harbour-logistics.example' };
const TOO_LARGE = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) };
const PICTURE = { profile_picture_url: '/icon-dark.svg' };

const save =
  (title: string): Reach =>
  ({ page }) =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      .getByRole('button', { name: 'Save changes' })
      .click();
const saveContact = save('Contact information');
const changePassword = (current: string, chosen = 'a wholly other arch', again = chosen): Step => [
  press('Change password'),
  dialog('Change password'),
  write('Current password', current),
  write('New password', chosen),
  write('Confirm new password', again),
  inDialog('Save changes'),
];
const crop: Step = [
  profile,
  async ({ page }) => choose(page, 'Add picture', await pictureFile(page, '#0a6b60', 900, 600)),
  dialog('Crop your picture'),
];
const ONE = answer('/api/auth/linked', [
  { provider: 'facebook', linked: 0, available: 1 },
  { provider: 'google', linked: 1, available: 1 },
]);
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

/** Every state of the area around the pages, and of My Profile. */
export const ownPageStates: Record<string, Step> = {
  'onboarding--empty': atAs('noor', '/'),
  'onboarding--messages': [
    atAs('noor', '/'),
    write('Number of employees', 'many'),
    press('Create organization'),
    'This field is required.',
  ],
  'onboarding--countries': [
    atAs('noor', '/'),
    ({ page }) => page.getByLabel('Country').fill('s'),
    popup('listbox'),
  ],

  'onboarding--no-address': [
    withPerson({ email: null }),
    atAs('noor', '/'),
    press('Create organization'),
    'This field is required.',
  ],
  'onboarding--close-tab': atAs('noor', '/?closeTab=true'),

  'myapps--open': apps,
  'myapps--registered': [withRegistered, apps, 'Invoices'],
  'myapps--nothing-set': [withNothingSet, apps],

  'myprofile--open': profile,
  'myprofile--changed': [profile, write('Designation', 'Head of Operations')],
  'myprofile--messages': [
    profile,
    write('First name', ''),
    write('Last name', '<b>'),
    saveProfile,
    'This field is required.',
  ],
  'myprofile--went-wrong': [lose('/api/user'), profile, write('First name', 'Maj'), saveProfile, 'Oops!'],
  'myprofile--discard': [profile, write('First name', 'Maj'), follow('My Apps'), 'Discard changes?'],
  'myprofile--zones': [profile, ({ page }) => page.getByLabel('Time zone').click(), popup('listbox')],
  'myprofile--unconfirmed': atAs('ines', '/'),
  'myprofile--link-sent': [
    atAs('ines', '/'),
    answer('/api/verifyemail/resend'),
    press('Send again'),
    'We sent a new link',
  ],
  'myprofile--two-step-on': atAs('otto', '/'),

  'proof--password': askForProof,
  'proof--wrong': [
    askForProof,
    ({ page }) => page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(`not ${PASSWORD}`),
    press('Confirm'),
    'Invalid crendentials',
  ],

  'account-menu--one-organization': [profile, openMenu, popup('menu')],
  'account-menu--several': [atAs('lena', '/'), openMenu, popup('menu')],
  'switch--open': [atAs('lena', '/'), press(/^Switch organization/), dialog('Switch organization')],
  'add-organization--open': addOrganization,
  'add-organization--messages': [
    addOrganization,
    write('Organization name', 'Second & Third'),
    write('Number of employees', 'many'),
    press('Create organization'),
    'whole number',
  ],
  'upgrade--open': upgrade,
  'upgrade--no-prices': [withNothingSet, upgrade],
  'menu-sheet--open': [
    ({ page }) => page.setViewportSize({ width: 390, height: 844 }),
    profile,
    ({ page }) => page.getByRole('button', { name: 'Menu', exact: true }).click(),
  ],

  'skeleton--waiting': [signInAs('maya'), hold('/api/init*'), go(PROFILE), isWaiting],
  'skeleton--unconfirmed': [atAs('ines', '/'), hold('/api/init*'), go('/'), isWaiting],
  'failed--area-script': [signInAs('maya'), lose('/assets/area-*.js'), go(PROFILE), hurry],
  'failed--area': [signInAs('maya'), lose('/api/init*'), open(PROFILE)],
  'failed--area-page': [
    signInAs('maya'),
    lose('/assets/my-apps-page*.js'),
    go('/northwind-traders/myapps'),
    'We could not load this page',
  ],

  'api-docs--open': at('/api/docs'),
  'picture--shown': profileWith(PICTURE),
  'picture--remove': [profileWith(PICTURE), press('Remove picture'), 'Remove your picture?'],
  'picture--hover': [
    profile,
    ({ page }) => page.getByRole('group', { name: 'Profile picture' }).dispatchEvent('dragover'),
  ],
  'picture--too-large': [
    profile,
    ({ page }) => choose(page, 'Add picture', TOO_LARGE),
    'The file is larger than 5 MB.',
  ],
  'picture--crop': crop,
  'picture--uploading': [crop, hold('/drive/profile'), press('Save image'), /^Uploading/],
  'picture--refused': [
    crop,
    refuse('/drive/profile', 'too_many_requests'),
    press('Save image'),
    'Too many tries',
  ],

  'contact--pending': profileWith(PENDING),
  'contact--first-pending': profileWith({ ...PENDING, email: null, has_password: 0 }),
  'contact--messages': [profile, write('Email', 'maya'), saveContact, 'Please enter a valid email address.'],
  'contact--taken': [
    profile,
    refuse('/api/user', 'email_id_exist'),
    write('Email', 'otto@northwind.example'),
    write('Phone', '+46 70 123 45 67'),
    saveContact,
    'Email Id already exits',
  ],
  'contact--no-changes': [
    profileWith({ contact_number: '070-123 45 67' }),
    refuse('/api/user', 'no_changes'),
    write('Phone', '070-123 45 67 '),
    saveContact,
    'No changes',
  ],

  'password--messages': [
    profile,
    changePassword(PASSWORD, '"short', 'other'),
    'The two passwords are not the same.',
  ],
  'password--wrong': [
    profile,
    refuse('/api/changepassword', 'wrong_password'),
    changePassword(`not ${PASSWORD}`),
    'Invalid crendentials',
  ],
  'password--too-many': [
    profile,
    refuse('/api/changepassword', 'too_many_requests'),
    changePassword(`not ${PASSWORD}`),
    'Too many tries',
  ],
  'password--saved': [profile, answer('/api/changepassword'), changePassword(PASSWORD), 'Password updated.'],

  'social-only--open': profileWith({ has_password: 0 }),
  'social-only--link-sent': [
    profileWith({ has_password: 0 }),
    answer('/api/forgotpassword'),
    press('Email me a link'),
    'We emailed a link to',
  ],
  'social-only--no-address': profileWith({ has_password: 0, email: null, confirmed: 0 }),
  'linked--one': [ONE, profile, 'Not linked'],
  'linked--disconnecting': [ONE, profile, press('Disconnect Google'), 'Disconnect Google?'],
  'linked--only-way': [
    profileWith({ has_password: 0 }),
    ONE,
    ({ page }) => page.reload(),
    'Your last way to sign in',
  ],
  ...withoutAnswer('linked', '/api/auth/linked', profile),
  'connected--many': [answer('/api/applications/connected', connected), profile, 'Paperboat'],
  'connected--removing': [
    answer('/api/applications/connected', connected),
    profile,
    press('Remove access of Paperboat'),
    'Remove access of Paperboat?',
  ],
  ...withoutAnswer('connected', '/api/applications/connected', profile),
};
