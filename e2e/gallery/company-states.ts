import {
  type Step,
  answer,
  atAs,
  change,
  dialog,
  open,
  press,
  refuse,
  withoutAnswer,
  write,
} from './steps.ts';

const HOME = '/northwind-traders/organization';
const DOMAINS = '/api/orgs/domains?*';
const page = atAs('maya', `${HOME}/signin`);
const settings = atAs('maya', HOME);

const ROLES = [
  { id: 901, name: 'Super Admin', created_by: 'Maya Lindqvist', is_admin: 1, is_system: 1, members: 1 },
  { id: 903, name: 'Sales', created_by: 'Maya Lindqvist', is_admin: 0, is_system: 0, members: 3 },
].map((role) => ({ ...role, created_time: '2026-11-02T09:00:00Z' }));
const domain = (id: number, name: string, more: object = {}) => ({
  id,
  domain: name,
  record_name: `_portico-challenge.${name}`,
  record_value: 'portico-domain=Xk3vJm0c7yQ2dLr9sT5uBw8zNfA',
  joining: 'invitation',
  role_id: null,
  proven_time: '2026-11-02T09:00:00Z',
  checked_time: '2026-11-23T04:00:00Z',
  missing_since: null,
  ...more,
});
const WAITING = domain(1, 'northwind-traders.example', { proven_time: null, checked_time: null });
const all: Step = [
  answer('/api/role?*', ROLES),
  answer(DOMAINS, [
    WAITING,
    domain(2, 'northwind.example', { joining: 'click', role_id: 903 }),
    domain(3, 'accounting.scandinavia.northwind-international-holding.example', {
      joining: 'ask',
      missing_since: '2026-11-21T04:00:00Z',
    }),
  ]),
  page,
  'People join with one click, as Sales.',
];
const found = (found: string, records: string[] = []): Step => [
  all,
  answer('/api/orgs/domains/check', { domain: WAITING, found, records }),
  press('Check now: northwind-traders.example'),
];

const provider = (id: number, more: object = {}) => ({
  id,
  is_on: 0,
  issuer: 'https://login.microsoftonline.com/6f2c8d1e-0b7a-4a53-9d0e-2c1b7f5e9a40/v2.0',
  client_id: '0b9d6c1f-7a3e-4f0c-8a51-3c2f9d8e7b60',
  kind: 'entra',
  redirect_url: `https://accounts.northwind.example/api/auth/company/${id}`,
  logout_url: `https://accounts.northwind.example/api/auth/company/${id}/logout`,
  has_secret: 1,
  has_next_secret: 0,
  secret_ends: null,
  declares_step: 1,
  role_id: 903,
  tested_time: null,
  created_time: '2026-11-02T09:00:00Z',
  linked: 12,
  ...more,
});
const attempt = (outcome: string, more: object = {}) => ({
  reference: `${outcome}01`.slice(-8).toUpperCase(),
  time: '2026-11-23T08:10:00Z',
  is_test: 0,
  email: 'ken.ito@northwind.example',
  outcome,
  problem: '',
  said_in_address: 0,
  claims: null,
  ...more,
});
const connected: Step = [
  answer('/api/role?*', ROLES),
  answer(DOMAINS, [domain(2, 'northwind.example')]),
  answer('/api/orgs/connections?*', [
    provider(1, { is_on: 1, tested_time: '2026-11-03T09:00:00Z', secret_ends: '2026-12-20T00:00:00Z' }),
    provider(2, { issuer: '', client_id: '', has_secret: 0, declares_step: 0, role_id: null }),
  ]),
  answer('/api/orgs/connections/attempts?*', [
    attempt('otherDomain', {
      is_test: 1,
      email: 'ken@elsewhere.example',
      claims: [
        { name: 'iss', value: 'https://login.microsoftonline.com/6f2c8d1e-0b7a-4a53-9d0e-2c1b7f5e9a40/v2.0' },
        { name: 'email', value: 'ken@elsewhere.example' },
      ],
    }),
    attempt('wrongSecret', {
      email: null,
      problem: 'invalid_client: AADSTS7000222: The secret has expired.',
    }),
    attempt('signedIn'),
  ]),
  answer('/api/orgs/companyrule?*', {
    rule: 'addresses',
    from: '2026-12-01T00:00:00Z',
    holds: 0,
    members: 42,
    unlinked: 12,
    unlinked_of_addresses: 9,
    has_entered: 0,
    has_strong_step: 0,
    is_step_ready: 0,
  }),
  page,
  'The provider refused our secret.',
];
const RULE = 'Must sign in through the company';
const directory: Step = [
  answer('/api/role?*', ROLES),
  answer(DOMAINS, [domain(2, 'northwind.example')]),
  answer('/api/orgs/directory?*', {
    address: 'https://accounts.northwind.example/api/scim/v2',
    people: 42,
    tokens: [
      {
        id: 1,
        role_id: 903,
        created_time: '2026-11-02T09:00:00Z',
        last_used_time: '2026-11-23T08:52:00Z',
        refused: [
          {
            time: '2026-11-22T14:10:00Z',
            call: 'POST /Users',
            status: 400,
            reason: 'The address is in no proven domain.',
            fields: ['userName', 'name.givenName', 'emails[type eq "work"].value'],
          },
          {
            time: '2026-11-21T14:10:00Z',
            call: 'PATCH /Groups',
            status: 200,
            reason: 'Members that are no users were left out: 1.',
            fields: ['members'],
          },
        ],
      },
      { id: 2, role_id: null, created_time: '2026-11-23T08:00:00Z', last_used_time: null, refused: [] },
    ],
    groups: [
      { group_id: '00000000-0000-4000-8000-000000000001', name: 'Field sales', role_id: 903, members: 12 },
      {
        group_id: '00000000-0000-4000-8000-000000000002',
        name: 'SG-EU-Northwind-Warehouse-and-Logistics-Temporary-Staff',
        role_id: null,
        members: 1,
      },
    ],
  }),
  page,
  'Field sales',
];
const offer = (joining: string, asked_time: string | null = null) =>
  answer('/api/joinoffer', {
    offer: { offered_by: 7, OrgName: 'Harbour Logistics', joining, asked_time },
  });
