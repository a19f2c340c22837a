import { expect, PASSWORD } from '../fixtures.ts';
import {
  type Step,
  answer,
  at,
  atAs,
  dialog,
  follow,
  go,
  hold,
  hurry,
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

/** Every state of the signed-in area, and the pages beside it. */
export const areaStates: Record<string, Step> = {
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
};
