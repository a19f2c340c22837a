import type { Page } from '@playwright/test';
import { answer, open, press, type Reach, refuse, see } from './steps.ts';

type State = 'open' | 'sign_in' | 'create_password' | 'other_account';

const LINK = '/invitation?digest=abc';
const says = (page: Page, state: State) =>
  answer(page, '/api/invitation?*', {
    organization: 'Harbour Logistics',
    role: 'Sales',
    invited_by: 'Lena Brandt',
    email: state === 'open' ? 'maya@northwind.example' : 'm•••@northwind.example',
    state,
  });
const invitation =
  (state: State): Reach =>
  async (stage) => {
    if (state === 'open' || state === 'other_account') await stage.as('maya');
    await says(stage.page, state);
    await open(stage.page, LINK);
  };
const dead =
  (why: 'digest_invalid' | 'digest_expired' | 'unavailable'): Reach =>
  async ({ page }) => {
    await refuse(page, '/api/invitation?*', why);
    await open(page, LINK);
  };
const decline: Reach = async (stage) => {
  await invitation('open')(stage);
  await press(stage.page, 'Decline');
  await see(stage.page, 'Decline the invitation?');
};

/** The invitation page in every state. */
export const invitationStates: Record<string, Reach> = {
  'invitation--open': invitation('open'),
  'invitation--sign-in': invitation('sign_in'),
  'invitation--create-password': invitation('create_password'),
  'invitation--other-account': invitation('other_account'),
  'invitation--decline': decline,
  'invitation--declined': async (stage) => {
    await answer(stage.page, '/api/invitation');
    await decline(stage);
    await press(stage.page, 'Decline invitation');
    await see(stage.page, 'You declined the invitation');
  },
  'invitation--not-confirmed': async (stage) => {
    await refuse(stage.page, '/api/invitation', 'account_not_confirmed');
    await invitation('open')(stage);
    await press(stage.page, 'Join');
    await see(stage.page, 'Please confirm your email address first.');
  },
  'invitation--used': dead('digest_invalid'),
  'invitation--out-of-date': dead('digest_expired'),
  'invitation--failed': dead('unavailable'),
  'invitation--incomplete': ({ page }) => open(page, '/invitation'),
};
