import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { answer, atAs, press, type Reach, refuse, see, write } from './steps.ts';

const HOME = '/northwind-traders/organization';

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
const team: Reach = async (stage) => {
  const { page } = stage;
  await answer(page, '/api/role?*', ROLES);
  await page.route('**/api/orgusers?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { response: { members: object[]; total: number } };
    const query = new URL(route.request().url()).searchParams;
    const matches = TEAM.filter(({ user_id }) => `${user_id}` === query.get('user_id'));
    const members = matches.length > 0 ? matches : [...body.response.members, ...TEAM];
    Object.assign(body.response, { members, total: query.get('status') === '1' ? 1 : members.length });
    await route.fulfill({ response, json: body });
  });
  await atAs('maya', HOME)(stage);
  await see(page, 'Jonas Weber');
  await page.getByRole('table', { name: 'Members' }).scrollIntoViewIfNeeded();
};
const popup = (page: Page, name: string) =>
  expect(
    page.getByRole(/^(Delete (?!Sales|Ware)|Withdraw)/.test(name) ? 'alertdialog' : 'dialog', { name }),
  ).toBeVisible();

/** Presses a button of the member list and waits for the popup. */
const pressed =
  (name: string, opens: string): Reach =>
  async (stage) => {
    await team(stage);
    await stage.page.getByRole('button', { name, exact: true }).first().click();
    await popup(stage.page, opens);
  };

const PASTED = `Ken Ito <ken.ito@northwind.example>; aiko.mori@northwind.example
Lucia Ferrari <lucia.ferrari@northwind.example>, not an address`;
const paste: Reach = async (stage) => {
  await pressed('Invite many', 'Invite many')(stage);
  await write(stage.page, 'Addresses', PASTED);
  await see(stage.page, 'Not a valid address');
};

/** Every state of the members' table and popups, and of deleting a role. */
export const memberStates: Record<string, Reach> = {
  'members--table': team,
  'members--nobody-matches': async (stage) => {
    await team(stage);
    await answer(stage.page, '/api/orgusers?*search=*', {
      members: [],
      next: null,
      total: 0,
      super_admins: 1,
    });
    await stage.page.getByRole('searchbox').fill('zz');
    await see(stage.page, 'Nobody matches');
  },
  'members--failed': async (stage) => {
    await refuse(stage.page, '/api/orgusers?*', 'internal_error');
    await atAs('maya', HOME)(stage);
    await see(stage.page, 'This could not be loaded');
    await stage.page.getByRole('table', { name: 'Members' }).scrollIntoViewIfNeeded();
  },
  'members--invite': pressed('Add member', 'Invite a member'),
  'members--invite-messages': async (stage) => {
    await pressed('Add member', 'Invite a member')(stage);
    await write(stage.page, 'Email', 'tom');
    await press(stage.page, 'Send invitation');
    await see(stage.page, 'Please enter a valid email address.');
  },
  'members--invite-discard': async (stage) => {
    await pressed('Add member', 'Invite a member')(stage);
    await write(stage.page, 'First name', 'Aiko');
    await stage.page.keyboard.press('Escape');
    await see(stage.page, 'Discard what you filled in?');
  },
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
  'members--many-results': async (stage) => {
    const { page } = stage;
    await page.route('**/api/orgusers', (route) => {
      const { email_id } = route.request().postDataJSON() as { email_id: string };
      return email_id.startsWith('aiko')
        ? route.fulfill({
            status: 409,
            json: {
              success: false,
              error: { code: 'user_present_in_org', details: 'User already present in the Org' },
            },
          })
        : route.fulfill({ json: { success: true, response: { ...AIKO, id: Date.now(), email: email_id } } });
    });
    await paste(stage);
    await press(page, 'Send 3 invitations');
    await see(page, '2 invited, 1 already here, 1 not invited');
  },
  'upgrade--seats': async (stage) => {
    await refuse(stage.page, '/api/orgusers', 'sign_max_users_reached');
    await pressed('Add member', 'Invite a member')(stage);
    await write(stage.page, 'First name', 'Ken');
    await write(stage.page, 'Email', 'ken.ito@northwind.example');
    await press(stage.page, 'Send invitation');
    await see(stage.page, 'Upgrade your plan?');
  },
  'role-delete--held': pressed('Delete Sales', 'Delete Sales?'),
  'role-delete--nobody': pressed('Delete Warehouse', 'Delete Warehouse?'),
};
