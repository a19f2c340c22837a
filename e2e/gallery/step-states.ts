import { renderSVG } from 'uqr';
import {
  type Step,
  answer,
  atAs,
  change,
  dialog,
  follow,
  go,
  openBlank,
  press,
  pressEscape,
  signInAs,
  withoutAnswer,
} from './steps.ts';

const profile = atAs('otto', '/okafor-freight/myprofile');

const passkey = (id: string, more: object) => ({
  id,
  name: null,
  provider: null,
  kind: 'synced',
  created_time: '2026-03-02T09:00:00.000Z',
  last_used_time: '2026-11-23T08:14:00.000Z',
  ...more,
});
const passkeys = [
  passkey('AQ', { name: 'iCloud Keychain', provider: 'iCloud Keychain' }),
  passkey('Ag', {
    name: 'The laptop in the workshop of Harbour Logistics',
    provider: 'Windows Hello',
    kind: 'device',
  }),
  passkey('Aw', { provider: 'YubiKey 5 NFC', name: 'Blue key', kind: 'security-key', last_used_time: null }),
];
const free = { passkey: null, app: null, two_step: null };
const app = { created_time: '2026-03-02T09:00:00.000Z', last_used_time: '2026-11-22T08:14:00.000Z' };
const remembered = ['Safari', 'Firefox'].map((browser_name, at) => ({
  id: `8c1f7f1e-0000-4000-8000-00000000000${at}`,
  browser_name,
  OS_name: 'macOS',
  ip_address: '203.0.113.7',
  location: 'Stockholm, Sweden',
  created_time: '2026-11-02T07:30:00Z',
  expires_time: '2026-12-02T07:30:00Z',
  is_current: at === 0 ? 1 : 0,
}));
const codes = (left: number) => ({ left, created_time: '2026-03-02T09:00:00.000Z' });

type Own = {
  passkeys?: object[];
  locks?: object;
  app?: object | null;
  codes?: object | null;
  browsers?: object[];
};
/** The page of a person with these passkeys and second steps. */
const withSteps = (own: Own): Step => [
  answer('/api/waysin', {
    passkeys: own.passkeys ?? [],
    app: own.app ?? null,
    recovery_codes: own.codes ?? null,
    remembered_browsers: own.browsers ?? [],
    locks: own.locks ?? free,
    required_by: own.locks ? 'Lakeside Studio' : null,
  }),
  profile,
];
const full = { passkeys, app, codes: codes(10) };

const qrCode = renderSVG(
  'otpauth://totp/Northwind:otto%40northwind.example?issuer=Northwind&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  { border: 2 },
);
const setup = {
  link: 'otpauth://totp/Northwind',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  qr_code: qrCode,
  setup: 'sealed',
};
const settingUp = (own: Own, button: string): Step => [
  withSteps(own),
  answer('/api/authenticator/setup', setup),
  press(button),
  dialog('Set up an authenticator app'),
];
const newCodes = Array.from({ length: 10 }, (_, at) => `4F7K${at}-2QX9A`);
const madeCodes: Step = [
  withSteps({}),
  ({ page }) =>
    page.route('**/api/recoverycodes', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ json: { success: true, response: { codes: newCodes } } })
        : route.fallback(),
    ),
  press('Make recovery codes'),
  dialog('Your recovery codes'),
];

const RULE = '/api/orgs/secondstep*';
const settings = atAs('maya', '/northwind-traders/organization');
const met = { proven: 'strong', ready: 'strong', spare: 'strong' };
const rule = { rule: 'none', from: null, holds: 0, members: 12, without_any: 7, without_strong: 9, ...met };

/** Chooses the strictest rule. */
const chooseAs = (own: object): Step => [
  answer(RULE, { ...rule, ...own }),
  settings,
  ({ page }) => page.getByLabel('Members need').selectOption('strong'),
  '9 of 12 members',
];
const choose = chooseAs({});
const atOnce: Step = [choose, ({ page }) => page.getByLabel('At once').check(), 'Lock out 9 of 12 members'];
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

/** Every state of second steps, of an organization’s rule for them, and of the offer of a passkey. */
export const stepStates: Record<string, Step> = {
  'second-steps--none': withSteps({}),
  'second-steps--all': withSteps(full),
  'second-steps--locked': withSteps({
    ...full,
    passkeys: passkeys.slice(0, 1),
    locks: { passkey: 'last_way_in', app: 'second_step_needed', two_step: 'second_step_needed' },
  }),
  'second-steps--most': withSteps({
    passkeys: Array.from({ length: 20 }, (_, at) => passkey(`A${at}`, { name: `Key ${at + 1}` })),
    codes: codes(2),
  }),
  'second-steps--codes-gone': withSteps({ ...full, codes: codes(0) }),
  ...withoutAnswer('second-steps', '/api/waysin', profile),
  'second-steps--turn-on': [
    withSteps({}),
    atAs('maya', '/northwind-traders/myprofile'),
    press('Turn on two-step sign-in'),
    'Make recovery codes, too',
  ],
  'second-steps--browsers': [withSteps({ browsers: remembered }), press('Show browsers'), 'This browser'],
  'passkey--not-made': [
    withSteps({}),
    answer('/api/passkeys/options', { options: {} }),
    ({ page }) => page.evaluate(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential')),
    press('Add a passkey'),
    'cannot use passkeys',
  ],
  'passkey--rename': [
    withSteps(full),
    press('Show passkeys'),
    press('Rename Blue key'),
    dialog('Rename this passkey'),
  ],
  'passkey--remove': [withSteps(full), press('Show passkeys'), press('Remove Blue key'), 'Remove Blue key?'],
  'app--set-up': settingUp({}, 'Set up an app'),
  'app--replace': settingUp(full, 'Replace your authenticator app'),
  'app--remove': [withSteps(full), press('Remove your authenticator app'), 'Remove your authenticator app?'],
  'recovery-codes--shown': madeCodes,
  'recovery-codes--closing': [madeCodes, pressEscape, 'Close without keeping them?'],
  'recovery-codes--renew': [withSteps(full), press('Make new codes'), 'Make new recovery codes?'],
  'rule--chosen': choose,
  'rule--confirm': [choose, save],
  'rule--at-once': atOnce,
  'rule--lock-out': [atOnce, press('Lock out 9 of 12 members'), dialog('Require a second step?')],
  'rule--own-first': chooseAs({ proven: 'none', ready: 'any' }),
  'rule--own-unshown': chooseAs({ proven: 'none' }),
  'rule--spare-first': chooseAs({ spare: 'none' }),
  'rule--holds': [
    answer(RULE, { ...rule, rule: 'any', from: '2026-11-01T00:00:00Z', holds: 1 }),
    settings,
    /^In effect since/,
  ],
  ...withoutAnswer('rule', RULE, settings),
  'second-step--banner': [asks({}), atAs('maya', '/northwind-traders/myapps'), 'Harbour Logistics requires'],
  'second-step--closed': closed({}),
  'second-step--ready': closed({ rule: 'any', is_ready: 1 }),
  'second-step--weak': closed({ rule: 'any' }),
  'second-step--later': [
    asks({}),
    atAs('maya', '/northwind-traders/myapps'),
    follow('Set one up'),
    'Harbour Logistics requires a second step from',
  ],
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
