import type { RefusalName } from '#contract/errors.ts';
import { PASSWORD } from '../fixtures.ts';
import { type Step, answer, hold, open, press, refuse, signInAs, write } from './steps.ts';

const PAGE = '/authorize?request=abc';
const REQUEST = '/api/authorization?*';
const SIGN_OUT = '/api/authorization/signout?*';
const EMAIL = 'maya.lindqvist@northwind.example';
const LONG_EMAIL = 'maria-magdalena.von-hohenstein-lindqvist@accounting.northwind-traders.example';

const paperboat = {
  name: 'Paperboat',
  icon: null,
  organization: null,
  is_first_party: 0,
  host: 'paperboat.example',
};
const sign = { ...paperboat, name: 'Sign', is_first_party: 1, host: 'sign.northwind.example' };
const books = {
  ...paperboat,
  name: 'Books',
  organization: 'Northwind Traders',
  host: 'books.northwind.example',
};
const longName = {
  ...paperboat,
  name: 'Paperboat for timesheets, expenses and everything that a travelling team writes down',
  host: 'sign-in.production.europe-north.paperboat-applications.example',
};

const request = (step: string, more: object = {}) => ({
  step,
  application: sign,
  person: 'x',
  signed_in_as: EMAIL,
  login_hint: null,
  proof: null,
  scopes: ['openid'],
  organizations: [],
  error_url: null,
  ...more,
});
const organization = (
  id: number,
  name: string,
  may_enter = 1,
  needs: 'company' | 'second-step' | null = null,
) => ({
  id,
  name,
  url_name: name.toLowerCase().replaceAll(' ', '-'),
  may_enter,
  needs,
});

/** The page of a request that waits for this step. */
const waiting = (step: string, more: object = {}): Step => [
  answer(REQUEST, request(step, more)),
  open(PAGE),
  ({ page }) =>
    page.getByRole('heading', { level: 1, name: /\?$|you$|step$|company$|may not use/ }).waitFor(),
];
const error = (code: string, words: string, reference = '&reference=0123456789ab'): Step => [
  open(`/authorize?error=${code}${reference}`),
  words,
];

const proving = (refusal: RefusalName, words: string): Step => [
  refuse('/api/reauthenticate', refusal),
  waiting('confirm', { proof: 'password' }),
  write('Password', PASSWORD),
  press('Continue'),
  words,
];
const askedToSignOut = (application: string | null): Step => [
  answer(SIGN_OUT, { application, url: 'https://sign.northwind.example/' }),
  open('/signout?request=abc'),
  'Stay signed in',
];
const everyScope = ['openid', 'profile', 'email', 'phone', 'organization', 'offline_access'];
const twoOrganizations = [
  organization(1, 'Northwind Traders'),
  organization(2, 'Lindqvist & Daughters'),
  organization(3, 'Harbour Logistics', 0),
  organization(4, 'Lakeside Studio', 0, 'company'),
];

type State = 'open' | 'sign_in' | 'create_password' | 'other_account';

const LINK = '/invitation?digest=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9';
const invitation = (state: State): Step => [
  state === 'open' || state === 'other_account' ? signInAs('maya') : [],
  answer('/api/invitation?*', {
    organization: 'Harbour Logistics',
    role: 'Sales',
    invited_by: 'Lena Brandt',
    email: state === 'open' ? 'maya@northwind.example' : 'm•••@northwind.example',
    state,
  }),
  open(LINK),
];
const dead = (why: 'digest_invalid' | 'digest_expired' | 'unavailable'): Step => [
  refuse('/api/invitation?*', why),
  open(LINK),
];
const decline: Step = [invitation('open'), press('Decline'), 'Decline the invitation?'];

