// The expected answer of every call to every kind of caller, so that no call is open to people it is not for.
import type { Api } from '#contract/api.ts';
import { invitedId } from '#server/stand-in.ts';
import { companyMatrix } from './company-matrix.ts';
import { factorMatrix } from './factor-matrix.ts';
import { tinyPng } from './icons.ts';
import {
  all,
  inOrg,
  inside,
  noAdmins,
  nobody,
  ofProven,
  ofSuperAdmins,
  outside,
  reading,
  row,
  type Row,
  signedOut,
  unconfirmed,
} from './matrix-world.ts';
import { newEmail, PASSWORD, TYPED_CODE } from './people.ts';

const withoutStep = { unconfirmed: 'second_step_required', superAdmin: 'second_step_required' } as const;
const digest = 'A'.repeat(43);
const application = {
  name: 'Books',
  kind: 'web',
  description: '',
  start_url: '',
  redirect_urls: ['https://books.example/callback'],
  signed_out_urls: [],
  sign_out_url: '',
  is_for_everyone: 1,
  role_ids: [],
};
const choice = () => ({ digest, password: PASSWORD, timezone: '' });

/** A call that also has a use outside of organizations. */
const ofItsSuperAdmins = { ...ofSuperAdmins, member: 'super_admin_only' } as const;

