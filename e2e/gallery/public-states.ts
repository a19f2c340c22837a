import type { Page } from '@playwright/test';
import { areaText } from '#contract/text/area.ts';
import { TYPED_CODE } from '#server/testing/people.ts';
import { PASSWORD } from '../fixtures.ts';
import {
  answer,
  at,
  hold,
  hurry,
  lose,
  open,
  press,
  type Reach,
  refuse,
  see,
  withNothingSet,
  withRegistered,
  write,
} from './steps.ts';

const EMAIL = 'maya.lindqvist@northwind.example';
const MASKED = 'm•••@northwind.example';
const OTP = `/login?contact=${MASKED}`;

async function fillIn(page: Page, path: string, submit: string, password = PASSWORD) {
  await open(page, path);
  await write(page, 'Email', EMAIL);
  await write(page, 'Password', password);
  await press(page, submit);
}
const signIn = (page: Page) => fillIn(page, '/login', 'Continue');
const signUp = (page: Page, password?: string) => fillIn(page, '/signup', 'Create my free account', password);

async function askForMail(page: Page, email = EMAIL) {
  await open(page, '/forgotpassword');
  await write(page, 'Email', email);
  await press(page, 'Send me a link');
}

async function choose(page: Page, path: string, submit: string, password = PASSWORD, repeat = password) {
  await open(page, `${path}${path.includes('?') ? '&' : '?'}digest=abc`);
  await write(page, 'New password', password);
  await write(page, 'Repeat password', repeat);
  await press(page, submit);
}
const reset = (page: Page, password?: string, repeat?: string) =>
  choose(page, '/resetpassword', 'Update password', password, repeat);

async function typeCode(page: Page, code: string) {
  await open(page, OTP);
  await page.getByRole('textbox', { name: /^\d-digit code$/ }).pressSequentially(code);
}

async function confirm(page: Page) {
  await open(page, '/verifyemail?digest=abc');
  await write(page, 'Password', PASSWORD);
  await press(page, 'Confirm my address');
}

async function notMe(page: Page) {
  await open(page, '/notme?digest=abc');
  await press(page, 'Sign everybody out');
}

async function keepAddress(page: Page) {
  await open(page, '/restoreemail?digest=abc');
  await press(page, 'Keep this address');
}

const support = (reason: string, until: string) => at(`/support?reason=${reason}&until=${until}`);

