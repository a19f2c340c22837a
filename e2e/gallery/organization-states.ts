import { expect } from '../fixtures.ts';
import { choose } from '../pictures.ts';
import { type Step, answer, atAs, change, dialog, hold, press, write } from './steps.ts';

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

/** Every state of the organization's pages. */
export const organizationStates: Record<string, Step> = {
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
    'To join, open the link in the mail that invited you.',
  ],
};