/** The authorization oracle: the answer of every call to every caller. A call without a row does not compile. */
export const matrix = {
  accounts: {
    signUp: row(nobody, () => ({ emailId: newEmail('matrix'), password: PASSWORD, timezone: '' })),
    verifyEmail: row(all('digest_invalid'), () => ({ digest })),
    resendVerification: row(nobody, ({ boss }) => ({ email_id: boss.email })),
    // Without terms there is nothing to write.
    agree: reading(signedOut, () => ({ terms_version: '2026-11-01' })),
  },
  signIn: {
    signIn: row(all('invalid_credentials'), ({ boss }) => ({
      email_id: boss.email,
      password: PASSWORD,
      timezone: '',
    })),
    resendCode: row(all('otp_expired')),
    verifyCode: row(all('otp_expired'), () => ({ contact: 'x', otp: TYPED_CODE, timezone: '' })),
    verifyAppCode: row(all('otp_expired'), () => ({ code: TYPED_CODE, timezone: '' })),
    verifyRecoveryCode: row(all('otp_expired'), () => ({ code: '4F7KM-2QX9A', timezone: '' })),
    status: row(nobody),
    signOut: row(signedOut),
  },
  ...factorMatrix,
  stepUp: {
    twoStep: row(signedOut),
    setTwoStep: row({ ...signedOut, ...unconfirmed }, () => ({ mfa_enabled: 1 })),
    reauthenticate: row({ ...all('wrong_password'), ...signedOut }, () => ({ password: PASSWORD })),
    proofs: row(signedOut),
    reauthenticateByPasskey: row({ ...all('not_allowed'), ...signedOut }),
    reauthenticateByMail: row(signedOut),
  },
  recovery: {
    forgotPassword: row(nobody, ({ boss }) => ({ email_id: boss.email })),
    passwordOwner: row(all('digest_invalid'), () => ({ digest })),
    resetPassword: row(all('digest_invalid'), choice),
    createPassword: row(all('digest_invalid'), choice),
    notMe: row(all('digest_invalid'), () => ({ digest })),
  },
  onward: {
    redirect: reading(outside, (world) => ({ ...inside(world), redirect_url: '/x' })),
    redeem: row(all('not_allowed'), () => ({
      code: digest,
      redirect_url: 'https://a.example/',
      secret: 'x',
    })),
    next: row(signedOut, () => ({ path: 'myapps' })),
  },
  social: {
    start: row(all('social_not_set_up'), () => ({ state: '2', channel_type: '1' })),
    waiting: row(signedOut, () => ({ visit: digest })),
    // Nothing waits.
    link: row({ ...all('not_found'), ...signedOut }, () => ({ visit: digest })),
    linked: row(signedOut),
    // Nothing is linked.
    unlink: reading(signedOut, () => ({ provider: 'google' })),
  },
  sessions: {
    beacon: reading(signedOut),
    list: row(signedOut),
    // There are no other devices to end.
    end: reading(signedOut, () => ({ others: 1 })),
  },
  members: {
    list: row(noAdmins, inside),
    invite: inOrg({ ...noAdmins, ...unconfirmed }, (world) => ({
      role_id: world.roles.sales,
      first_name: 'Tom',
      email_id: newEmail('matrix'),
    })),
    edit: inOrg(noAdmins, async (world) => ({
      user_id: (await world.join('sales')).id,
      first_name: 'Tom',
      role_id: world.roles.sales,
      status: 3,
    })),
    remove: row(
      { ...noAdmins, ...unconfirmed, lead: 'super_admin_only', admin: 'super_admin_only' },
      async (world) => ({ ...inside(world), del_user_id: (await world.join('sales')).id }),
    ),
    resend: inOrg({ ...noAdmins, ...unconfirmed }, async (world) => ({
      user_id: invitedId((await world.invite(world.boss)).memberId),
    })),
    invitation: row(nobody, async (world) => ({ digest: (await world.invite(world.boss)).digest })),
    invitations: row(signedOut),
    answer: row({ ...all('not_allowed'), ...signedOut }, async (world) => ({
      digest: (await world.invite(world.boss)).digest,
      accept: 1,
    })),
  },
  organizations: {
    init: row(outside, inside),
    list: row(signedOut),
    create: row(signedOut, () => ({ first_name: 'Ann', country_name: 'Sweden' })),
  },
  organizationSettings: {
    update: inOrg(noAdmins, () => ({ description: newEmail('about') })),
    leave: row(outside, inside),
    settings: row(outside, inside),
    application: row(outside, inside),
    rule: row(ofSuperAdmins, inside),
    setRule: inOrg({ ...ofSuperAdmins, ...withoutStep }, () => ({ rule: 'any' })),
  },
  roles: {
    read: row(noAdmins, inside),
    create: inOrg(noAdmins, () => ({ role_name: newEmail('role') })),
    update: inOrg(noAdmins, async (world) => ({
      role_id: await world.newRole(),
      role_name: newEmail('renamed'),
    })),
    remove: inOrg(noAdmins, async (world) => ({
      role_id: await world.newRole(),
      new_role_id: world.roles.sales,
    })),
  },
  profile: {
    restoreEmail: row(all('digest_invalid'), () => ({ digest })),
    read: row(outside, inside),
    update: inOrg(outside, () => ({ first_name: 'Maj' })),
    resendPendingEmail: row(signedOut, async (world) => {
      await world.everybodyWaits();
      return {};
    }),
    cancelPendingEmail: row(signedOut, async (world) => {
      await world.everybodyWaits();
      return {};
    }),
    changePassword: row({ ...all('wrong_password'), ...signedOut }, () => ({
      current_password: PASSWORD,
      new_password: `${PASSWORD}!`,
    })),
  },
  communications: {
    preferences: row(signedOut),
    setPreferences: row(signedOut, () => ({ 2: 1 })),
    notifications: row(outside, inside),
    // Nobody here has a notification to read.
    readNotifications: reading(outside, (world) => ({ ...inside(world), read_up_to: 1 })),
  },
  drive: {
    setIcon: inOrg(noAdmins, async (world) => ({ icon_type: 1, file_id: await world.icon() })),
    uploadIcon: inOrg(noAdmins, () => ({
      icon_type: 1,
      permission: 1,
      file: new File([new Uint8Array(tinyPng)], 'icon.png'),
    })),
    uploadApplicationIcon: ofProven(async (world) => ({
      application_id: await world.newApplication(),
      permission: 1,
      file: new File([new Uint8Array(tinyPng)], 'icon.png'),
    })),
    applicationIcon: row(all('file_not_found'), () => ({ file_id: digest })),
    icon: inOrg(nobody, async (world) => ({ file_id: await world.icon({ isShown: true }) })),
    uploadPicture: inOrg(outside, () => ({
      permission: 1,
      file: new File([new Uint8Array(tinyPng)], 'me.png'),
    })),
    removePicture: row(outside, async (world) => {
      await world.everybodyHasPicture();
      return inside(world);
    }),
    linkedPicture: row(all('file_not_found'), () => ({ file_id: digest, until: '1', proof: digest })),
    picture: inOrg({ ...outside, foreign: 'org_not_found' }, async (world) => ({
      file_id: await world.picture(world.boss),
    })),
  },
  accountDeletion: {
    restore: row(all('digest_invalid'), () => ({ digest })),
    resendRestore: row(nobody, ({ boss }) => ({ email_id: boss.email })),
    effects: row(signedOut),
    request: row(signedOut, () => ({ reason: 'I am moving on' })),
  },
  activity: {
    list: row(outside, inside),
    export: { ...inOrg(outside, () => ({ format: 'csv' })), writes: true },
  },
  applications: {
    listOwn: row(ofSuperAdmins, inside),
    register: ofProven(() => application),
    change: ofProven(async (world) => ({
      application_id: await world.newApplication(),
      name: newEmail('renamed'),
    })),
    unregister: ofProven(async (world) => ({ application_id: await world.newApplication(), name: 'Sign' })),
    rotateSecret: ofProven(async (world) => ({ application_id: await world.newApplication() })),
    pause: ofProven(async (world) => ({ application_id: await world.newApplication(), is_paused: 1 })),
    show: row(nobody, async (world) => ({ request: await world.openRequest() })),
    showSignOut: row({ ...all('authorization_expired'), ...signedOut }, () => ({ request: 'unknown' })),
    confirmSignOut: row({ ...all('authorization_expired'), ...signedOut }, () => ({ request: 'unknown' })),
    listConnected: row(signedOut),
    // Nothing is connected.
    removeAccess: reading(signedOut, () => ({ id: 1 })),
    answer: row(signedOut, async (world) => ({ request: await world.openRequest(), accept: 1 })),
  },
  dataExport: {
    read: reading(ofItsSuperAdmins, inside),
    request: row({ ...ofItsSuperAdmins, ...unconfirmed }, inside),
    download: reading({ ...all('file_not_found'), ...ofItsSuperAdmins, ...unconfirmed }, inside),
  },
  ...companyMatrix,
  webhooks: {
    list: row(ofSuperAdmins, inside),
    add: ofProven(() => ({
      url: `https://hooks.example/${newEmail('hook').replace('@', '/')}`,
      description: '',
      events: [],
    })),
    change: ofProven(async (world) => ({
      webhook_id: (await world.newWebhook()).id,
      description: newEmail('described'),
    })),
    remove: row({ ...ofSuperAdmins, ...unconfirmed }, async (world) => {
      const { id, url } = await world.newWebhook();
      return { ...inside(world), webhook_id: id, url };
    }),
    rotateSecret: ofProven(async (world) => ({ webhook_id: (await world.newWebhook()).id })),
    pause: ofProven(async (world) => ({ webhook_id: (await world.newWebhook()).id, is_paused: 1 })),
    listDeliveries: inOrg(ofSuperAdmins, async (world) => ({ webhook_id: (await world.newWebhook()).id })),
    sendTest: ofProven(async (world) => ({ webhook_id: (await world.newWebhook()).id })),
    sendAgain: ofProven(async (world) => ({ ...(await world.newDelivery()) })),
  },
} as const satisfies { readonly [F in keyof Api]: { readonly [C in keyof Api[F]]: Row } };
