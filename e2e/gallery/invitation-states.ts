import { type Step, answer, open, press, refuse, signInAs } from './steps.ts';

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

/** The invitation page in every state. */
export const invitationStates: Record<string, Step> = {
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