/** Every state of the pages between an application or an invitation and the person. */
export const requestStates: Record<string, Step> = {
  'authorize--opening': [hold(REQUEST), open(PAGE)],
  'authorize--consent': [
    answer(REQUEST, request('consent', { application: paperboat, scopes: everyScope })),
    open(PAGE),
    'Paperboat',
  ],
  'authorize--consent-long': waiting('consent', {
    application: longName,
    scopes: everyScope,
    signed_in_as: LONG_EMAIL,
    organizations: [organization(1, 'Northwind Traders')],
  }),
  'authorize--consent-icon': waiting('consent', { application: { ...paperboat, icon: '/icon-light.svg' } }),
  'authorize--consent-busy': [
    waiting('consent', { application: { ...paperboat, host: null } }),
    hold('/api/authorization'),
    press('Allow'),
  ],
  'authorize--organization': waiting('organization', { organizations: twoOrganizations }),
  'authorize--organization-many': waiting('organization', {
    organizations: Array.from({ length: 30 }, (_, at) => organization(at + 1, `Branch office ${at + 1}`)),
  }),
  'authorize--second-step': waiting('second-step', {
    application: books,
    organizations: [organization(1, 'Northwind Traders', 0, 'second-step')],
  }),
  'authorize--company': waiting('company', {
    application: books,
    organizations: [organization(1, 'Northwind Traders', 0, 'company')],
  }),
  'authorize--second-step-sign-in': waiting('second-step', { proof: 'sign-in' }),
  'authorize--account': waiting('account', { application: books }),
  'authorize--no-entry': waiting('no-entry', { application: books }),
  'authorize--account-long': waiting('account', { application: longName, signed_in_as: LONG_EMAIL }),
  'authorize--confirm': waiting('confirm', { application: books, proof: 'password' }),
  'authorize--confirm-wrong': proving('wrong_password', 'Invalid crendentials'),
  'authorize--confirm-too-often': proving('too_many_requests', 'You can try again in 5 minutes.'),
  'authorize--confirm-code': waiting('confirm', { proof: 'mail' }),
  'authorize--confirm-code-mailed': [
    answer('/api/reauthenticate/code', { contact: 'm•••@northwind.example', wait_s: 30 }),
    waiting('confirm', { proof: 'mail' }),
    press('Email me a code'),
    'We sent a 6-digit code to',
  ],
  'authorize--confirm-passkey': [
    answer('/api/reauthenticate', { ways: ['passkey', 'app', 'mail'] }),
    waiting('confirm', { proof: 'passkey' }),
    'Get a code by email',
  ],
  'authorize--confirm-sign-in': waiting('confirm', { proof: 'sign-in', signed_in_as: 'Maya Lindqvist' }),
  'authorize--went-on-lost': [
    answer(REQUEST, request('go-on')),
    refuse('/api/authorization', 'unavailable'),
    open(PAGE),
    ({ page }) => page.getByRole('button', { name: 'Continue' }).waitFor(),
  ],
  'authorize--unanswered': [refuse(REQUEST, 'unavailable'), open(PAGE), 'This page did not load'],
  'authorize--missing': [open('/authorize'), 'No application has sent you here'],
  'authorize--expired': [open(PAGE), 'This sign-in has ended'],
  'authorize--unknown-client': error('invalid_client', 'No application with this client ID'),
  'authorize--wrong-redirect': error('invalid_redirect_uri', 'that it has not registered'),
  'authorize--wrong-request': error('invalid_request', 'incomplete or contradicts itself'),
  'authorize--missing-parameter': error('missing_parameter', 'every request needs is missing'),
  'authorize--wrong-hint': error('invalid_hint', 'not one that this application got here'),
  'authorize--overloaded': error('overloaded', 'Too many people are here', ''),
  'authorize--server-error': error('server_error', 'Something went wrong here'),
  'authorize--other-error': error('temporarily_strange', 'does not follow the rules'),

  'signout--ask': askedToSignOut('Sign'),
  'signout--ask-unnamed': askedToSignOut(null),
  'signout--ask-long': askedToSignOut(longName.name),
  'signout--opening': [hold(SIGN_OUT), open('/signout?request=abc')],
  'signout--unasked': [signInAs('maya'), open('/signout'), 'No application asks for it any more.'],
  'signout--unanswered': [
    refuse(SIGN_OUT, 'unavailable'),
    open('/signout?request=abc'),
    'This page did not load',
  ],
  'signout--signed-out': [open('/signout'), 'You are signed out'],
  'invitation--open': invitation('open'),
  'invitation--sign-in': invitation('sign_in'),
  'invitation--create-password': invitation('create_password'),
  'invitation--other-account': invitation('other_account'),
  'invitation--decline': decline,
  'invitation--declined': [
    answer('/api/invitation'),
    decline,
    press('Decline invitation'),
    'You declined the invitation',
  ],
  'invitation--not-confirmed': [
    refuse('/api/invitation', 'account_not_confirmed'),
    invitation('open'),
    press('Join'),
    'Please confirm your email address first.',
  ],
  'invitation--used': dead('digest_invalid'),
  'invitation--out-of-date': dead('digest_expired'),
  'invitation--failed': dead('unavailable'),
  'invitation--incomplete': open('/invitation'),
};
