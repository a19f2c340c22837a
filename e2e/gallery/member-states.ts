import {
  FAILED,
  type Step,
  answer,
  answerEach,
  atAs,
  change,
  dialog,
  press,
  pressEscape,
  pressExactly,
  refuse,
  write,
} from './steps.ts';

const ROLES = [
  { id: 901, name: 'Super Admin', created_by: 'Maya Lindqvist', is_admin: 1, is_system: 1, members: 1 },
  { id: 902, name: 'Admin', created_by: 'Maya Lindqvist', is_admin: 1, is_system: 1, members: 1 },
  { id: 903, name: 'Sales', created_by: 'Maya Lindqvist', is_admin: 0, is_system: 0, members: 3 },
  { id: 904, name: 'Warehouse', created_by: 'Jonas Weber', is_admin: 0, is_system: 0, members: 0 },
].map((role) => ({ ...role, created_time: '2026-11-02T09:00:00Z' }));

const member = (at: number, name: string, role: string, status: number, designation = '') => ({
  id: 500 + at,
  user_id: 500 + at,
  first_name: name.split(' ')[0],
  last_name: name.split(' ')[1],
  email: `${name.toLowerCase().replace(' ', '.')}@northwind.example`,
  role,
  role_id: ROLES.find(({ name }) => name === role)?.id,
  designation,
  status,
  ...(status === 1 && { invitation_expires: '2026-11-28T09:00:00Z' }),
});
const AIKO = member(1, 'Aiko Mori', 'Sales', 1, 'Account Executive');
const TEAM = [
  AIKO,
  member(2, 'Jonas Weber', 'Admin', 2, 'Head of Operations'),
  member(3, 'Priya Nair', 'Sales', 3, 'Field Sales'),
  member(4, 'Samuel Oyelaran', 'Sales', 4),
];

const settings = atAs('maya', '/northwind-traders/organization');
const scrollToTable: Step = ({ page }) =>
  page.getByRole('table', { name: 'Members' }).scrollIntoViewIfNeeded();
/** Maya's organization with colleagues, as the calls return it. */
const team: Step = [
  answer('/api/role?*', ROLES),
  change<{ members: object[] }>('/api/orgusers?*', (response, query) => {
    const matches = TEAM.filter(({ user_id }) => `${user_id}` === query.get('user_id'));
    const members = matches.length > 0 ? matches : [...response.members, ...TEAM];
    Object.assign(response, { members, total: query.get('status') === '1' ? 1 : members.length });
  }),
  settings,
  'Jonas Weber',
  scrollToTable,
];

/** Presses a button of the member list and waits for the popup. */
const pressed = (name: string, opens: string): Step => [team, pressExactly(name), dialog(opens)];

const PASTED = `Ken Ito <ken.ito@northwind.example>; aiko.mori@northwind.example
Lucia Ferrari <lucia.ferrari@northwind.example>, not an address`;
const invite = pressed('Add member', 'Invite a member');
const paste: Step = [
  pressed('Invite many', 'Invite many'),
  write('Addresses', PASTED),
  'Not a valid address',
];

/** Every state of the members' table and popups, and of deleting a role. */
export const memberStates: Record<string, Step> = {
  'members--table': team,
  'members--nobody-matches': [
    team,
    answer('/api/orgusers?*search=*', { members: [], next: null, total: 0, super_admins: 1 }),
    ({ page }) => page.getByRole('searchbox').fill('zz'),
    'Nobody matches',
  ],
  'members--failed': [refuse('/api/orgusers?*', 'internal_error'), settings, FAILED, scrollToTable],
  'members--invite': invite,
  'members--invite-messages': [
    invite,
    write('Email', 'tom'),
    press('Send invitation'),
    'Please enter a valid email address.',
  ],
  'members--invite-discard': [
    invite,
    write('First name', 'Aiko'),
    pressEscape,
    'Discard what you filled in?',
  ],
  'members--edit': pressed('Edit Jonas Weber', 'Edit Jonas Weber'),
  'members--edit-invited': pressed('Edit Aiko Mori', 'Edit Aiko Mori'),
  'members--edit-last-super-admin': pressed('Edit Maya Lindqvist', 'Edit Maya Lindqvist'),
  'members--assign': pressed('Sales, change the role of Priya Nair', 'Assign new role'),
  'members--delete': pressed('Delete Jonas Weber', 'Delete Jonas Weber?'),
  'members--withdraw': pressed(
    'Withdraw the invitation of Aiko Mori',
    'Withdraw the invitation of Aiko Mori?',
  ),
  'members--many': pressed('Invite many', 'Invite many'),
  'members--many-ready': paste,
  'members--many-results': [
    answerEach('/api/orgusers', (request) => {
      const { email_id: email } = request.postDataJSON() as { email_id: string };
      return email.startsWith('aiko') ? 'user_present_in_org' : { ...AIKO, id: Date.now(), email };
    }),
    paste,
    press('Send 3 invitations'),
    '2 invited, 1 already here, 1 not invited',
  ],
  'upgrade--seats': [
    refuse('/api/orgusers', 'sign_max_users_reached'),
    invite,
    write('First name', 'Ken'),
    write('Email', 'ken.ito@northwind.example'),
    press('Send invitation'),
    'Upgrade your plan?',
  ],
  'role-delete--held': pressed('Delete Sales', 'Delete Sales?'),
  'role-delete--nobody': pressed('Delete Warehouse', 'Delete Warehouse?'),
};
