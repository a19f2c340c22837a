// The rows that each call has to write into the activity log, so that no change goes unrecorded.
import type { Api } from '#contract/api.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import type { UserId } from '#contract/wire.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { sha256 } from '#server/keys.ts';
import { requestAddress } from './addresses.ts';
import { discover, enter, registerApplication } from './applications.ts';
import { entry, type Recorded } from './recorded-rows.ts';
import { addPasskey } from './authenticator.ts';
import { factorsRecorded, otherStepsRecorded, ruleRecorded } from './factors-recorded.ts';
import {
  confirmed,
  deactivate,
  founder,
  invited,
  mailedCode,
  mailedDigest,
  PASSWORD,
  signedUp,
  twoStepPerson,
} from './people.ts';
import { companyRecorded } from './company-recorded.ts';
import { newSubject } from './social-app.ts';
import { insertRow } from './rows.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';
import { webhooksRecorded } from './webhooks-recorded.ts';

const place = { timezone: '' };
const twoStep = async (app: TestApp) => {
  const person = await twoStepPerson(app);
  const visitor = app.visitor();
  responseOf(await visitor.post('/api/signin', { email_id: person.email, password: PASSWORD, ...place }));
  return { ...person, visitor };
};

/** The activity rows of each call that changes something. A call without an entry does not compile. */
export const recorded = {
  accounts: {
    signUp: { rows: ['profile.profileInformation.create'] },
    verifyEmail: entry(['profile.contactInformation.update'], async (app) => {
      const { visitor, email } = await signedUp(app);
      const digest = await mailedDigest(app, email);
      return async () => responseOf(await visitor.post('/api/verifyemail', { digest }));
    }),
    resendVerification: { rows: 'it only mails' },
    agree: { rows: 'without terms there is nothing to agree to' },
  },
  signIn: {
    signIn: entry(['signInDevice.signIn.create'], async (app) => {
      const { email } = await confirmed(app);
      const input = { email_id: email, password: PASSWORD, ...place };
      return async () => responseOf(await app.visitor().post('/api/signin', input));
    }),
    resendCode: entry('it only mails', async (app) => {
      const { visitor } = await twoStep(app);
      app.clock.forward(60_000);
      return async () => responseOf(await visitor.post('/api/otp', {}));
    }),
    verifyCode: entry(['signInDevice.signIn.create'], async (app) => {
      const { visitor, email } = await twoStep(app);
      const otp = await mailedCode(app, email);
      return async () =>
        responseOf(await visitor.post('/api/verifyotp', { contact: maskEmail(email), otp, ...place }));
    }),
    ...otherStepsRecorded,
    signOut: { rows: ['signInDevice.signIn.delete'] },
  },
  ...factorsRecorded,
  stepUp: {
    setTwoStep: { rows: ['signInDevice.twoStep.change'] },
    reauthenticate: entry(['signInDevice.stepUp.create'], async (app) => {
      const { visitor } = await confirmed(app);
      return async () => responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
    }),
    reauthenticateByPasskey: entry('it only asks the browser', async (app) => {
      const { visitor } = await confirmed(app);
      await addPasskey(visitor, app.url);
      return async () => responseOf(await visitor.post('/api/reauthenticate/passkey', {}));
    }),
    reauthenticateByMail: { rows: 'it only mails' },
  },
  recovery: {
    forgotPassword: { rows: 'it only mails' },
    resetPassword: entry(['profile.password.change'], async (app) => {
      const { email } = await confirmed(app);
      responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
      const digest = await mailedDigest(app, email);
      const input = { digest, password: `${PASSWORD} anew`, ...place };
      return async () => responseOf(await app.visitor().put('/api/resetpassword', input));
    }),
    createPassword: entry(
      ['organization.invitationAnswer.create', 'profile.password.create'],
      async (app) => {
        const { email } = await invited(await founder(app));
        const input = { digest: await mailedDigest(app, email), password: PASSWORD, ...place };
        return async () => responseOf(await app.visitor().post('/api/resetpassword', input));
      },
    ),
    notMe: entry(['signInDevice.signInDevice.delete'], async (app) => {
      const { email } = await confirmed(app);
      const input = { email_id: email, password: PASSWORD, ...place };
      responseOf(await app.visitor().post('/api/signin', input));
      const digest = await mailedDigest(app, email);
      return async () => responseOf(await app.visitor().post('/api/notme', { digest }));
    }),
  },
  onward: {
    redirect: { rows: 'a code for an application changes no data' },
    redeem: {
      rows: 'an application’s server only looks up its visitor',
      ready: async () => async () => undefined,
    },
  },
  social: {
    link: entry(['signInDevice.signIn.update'], async (app) => {
      const { visitor, id } = await confirmed(app);
      const visit = newSubject();
      const identity = { provider: 'google', subject: `google of ${id}`, said: null } as const;
      const session = await app.deps.sql
        .selectFrom('sessions')
        .select('id as session_id')
        .where('user_id', '=', id as UserId)
        .executeTakeFirstOrThrow();
      await insertRow(app, 'social_visits', {
        ...identity,
        ...session,
        state_hash: sha256(visit),
        browser_hash: sha256(visit),
        expires_at: fromNow(app.clock, MINUTE_MS),
      });
      return async () => responseOf(await visitor.post('/api/auth/link', { visit }));
    }),
    unlink: entry(['signInDevice.signIn.update'], async (app) => {
      const { visitor, id } = await confirmed(app);
      const identity = { provider: 'google', subject: `google of ${id}`, user_id: id as UserId } as const;
      await insertRow(app, 'social_identities', { ...identity, created_at: app.clock.now() });
      return async () => responseOf(await visitor.delete('/api/auth/linked', { provider: 'google' }));
    }),
  },
  sessions: {
    beacon: { rows: 'the last use of a session is not recorded' },
    end: entry(['signInDevice.signInDevice.delete'], async (app) => {
      const { visitor, email } = await confirmed(app);
      const input = { email_id: email, password: PASSWORD, ...place };
      responseOf(await app.visitor().post('/api/signin', input));
      return async () => responseOf(await visitor.delete('/api/usersession', { others: 1 }));
    }),
  },
  members: {
    invite: { rows: ['organization.invitedContact.invite'] },
    edit: { rows: ['organization.invitedContact.update'] },
    remove: { rows: ['organization.invitedContact.delete'] },
    resend: { rows: ['organization.invitedContact.invite'] },
    answer: entry(['organization.invitationAnswer.create'], async (_app, world) => {
      const { visitor, digest } = await world.invite(world.boss);
      return async () => responseOf(await visitor.post('/api/invitation', { digest, accept: 1 }));
    }),
  },
  organizations: {
    create: {
      rows: ['profile.profileInformation.update', 'organization.organizationInformation.create'],
    },
  },
  organizationSettings: {
    update: { rows: ['organization.organizationInformation.update'] },
    leave: { rows: ['organization.invitedContact.delete'] },
    setRule: ruleRecorded,
  },
  roles: {
    create: { rows: ['organization.roleInformation.create'] },
    update: { rows: ['organization.roleInformation.update'] },
    remove: { rows: ['organization.roleInformation.delete'] },
  },
  profile: {
    restoreEmail: entry(['profile.contactInformation.change'], async (app) => {
      const person = await confirmed(app);
      await requestAddress(app, person);
      const digest = await mailedDigest(app, person.email);
      return async () => responseOf(await app.visitor().post('/api/restoreemail', { digest }));
    }),
    update: { rows: ['profile.profileInformation.update'] },
    resendPendingEmail: entry('it only mails', async (app) => {
      const person = await confirmed(app);
      await requestAddress(app, person);
      app.clock.forward(60_000);
      return async () => responseOf(await person.visitor.post('/api/pendingemail/resend', {}));
    }),
    cancelPendingEmail: entry(['profile.contactInformation.delete'], async (app) => {
      const person = await confirmed(app);
      await requestAddress(app, person);
      return async () => responseOf(await person.visitor.delete('/api/pendingemail'));
    }),
    changePassword: entry(['profile.password.change'], async (app) => {
      const { visitor } = await confirmed(app);
      const input = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
      return async () => responseOf(await visitor.put('/api/changepassword', input));
    }),
  },
  communications: {
    setPreferences: { rows: ['communication.emailNotification.update'] },
    readNotifications: { rows: 'reading is not recorded' },
  },
  drive: {
    setIcon: { rows: ['organization.applicationInformation.update'] },
    uploadApplicationIcon: { rows: ['organization.ownApplication.update'] },
    uploadIcon: { rows: ['organization.applicationInformation.upload'] },
    uploadPicture: { rows: ['profile.profileInformation.upload'] },
    removePicture: entry(['profile.profileInformation.delete'], async (_app, world) => {
      const { visitor } = await world.join('sales');
      await world.everybodyHasPicture();
      return async () => responseOf(await visitor.delete('/drive/profile'));
    }),
  },
  accountDeletion: {
    restore: entry(['deleteAccount.deleteAccount.change'], async (app) => {
      const person = await confirmed(app);
      await deactivate(app, person);
      const digest = await mailedDigest(app, person.email);
      return async () => responseOf(await app.visitor().post('/api/restoreaccount', { digest }));
    }),
    resendRestore: { rows: 'it only mails' },
    request: entry(['deleteAccount.deleteAccount.delete'], async (app) => {
      const { visitor } = await confirmed(app);
      const input = { reason: 'I am moving on', password: PASSWORD };
      return async () => responseOf(await visitor.delete('/api/deleteaccount', input));
    }),
  },
  activity: {},
  applications: {
    removeAccess: entry(['profile.connectedApplication.delete'], async (app) => {
      const { visitor } = await confirmed(app);
      await enter(visitor, await discover(app, await registerApplication(app)), { scope: 'openid' });
      const [{ id } = {}] = responseOf<{ id: number }[]>(await visitor.get('/api/applications/connected'));
      return async () => responseOf(await visitor.delete('/api/applications/connected', { id }));
    }),
    register: { rows: ['organization.ownApplication.create'] },
    change: { rows: ['organization.ownApplication.update'] },
    unregister: { rows: ['organization.ownApplication.delete'] },
    rotateSecret: { rows: ['organization.ownApplication.change'] },
    pause: { rows: ['organization.ownApplication.update'] },
    answer: { rows: 'entering an application is recorded with its code' },
    confirmSignOut: entry(['signInDevice.signIn.delete'], async (app) => {
      const { visitor } = await confirmed(app);
      const response = await visitor.request('GET', '/oidc/logout');
      const request = new URL(response.headers.get('location') ?? '').searchParams.get('request');
      return async () => responseOf(await visitor.post('/api/authorization/signout', { request }));
    }),
  },
  ...companyRecorded,
  webhooks: webhooksRecorded,
  dataExport: { request: { rows: ['organization.organizationData.create'] } },
} as const satisfies {
  readonly [F in keyof Api]: {
    readonly [C in keyof Api[F] as Api[F][C] extends { method: 'GET' } ? never : C]: Recorded;
  };
};
