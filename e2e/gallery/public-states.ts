import { areaText } from '#words/area.ts';
import { TYPED_CODE } from '#server/testing/people.ts';
import { PASSWORD } from '../fixtures.ts';
import {
  type Step,
  answer,
  at,
  go,
  hold,
  hurry,
  lose,
  open,
  press,
  refuse,
  signInAs,
  withNothingSet,
  withRegistered,
  write,
} from './steps.ts';

const EMAIL = 'maya.lindqvist@northwind.example';
const MASKED = 'm•••@northwind.example';
const OTP = `/login?contact=${MASKED}`;

const DIGEST = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9';
const CONFIRM = `/verifyemail?digest=${DIGEST}`;
const USED = 'This link no longer works';
const EXPIRED = 'This link has expired';

const logIn = (password = PASSWORD): Step => [
  open('/login'),
  write('Email', EMAIL),
  write('Password', password),
];
const signIn: Step = [logIn(), press('Continue')];
const signUp = (password = PASSWORD): Step => [
  open('/signup'),
  write('Email', EMAIL),
  write('Password', password),
  press('Create my free account'),
];
const askForMail = (email = EMAIL): Step => [
  open('/forgotpassword'),
  write('Email', email),
  press('Send me a link'),
];
const choose = (path: string, submit: string, password = PASSWORD, repeat = password): Step => [
  open(`${path}digest=${DIGEST}`),
  write('New password', password),
  write('Repeat password', repeat),
  press(submit),
];
const reset = (password?: string, repeat?: string) =>
  choose('/resetpassword?', 'Update password', password, repeat);
const typeCode = (code: string): Step => [
  open(OTP),
  ({ page }) => page.locator('[name=otp]').pressSequentially(code),
];
const confirm: Step = [open(CONFIRM), write('Password', PASSWORD), press('Confirm my address')];
const notMe: Step = [open(`/notme?digest=${DIGEST}`), press('Sign everybody out')];
const keepAddress: Step = [open(`/restoreemail?digest=${DIGEST}`), press('Keep this address')];

const support = (reason: string, until: string) => at(`/support?reason=${reason}&until=${until}`);

