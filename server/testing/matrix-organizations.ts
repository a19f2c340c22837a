import { invitedId } from '#server/stand-in.ts';
import { addPasskey, signInByPasskey } from './authenticator.ts';
import { tinyPng } from './icons.ts';
import {
  all,
  change,
  everybody,
  idle,
  look,
  noAdmins,
  nobody,
  ofProven,
  ofSuperAdmins,
  outside,
  signedOut,
  unconfirmed,
} from './matrix-world.ts';
import { founder, newEmail } from './people.ts';
import { responseOf } from './visitor.ts';

const fileId = 'A'.repeat(43);
const withoutStep = { unconfirmed: 'second_step_required', superAdmin: 'second_step_required' } as const;
/** A call that also has a use outside of organizations. */
const ofItsSuperAdmins = { ...ofSuperAdmins, member: 'super_admin_only' } as const;
const file = (name: string) => new File([new Uint8Array(tinyPng)], name);

/** The calls inside an organization: members, roles, settings, images, log and data export. */
export const organizationCalls = {
  members: {
    list: look(noAdmins),
    invite: change({ ...noAdmins, ...unconfirmed }, ['organization.invitedContact.invite'], ({ roles }) => ({
      role_id: roles.sales,
      first_name: 'Tom',
      email_id: newEmail('matrix'),
    })),
    edit: change(noAdmins, ['organization.invitedContact.update'], async (world) => ({
      user_id: (await world.join('sales')).id,
      first_name: 'Tom',
      role_id: world.roles.sales,
      status: 3,
    })),
    remove: change(ofProven, ['organization.invitedContact.delete'], async (world) => ({
      del_user_id: (await world.join('sales')).id,
    })),
    resend: change(
      { ...noAdmins, ...unconfirmed },
      ['organization.invitedContact.invite'],
      async (world) => ({ user_id: invitedId((await world.invite(world.boss)).memberId) }),
    ),
    invitation: look(nobody, async (world) => ({ digest: (await world.invite(world.boss)).digest })),
    invitations: look(signedOut),
    answer: change(
      everybody('not_allowed'),
      ['organization.invitationAnswer.create'],
      async (world) => ({ digest: (await world.invite(world.boss)).digest, accept: 1 }),
      async (_app, world) => {
        const { visitor, digest } = await world.invite(world.boss);
        return () => visitor.post('/api/invitation', { digest, accept: 1 });
      },
    ),
  },
  organizations: {
    init: look(outside),
    list: look(signedOut),
    create: change(
      signedOut,
      ['profile.profileInformation.update', 'organization.organizationInformation.create'],
      { first_name: 'Ann', country_name: 'Sweden' },
    ),
  },
  organizationSettings: {
    update: change(noAdmins, ['organization.organizationInformation.update'], () => ({
      description: newEmail('about'),
    })),
    leave: change(outside, ['organization.invitedContact.delete']),
    settings: look(outside),
    application: look(outside),
    rule: look(ofSuperAdmins),
    setRule: change(
      { ...ofSuperAdmins, ...withoutStep },
      ['organization.organizationInformation.update'],
      { rule: 'any' },
      async (app) => {
        const { visitor, orgId } = await founder(app);
        responseOf(await signInByPasskey(visitor, await addPasskey(visitor, app.url)));
        return () => visitor.put('/api/orgs/secondstep', { org_id: orgId, rule: 'any' });
      },
    ),
  },
  roles: {
    read: look(noAdmins),
    create: change(noAdmins, ['organization.roleInformation.create'], () => ({
      role_name: newEmail('role'),
    })),
    update: change(noAdmins, ['organization.roleInformation.update'], async (world) => ({
      role_id: await world.newRole(),
      role_name: newEmail('renamed'),
    })),
    remove: change(noAdmins, ['organization.roleInformation.delete'], async (world) => ({
      role_id: await world.newRole(),
      new_role_id: world.roles.sales,
    })),
  },
  communications: {
    preferences: look(signedOut),
    setPreferences: change(signedOut, ['communication.emailNotification.update'], { 2: 1 }),
    notifications: look(outside),
    // Nobody here has a notification to read.
    readNotifications: idle(outside, 'reading is not recorded', { read_up_to: 1 }),
  },
  drive: {
    setIcon: change(noAdmins, ['organization.applicationInformation.update'], async (world) => ({
      icon_type: 1,
      file_id: await world.icon(),
    })),
    uploadIcon: change(noAdmins, ['organization.applicationInformation.upload'], () => ({
      icon_type: 1,
      permission: 1,
      file: file('icon.png'),
    })),
    uploadApplicationIcon: change(ofProven, ['organization.ownApplication.update'], async (world) => ({
      application_id: await world.newApplication(),
      permission: 1,
      file: file('icon.png'),
    })),
    applicationIcon: look(all('file_not_found'), { file_id: fileId }),
    icon: look(nobody, async (world) => ({ file_id: await world.icon({ isShown: true }) })),
    uploadPicture: change(outside, ['profile.profileInformation.upload'], () => ({
      permission: 1,
      file: file('me.png'),
    })),
    removePicture: change(outside, ['profile.profileInformation.delete'], async (world) => {
      await world.everybodyHasPicture();
      return {};
    }),
    linkedPicture: look(all('file_not_found'), { file_id: fileId, until: '1', proof: fileId }),
    picture: look(outside, async (world) => ({ file_id: await world.picture(world.boss) })),
  },
  activity: {
    list: look(outside),
    export: change(outside, ['recentActivity.auditLog.read'], { format: 'csv' }),
  },
  dataExport: {
    read: look(ofItsSuperAdmins),
    request: change({ ...ofItsSuperAdmins, ...unconfirmed }, ['organization.organizationData.create']),
    download: look({ ...all('file_not_found'), ...ofItsSuperAdmins, ...unconfirmed }),
  },
};
