import {
  FAILED,
  type Step,
  answer,
  atAs,
  change,
  dialog,
  follow,
  go,
  hold,
  openBlank,
  press,
  refuse,
  signInAs,
} from './steps.ts';

const RULE = '/api/orgs/secondstep*';
const settings = atAs('maya', '/northwind-traders/organization');
const rule = { rule: 'none', from: null, holds: 0, members: 12, without_any: 7, without_strong: 9 };

/** Chooses the strictest rule. */
const choose: Step = [
  answer(RULE, rule),
  settings,
  ({ page }) => page.getByLabel('Members need').selectOption('strong'),
  '9 of 12 members',
];
const save: Step = [
  ({ page }) => {
    const card = page.locator('form').filter({ hasText: 'Second step of members' });
    return card.getByRole('button', { name: 'Save changes' }).click();
  },
  dialog(''),
];

const asking = {
  Id: 7,
  OrgName: 'Harbour Logistics',
  OrgUrlName: 'harbour-logistics',
  rule: 'strong',
  from: '2026-12-01T00:00:00Z',
  is_closed: 0,
  is_ready: 0,
};
/** An organization asks for a second step of the person. If it is closed, no organization is open. */
const asks = (more: Partial<typeof asking>) =>
  change<object>('/api/init*', (response) => {
    const awaiting_second_step = [{ ...asking, ...more }];
    const none = { default_organizations: null, Roles: [], organizations_users: [] };
    Object.assign(response, { awaiting_second_step }, more.is_closed && none);
  });

const closed = (more: Partial<typeof asking>): Step => [
  asks({ ...more, is_closed: 1 }),
  atAs('lena', '/'),
  'Harbour Logistics requires a second step',
];

/** Every state of the rule, of its notices and of the offer of a passkey. */
export const secondStepRuleStates: Record<string, Step> = {
  'rule--chosen': choose,
  'rule--confirm': [choose, save],
  'rule--own-first': [
    choose,
    save,
    ({ page }) => page.unroute(`**${RULE}`),
    refuse(RULE, 'second_step_required'),
    press('Require it'),
    'You do not meet this yourself yet',
  ],
  'rule--holds': [
    answer(RULE, { ...rule, rule: 'any', from: '2026-11-01T00:00:00Z', holds: 1 }),
    settings,
    /^In effect since/,
  ],
  'rule--loading': [hold(RULE), settings],
  'rule--failed': [refuse(RULE, 'internal_error'), settings, FAILED],
  'second-step--banner': [asks({}), atAs('maya', '/northwind-traders/myapps'), 'Harbour Logistics requires'],
  'second-step--closed': closed({}),
  'second-step--ready': closed({ rule: 'any', is_ready: 1 }),
  'second-step--profile': [closed({}), follow('Set one up'), 'Set one up on My Profile'],
  'passkey--offer': [
    answer('/api/passkeys/offer', { is_open: 1 }),
    ({ page }) => openBlank(page),
    ({ page }) => page.evaluate(() => sessionStorage.setItem('portico-password-sign-in', 'yes')),
    ({ page }) =>
      page.addInitScript(() => {
        // States after this one may share its page, but not its storage. A blank page lacks these interfaces.
        if (!('PublicKeyCredential' in globalThis) || sessionStorage.length === 0) return;
        PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = () => Promise.resolve(true);
      }),
    signInAs('maya'),
    go('/northwind-traders/myapps'),
    dialog(''),
  ],
};