/** Every state of the public pages, keyed by the name of its picture: `screen--state`. */
export const publicStates: Record<string, Step> = {
  'home--open': at('/'),
  'home--registered': [withRegistered, open('/'), 'Invoices'],
  'home--nothing-set': [withNothingSet, open('/')],

  'signup--empty': at('/signup'),
  'signup--hints': [open('/signup'), write('Email', EMAIL), write('Password', 'northwind1')],
  'signup--messages': [open('/signup'), press('Create my free account')],
  'signup--common-password': [signUp('password123'), /lists of common/],
  'signup--taken': [refuse('/api/signup', 'email_id_exist'), signUp(), 'Email Id already exits'],
  'signup--busy': [hold('/api/signup'), signUp()],

  'login--empty': at('/login'),
  'login--last-used': [
    at('/login'),
    ({ page }) => page.evaluate(() => (document.documentElement.dataset['lastUsed'] = 'password')),
  ],
  'login--messages': [open('/login'), press('Continue')],
  'login--password-shown': [logIn(), press('Show password')],
  'login--wrong': [logIn(`${PASSWORD}x`), press('Continue'), 'The Email address or Password is wrong.'],
  'login--too-often': [refuse('/api/signin', 'too_many_requests'), signIn, 'You can try again in 5 minutes.'],
  'login--went-wrong': [lose('/api/signin'), signIn, 'Oops!'],
  'login--session-ended': [
    open('/closetab'),
    ({ page }) =>
      page.evaluate((words) => sessionStorage.setItem('portico-session-ended', words), areaText.sessionEnded),
    open('/login'),
    'Your session has ended.',
  ],
  'login--busy': [hold('/api/signin'), signIn],
  'login--password-updated': [answer('/api/resetpassword'), reset(), 'Password updated'],

  'otp--empty': at(OTP),
  'otp--typing': typeCode('418'),
  'otp--wrong': [refuse('/api/verifyotp', 'otp_invalid'), typeCode(TYPED_CODE), 'Invalid OTP'],
  'otp--busy': [hold('/api/verifyotp'), typeCode(TYPED_CODE)],
  'otp--ended': [
    refuse('/api/verifyotp', 'otp_expired'),
    typeCode(TYPED_CODE),
    'That code is no longer valid.',
  ],

  'forgot--empty': at('/forgotpassword'),
  'forgot--unknown': [
    refuse('/api/forgotpassword', 'user_not_found'),
    askForMail(),
    'Email id does not exist',
  ],
  'forgot--sent': [answer('/api/forgotpassword'), askForMail(), EMAIL],
  'forgot--sent-again': [
    answer('/api/forgotpassword'),
    askForMail('maya@gmail.com'),
    press('Send it again'),
    'A new email is on its way.',
  ],

  'verify--ask': at('/verifyaccount'),
  'verify--sent': [open('/verifyaccount'), write('Email', EMAIL), press('Send a new link'), MASKED],

  'confirm--checking': [hold('/api/ustat'), open(CONFIRM)],
  'confirm--password': [open(CONFIRM), 'Set a new password instead'],
  'confirm--wrong': [refuse('/api/verifyemail', 'wrong_password'), confirm, 'Invalid crendentials'],
  'confirm--done': [answer('/api/verifyemail', { password_needed: 0 }), confirm, 'Your address is confirmed'],
  'confirm--press': [
    signInAs('maya'),
    refuse('/api/verifyemail', 'unavailable'),
    open(CONFIRM),
    'Confirm my address',
  ],
  'confirm--done-signed-in': [
    signInAs('maya'),
    answer('/api/verifyemail', { password_needed: 0 }),
    open(CONFIRM),
    'Your address is confirmed',
  ],
  'confirm--incomplete': at('/verifyemail'),
  'confirm--used': [confirm, USED],
  'confirm--expired': [refuse('/api/verifyemail', 'digest_expired'), confirm, EXPIRED],

  'reset--empty': at(`/resetpassword?digest=${DIGEST}`),
  'reset--messages': [reset('short', 'other'), /not the same/],
  'reset--same': [refuse('/api/resetpassword', 'same_password'), reset(), /must differ/],
  'reset--used': [reset(), USED],
  'reset--expired': [refuse('/api/resetpassword', 'digest_expired'), reset(), EXPIRED],
  'create--empty': at(`/createpassword?confirmed=true&digest=${DIGEST}`),
  'create--used': [choose('/createpassword?confirmed=true&', 'Save and continue'), USED],

  'notme--ask': at(`/notme?digest=${DIGEST}`),
  'notme--incomplete': at('/notme'),
  'notme--used': [notMe, USED],
  'notme--expired': [refuse('/api/notme', 'digest_expired'), notMe, EXPIRED],

  'restoreemail--ask': at(`/restoreemail?digest=${DIGEST}`),
  'restoreemail--incomplete': at('/restoreemail'),
  'restoreemail--used': [keepAddress, USED],
  'restoreemail--taken': [
    refuse('/api/restoreemail', 'email_id_exist'),
    keepAddress,
    'This address has another account',
  ],
  'verifyemail--new-address': at(`/verifyemail?new=1&digest=${DIGEST}`),

  'support--contact': at('/support'),
  'support--nobody-named': [withNothingSet, open('/support')],
  'support--deactivated': support('deactivated', '2027-01-20T09:00:00Z'),
  'support--last-day': support('deactivated', '2026-11-23T18:00:00Z'),
  'support--erased': support('deactivated', '2026-11-01T09:00:00Z'),
  'support--restricted': support('restricted', '2026-11-24T07:30:00Z'),
  'support--restricted-over': support('restricted', '2026-11-22T07:30:00Z'),

  'closetab--open': at('/closetab'),
  'closetab--by-hand': [open('/closetab'), press('Close this tab'), 'close it by hand'],

  'failed--public-page': [lose('/support-page*.js'), open('/support')],
  'failed--public-script': [lose('/assets/public-*.js'), go('/login'), hurry],
};
