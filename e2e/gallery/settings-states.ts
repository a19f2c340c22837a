import { expect } from '../fixtures.ts';
import { choose } from '../pictures.ts';
import {
  type Step,
  answer,
  answerEach,
  atAs,
  change,
  dialog,
  FAILED,
  hold,
  press,
  pressEscape,
  pressExactly,
  refuse,
  write,
} from './steps.ts';

const HOME = '/northwind-traders/organization';
const settings = atAs('maya', HOME);

const rightsOf = (rights: (at: number) => Record<'create' | 'read' | 'update' | 'delete', number>) => ({
  sign: Object.fromEntries(['1', '2', '3', '4', '5'].map((module, at) => [module, rights(at)])),
});
/**
 * The answer of `GET /api/role` for a role of another person: the role, and the rights that Maya may grant.
 */
const sales = {
  role_id: 9,
  role_name: 'Sales',
  role_permission: rightsOf((at) => ({
    create: Number(at < 2),
    read: Number(at < 4),
    update: Number(at === 0),
    delete: 0,
  })),
  grantable: rightsOf(() => ({ create: 1, read: 1, update: 1, delete: 1 })),
};

/** Crops a screenshot of the page itself. */
const crop: Step = [
  settings,
  async ({ page }) => {
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 900, height: 600 } });
    await choose(page, 'Replace the light icon', { name: 'icon.png', mimeType: 'image/png', buffer });
    await expect(page.getByRole('group', { name: 'Part of the image that is kept' })).toBeVisible();
  },
];

const invited = {
  id: 7,
  OrgName: 'Harbour Logistics',
  role: 'Sales',
  invited_by: 'Lena Brandt',
  expires: '2026-11-29T09:00:00Z',
};
const withInvitation = (more: object = {}) => answer('/api/invitations', [{ ...invited, ...more }]);

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

/** Maya's organization with colleagues, as the calls return it. */
export const team: Step = [
  answer('/api/role?*', ROLES),
  change<{ members: object[] }>('/api/orgusers?*', (response, query) => {
    const matches = TEAM.filter(({ user_id }) => `${user_id}` === query.get('user_id'));
    const members = matches.length > 0 ? matches : [...response.members, ...TEAM];
    Object.assign(response, { members, total: query.get('status') === '1' ? 1 : members.length });
  }),
  settings,
  'Jonas Weber',
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

/** Every state of the organization’s pages, its members and roles. */
export const settingsStates: Record<string, Step> = {
  'organization--open': settings,
  'organization--messages': [
    settings,
    write('Application name', 'Northwind 2'),
    ({ page }) => page.getByRole('button', { name: 'Save changes' }).first().click(),
    'Please use letters only.',
  ],
  'organization--loading': [hold('/api/role?*'), hold('/api/orgusers?*'), settings],
  'icon--crop': crop,
  'icon--uploading': [hold('/drive/appicon'), crop, press('Save image'), /^Uploading/],
  'icon--over': [
    settings,
    ({ page }) =>
      page.getByRole('img', { name: 'Dark icon' }).evaluate((icon) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([], 'icon.png'));
        icon.dispatchEvent(new DragEvent('dragover', { bubbles: true, composed: true, dataTransfer }));
      }),
  ],
  'role--add': atAs('maya', `${HOME}/role`),
  'role--rights': [
    answer('/api/role?*role_id=9*', sales),
    atAs('maya', `${HOME}/role/9`),
    ({ page }) => page.getByRole('checkbox', { name: 'Delete: Document' }).check(),
    '1 unsaved change',
  ],
  'role--built-in': [
    answer('/api/role?*role_id=9*', { ...sales, role_name: 'Admin' }),
    atAs('maya', `${HOME}/role/9`),
    'This role is built in',
  ],
  'role--gone': [atAs('maya', `${HOME}/role/999999`), 'This role no longer exists'],
  'onboarding--invited': [withInvitation(), atAs('noor', '/'), 'Invitations to you'],
  'onboarding--closed': [
    change<object>('/api/init*', (response) =>
      Object.assign(response, {
        closed_organizations: [
          { Id: 7, OrgName: 'Northwind Traders', status: 3 },
          { Id: 8, OrgName: 'Harbour Logistics', status: 4 },
        ],
      }),
    ),
    atAs('noor', '/'),
    'is paused',
  ],
  'switch--invited': [withInvitation(), settings, press(/Northwind Traders/), dialog('Switch organization')],
  'switch--invited-by-mail': [
    withInvitation({ link_needed: 1 }),
    settings,
    press(/Northwind Traders/),
    'To join, open the link in the email that invited you.',
  ],
  'members--table': team,
  'members--nobody-matches': [
    team,
    answer('/api/orgusers?*search=*', { members: [], next: null, total: 0, super_admins: 1 }),
    ({ page }) => page.getByRole('searchbox').fill('zz'),
    'Nobody matches',
  ],
  'members--failed': [refuse('/api/orgusers?*', 'internal_error'), settings, FAILED],
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