const asking = [
  { user_id: 71, first_name: 'Ken', last_name: 'Ito', email: 'ken.ito@northwind.example' },
  { user_id: 72, first_name: '', last_name: '', email: 'lucia.ferrari-montebello@northwind.example' },
].map((person) => ({ ...person, asked_time: '2026-11-22T14:10:00Z' }));

/** Company sign-in: its domains, and people who join by them. */
export const companyStates: Record<string, Step> = {
  'company--empty': [answer(DOMAINS, []), page, 'No domains yet'],
  ...withoutAnswer('company', DOMAINS, page),
  'company--domains': all,
  'company--missing': [found('missing'), 'There is no TXT record'],
  'company--other': [found('other', ['v=spf1 include:mail.example -all', `k=${'x'.repeat(90)}`]), 'Compare'],
  'company--doubled': [found('doubled'), 'The record is at'],
  'company--silent': [found('silent'), 'No name server answered'],
  'company--taken': [found('taken'), 'another organization has proven'],
  'company--add': [
    all,
    press('Add domain'),
    dialog('Add domain'),
    write('Domain', 'northwind'),
    refuse('/api/orgs/domains', 'domain_limit_reached'),
    press('Add domain'),
  ],
  'company--joining': [all, press('Change joining: northwind.example'), dialog('How people join')],
  'company--remove': [all, press('Remove northwind.example'), dialog('Remove northwind.example?')],
  'company--connected': connected,
  'company--rule': [
    connected,
    ({ page }) => page.getByLabel(RULE).selectOption('everybody'),
    'Before you can save the rule:',
    ({ page }) => page.getByLabel(RULE).scrollIntoViewIfNeeded(),
  ],
  'company--edit-connection': [
    connected,
    ({ page }) => page.getByRole('button', { name: 'Edit' }).first().click(),
    dialog('Edit the connection'),
  ],
  'company--switch-off': [
    connected,
    answer('/api/orgs/connections?*', [provider(1, { is_on: 1 })]),
    page,
    press('Switch off'),
    dialog('Switch company sign-in off?'),
  ],
  'company--link': [
    answer('/api/company/link?*', {
      link: {
        OrgName: 'Northwind Traders',
        is_yours: 1,
        email: 'noor@northwind.example',
        company_email: 'noor@northwind.example',
      },
    }),
    atAs('noor', '/account/companylink'),
    'We ask you once',
  ],
  'company--entry': [
    change<object>('/api/init*', (response) =>
      Object.assign(response, {
        needs_entry: [{ Id: 7, OrgName: 'Northwind Traders', OrgUrlName: 'northwind', needs: 'company' }],
      }),
    ),
    atAs('noor', '/account/companyentry?org=northwind'),
    'You go to your company’s provider',
  ],
  'login--company': [
    answer('/api/company/discover', { available: 1, required: 0 }),
    open('/login'),
    write('Email', 'ken.ito@northwind.example'),
    'Continue with your company',
  ],
  'signup--company': [
    answer('/api/company/discover', { available: 1, required: 0 }),
    open('/signup'),
    write('Email', 'ken.ito@northwind.example'),
    'Continue with your company',
  ],
  'login--company-refused': [
    answer('/api/company/discover', { available: 1, required: 1 }),
    open('/login'),
    write('Email', 'ken.ito@northwind.example'),
    press('Try another way'),
    write('Password', 'sturdy arch 42'),
    refuse('/api/signin', 'company_sign_in_required'),
    press(/^Continue$/),
    'asks you to sign in through your company',
  ],
  'company--directory': [directory, ({ page }) => page.getByText('2 refused calls').click()],
  'company--revoke': [directory, press('Revoke the token'), dialog('Revoke this token?')],
  'onboarding--offer': [offer('click'), atAs('noor', '/'), 'you can join at once'],
  'switch--asked': [
    offer('ask', '2026-11-22T14:10:00Z'),
    settings,
    press(/Northwind Traders/),
    'You asked on',
  ],
  'joining--requests': [
    answer('/api/role?*', ROLES),
    answer('/api/joinrequests?*', asking),
    settings,
    'Ken Ito',
    ({ page }) => page.getByRole('heading', { name: 'People who ask to join' }).scrollIntoViewIfNeeded(),
  ],
  'joining--decline': [
    answer('/api/joinrequests?*', asking),
    settings,
    press('Decline Ken Ito'),
    dialog('Decline the request of Ken Ito?'),
  ],
};
