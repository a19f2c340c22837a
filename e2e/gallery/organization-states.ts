import { expect } from '../fixtures.ts';
import { answer, atAs, hold, press, type Reach, see, write } from './steps.ts';

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
const crop: Reach = async (stage) => {
  await settings(stage);
  const buffer = await stage.page.screenshot({ clip: { x: 0, y: 0, width: 900, height: 600 } });
  const chooser = stage.page.waitForEvent('filechooser');
  await press(stage.page, 'Replace the light icon');
  await (await chooser).setFiles({ name: 'icon.png', mimeType: 'image/png', buffer });
  await expect(stage.page.getByRole('group', { name: 'Part of the image that is kept' })).toBeVisible();
};

const withInvitation =
  (more: object = {}): Reach =>
  ({ page }) =>
    answer(page, '/api/invitations', [
      {
        ...more,
        id: 7,
        OrgName: 'Harbour Logistics',
        role: 'Sales',
        invited_by: 'Lena Brandt',
        expires: '2026-11-29T09:00:00Z',
      },
    ]);

/** Every state of the organization's pages. */
export const organizationStates: Record<string, Reach> = {
  'organization--open': settings,
  'organization--messages': async (stage) => {
    await settings(stage);
    await write(stage.page, 'Application name', 'Northwind 2');
    await stage.page.getByRole('button', { name: 'Save changes' }).first().click();
    await see(stage.page, 'Please use letters only.');
  },
  'organization--loading': async (stage) => {
    await hold(stage.page, '/api/role?*');
    await hold(stage.page, '/api/orgusers?*');
    await settings(stage);
  },
  'icon--crop': crop,
  'icon--uploading': async (stage) => {
    await hold(stage.page, '/drive/appicon');
    await crop(stage);
    await press(stage.page, 'Save image');
    await see(stage.page, /^Uploading/);
  },
  'icon--over': async (stage) => {
    await settings(stage);
    await stage.page.getByRole('img', { name: 'Dark icon' }).evaluate((icon) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'icon.png'));
      icon.dispatchEvent(new DragEvent('dragover', { bubbles: true, composed: true, dataTransfer }));
    });
  },
  'role--add': atAs('maya', `${HOME}/role`),
  'role--rights': async (stage) => {
    await answer(stage.page, '/api/role?*role_id=9*', sales);
    await atAs('maya', `${HOME}/role/9`)(stage);
    await stage.page.getByRole('checkbox', { name: 'Delete: Document' }).check();
    await see(stage.page, '1 unsaved change');
  },
  'role--built-in': async (stage) => {
    await answer(stage.page, '/api/role?*role_id=9*', { ...sales, role_name: 'Admin' });
    await atAs('maya', `${HOME}/role/9`)(stage);
    await see(stage.page, 'This role is built in');
  },
  'role--gone': async (stage) => {
    await atAs('maya', `${HOME}/role/999999`)(stage);
    await see(stage.page, 'This role no longer exists');
  },
  'onboarding--invited': async (stage) => {
    await withInvitation()(stage);
    await atAs('noor', '/')(stage);
    await see(stage.page, 'Invitations to you');
  },
  'onboarding--closed': async (stage) => {
    await stage.page.route('**/api/init*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { response: object };
      const closed_organizations = [
        { Id: 7, OrgName: 'Northwind Traders', status: 3 },
        { Id: 8, OrgName: 'Harbour Logistics', status: 4 },
      ];
      Object.assign(body.response, { closed_organizations });
      await route.fulfill({ response, json: body });
    });
    await atAs('noor', '/')(stage);
    await see(stage.page, 'is paused');
  },
  'switch--invited': async (stage) => {
    await withInvitation()(stage);
    await settings(stage);
    await press(stage.page, /Northwind Traders/);
    await expect(stage.page.getByRole('dialog', { name: 'Switch organization' })).toBeVisible();
  },
  'switch--invited-by-mail': async (stage) => {
    await withInvitation({ link_needed: 1 })(stage);
    await settings(stage);
    await press(stage.page, /Northwind Traders/);
    await see(stage.page, 'To join, open the link in the mail that invited you.');
  },
};