/** Every state of the public pages, keyed by the name of its picture: `screen--state`. */
export const publicStates: Record<string, Reach> = {
  'home--open': at('/'),
  'home--registered': async ({ page }) => {
    await withRegistered(page);
    await open(page, '/');
    await see(page, 'Invoices');
  },
  'home--nothing-set': async ({ page }) => {
    await withNothingSet(page);
    await open(page, '/');
  },

  'signup--empty': at('/signup'),
  'signup--hints': async ({ page }) => {
    await open(page, '/signup');
    await write(page, 'Email', EMAIL);
    await write(page, 'Password', 'northwind1');
  },
  'signup--messages': async ({ page }) => {
    await open(page, '/signup');
    await press(page, 'Create my free account');
  },
  'signup--common-password': ({ page }) =>
    signUp(page, 'password123').then(() => see(page, /lists of common/)),
  'signup--taken': async ({ page }) => {
    await refuse(page, '/api/signup', 'email_id_exist');
    await signUp(page);
    await see(page, 'Email Id already exits');
  },
  'signup--busy': async ({ page }) => {
    await hold(page, '/api/signup');
    await signUp(page);
  },

  'login--empty': at('/login'),
  'login--last-used': async (stage) => {
    await at('/login')(stage);
    await stage.page.evaluate(() => (document.documentElement.dataset['lastUsed'] = 'password'));
  },
  'login--messages': async ({ page }) => {
    await open(page, '/login');
    await press(page, 'Continue');
  },
  'login--password-shown': async ({ page }) => {
    await open(page, '/login');
    await write(page, 'Email', EMAIL);
    await write(page, 'Password', PASSWORD);
    await press(page, 'Show password');
  },
  'login--wrong': async ({ page }) => {
    await fillIn(page, '/login', 'Continue', `${PASSWORD}x`);
    await see(page, 'The Email address or Password is wrong.');
  },
  'login--too-often': async ({ page }) => {
    await refuse(page, '/api/signin', 'too_many_requests');
    await signIn(page);
    await see(page, 'You can try again in 5 minutes.');
  },
  'login--went-wrong': async ({ page }) => {
    await lose(page, '/api/signin');
    await signIn(page);
    await see(page, 'Oops!');
  },
  'login--session-ended': async ({ page }) => {
    const { sessionEnded } = areaText;
    await open(page, '/closetab');
    await page.evaluate((words) => sessionStorage.setItem('portico-session-ended', words), sessionEnded);
    await open(page, '/login');
    await see(page, 'Your session has ended.');
  },
  'login--busy': async ({ page }) => {
    await hold(page, '/api/signin');
    await signIn(page);
  },
  'login--password-updated': async ({ page }) => {
    await answer(page, '/api/resetpassword');
    await reset(page);
    await see(page, 'Password updated');
  },

  'otp--empty': at(OTP),
  'otp--typing': ({ page }) => typeCode(page, '418'),
  'otp--wrong': async ({ page }) => {
    await refuse(page, '/api/verifyotp', 'otp_invalid');
    await typeCode(page, TYPED_CODE);
    await see(page, 'Invalid OTP');
  },
  'otp--busy': async ({ page }) => {
    await hold(page, '/api/verifyotp');
    await typeCode(page, TYPED_CODE);
  },
  'otp--ended': async ({ page }) => {
    await refuse(page, '/api/verifyotp', 'otp_expired');
    await typeCode(page, TYPED_CODE);
    await see(page, 'That code is no longer valid.');
  },

  'forgot--empty': at('/forgotpassword'),
  'forgot--unknown': async ({ page }) => {
    await refuse(page, '/api/forgotpassword', 'user_not_found');
    await askForMail(page);
    await see(page, 'Email id does not exist');
  },
  'forgot--sent': async ({ page }) => {
    await answer(page, '/api/forgotpassword');
    await askForMail(page);
    await see(page, EMAIL);
  },
  'forgot--sent-again': async ({ page }) => {
    await answer(page, '/api/forgotpassword');
    await askForMail(page, 'maya@gmail.com');
    await press(page, 'Send it again');
    await see(page, 'A new mail is on its way.');
  },

  'verify--ask': at('/verifyaccount'),
  'verify--sent': async ({ page }) => {
    await open(page, '/verifyaccount');
    await write(page, 'Email', EMAIL);
    await press(page, 'Send a new link');
    await see(page, MASKED);
  },

  'confirm--checking': async ({ page }) => {
    await hold(page, '/api/ustat');
    await open(page, '/verifyemail?digest=abc');
  },
  'confirm--password': async ({ page }) => {
    await open(page, '/verifyemail?digest=abc');
    await see(page, 'Set a new password instead');
  },
  'confirm--wrong': async ({ page }) => {
    await refuse(page, '/api/verifyemail', 'wrong_password');
    await confirm(page);
    await see(page, 'Invalid crendentials');
  },
  'confirm--done': async ({ page }) => {
    await answer(page, '/api/verifyemail', { password_needed: 0 });
    await confirm(page);
    await see(page, 'Your address is confirmed');
  },
  'confirm--press': async ({ page, as }) => {
    await as('maya');
    await refuse(page, '/api/verifyemail', 'unavailable');
    await open(page, '/verifyemail?digest=abc');
    await see(page, 'Confirm my address');
  },
  'confirm--done-signed-in': async ({ page, as }) => {
    await as('maya');
    await answer(page, '/api/verifyemail', { password_needed: 0 });
    await open(page, '/verifyemail?digest=abc');
    await see(page, 'Your address is confirmed');
  },
  'confirm--incomplete': at('/verifyemail'),
  'confirm--used': ({ page }) => confirm(page).then(() => see(page, 'This link no longer works')),
  'confirm--expired': async ({ page }) => {
    await refuse(page, '/api/verifyemail', 'digest_expired');
    await confirm(page);
    await see(page, 'This link is out of date');
  },

  'reset--empty': at('/resetpassword?digest=abc'),
  'reset--messages': ({ page }) => reset(page, 'short', 'other').then(() => see(page, /not the same/)),
  'reset--same': async ({ page }) => {
    await refuse(page, '/api/resetpassword', 'same_password');
    await reset(page);
    await see(page, /must differ/);
  },
  'reset--used': ({ page }) => reset(page).then(() => see(page, 'This link no longer works')),
  'reset--expired': async ({ page }) => {
    await refuse(page, '/api/resetpassword', 'digest_expired');
    await reset(page);
    await see(page, 'This link is out of date');
  },
  'create--empty': at('/createpassword?confirmed=true&digest=abc'),
  'create--used': ({ page }) =>
    choose(page, '/createpassword?confirmed=true', 'Save and continue').then(() =>
      see(page, 'This link no longer works'),
    ),

  'notme--ask': at('/notme?digest=abc'),
  'notme--incomplete': at('/notme'),
  'notme--used': ({ page }) => notMe(page).then(() => see(page, 'This link no longer works')),
  'notme--expired': async ({ page }) => {
    await refuse(page, '/api/notme', 'digest_expired');
    await notMe(page);
    await see(page, 'This link is out of date');
  },

  'restoreemail--ask': at('/restoreemail?digest=abc'),
  'restoreemail--incomplete': at('/restoreemail'),
  'restoreemail--used': ({ page }) => keepAddress(page).then(() => see(page, 'This link no longer works')),
  'restoreemail--taken': async ({ page }) => {
    await refuse(page, '/api/restoreemail', 'email_id_exist');
    await keepAddress(page);
    await see(page, 'This address has another account');
  },
  'verifyemail--new-address': at('/verifyemail?new=1&digest=abc'),

  'support--contact': at('/support'),
  'support--nobody-named': async ({ page }) => {
    await withNothingSet(page);
    await open(page, '/support');
  },
  'support--deactivated': support('deactivated', '2027-01-20T09:00:00Z'),
  'support--last-day': support('deactivated', '2026-11-23T18:00:00Z'),
  'support--erased': support('deactivated', '2026-11-01T09:00:00Z'),
  'support--restricted': support('restricted', '2026-11-24T07:30:00Z'),
  'support--restricted-over': support('restricted', '2026-11-22T07:30:00Z'),

  'closetab--open': at('/closetab'),
  'closetab--by-hand': async ({ page }) => {
    await open(page, '/closetab');
    await press(page, 'Close this tab');
    await see(page, 'close it by hand');
  },

  'failed--public-page': async ({ page }) => {
    await lose(page, '/assets/support-page*.js');
    await open(page, '/support');
  },
  'failed--public-script': async ({ page }) => {
    await lose(page, '/assets/public-*.js');
    await page.goto('/login');
    await hurry(page);
  },
};
