import { maskEmail } from '#contract/accounts/mask.ts';
import { addPasskey, askForNewPasskey, Authenticator, signInByPasskey } from './authenticator.ts';
import { confirmed, founder, mailedCode, twoStepPerson } from './people.ts';
import { entry, type Recorded } from './recorded-rows.ts';
import { appCode, beginApp, firstStep, setUpApp } from './second-steps.ts';
import { responseOf } from './visitor.ts';

const place = { timezone: '' };

export const factorsRecorded = {
  waysIn: {},
  passkeys: {
    begin: { rows: 'it only asks the browser' },
    add: entry(['signInDevice.passkey.create'], async (app) => {
      const { visitor } = await confirmed(app);
      const credential = new Authenticator(app.url).create(await askForNewPasskey(visitor));
      return async () => responseOf(await visitor.post('/api/passkeys', { credential }));
    }),
    rename: entry(['signInDevice.passkey.update'], async (app) => {
      const { visitor } = await confirmed(app);
      const id = (await addPasskey(visitor, app.url)).id.toString('base64url');
      return async () => responseOf(await visitor.put('/api/passkeys', { id, name: 'Laptop' }));
    }),
    remove: entry(['signInDevice.passkey.delete'], async (app) => {
      const { visitor } = await confirmed(app);
      const id = (await addPasskey(visitor, app.url)).id.toString('base64url');
      return async () => responseOf(await visitor.send('DELETE', '/api/passkeys', { body: { id } }));
    }),
    declineOffer: { rows: 'it is a preference of the page' },
    beginPasskey: { rows: 'it only asks the browser' },
    signInWithPasskey: entry(['signInDevice.signIn.create'], async (app) => {
      const { visitor } = await confirmed(app);
      const authenticator = await addPasskey(visitor, app.url);
      return async () => responseOf(await signInByPasskey(app.visitor(), authenticator));
    }),
  },
  authenticator: {
    beginSetup: { rows: 'it stores nothing' },
    finishSetup: entry(['signInDevice.authenticatorApp.create'], async (app) => {
      const { visitor } = await confirmed(app);
      const { secret, setup } = await beginApp(visitor);
      const code = appCode(app, secret);
      return async () => responseOf(await visitor.post('/api/authenticator', { setup, code }));
    }),
    removeApp: entry(['signInDevice.authenticatorApp.delete'], async (app) => {
      const { visitor } = await confirmed(app);
      await setUpApp(app, visitor);
      return async () => responseOf(await visitor.send('DELETE', '/api/authenticator', { body: {} }));
    }),
  },
  recoveryCodes: {
    renew: entry(['signInDevice.recoveryCode.create'], async (app) => {
      const { visitor } = await twoStepPerson(app);
      return async () => responseOf(await visitor.post('/api/recoverycodes', {}));
    }),
  },
  rememberedBrowsers: {
    forget: entry(['signInDevice.rememberedBrowser.delete'], async (app) => {
      const { visitor, email } = await twoStepPerson(app);
      await firstStep(visitor, email);
      const otp = await mailedCode(app, email);
      const input = { contact: maskEmail(email), otp, remember: 1, ...place };
      responseOf(await visitor.post('/api/verifyotp', input));
      return async () => responseOf(await visitor.send('DELETE', '/api/rememberedbrowsers', { body: {} }));
    }),
  },
} as const satisfies Record<string, Record<string, Recorded>>;

export const otherStepsRecorded = {
  verifyAppCode: entry(
    ['signInDevice.rememberedBrowser.create', 'signInDevice.signIn.create'],
    async (app) => {
      const { visitor, email } = await confirmed(app);
      const { secret } = await setUpApp(app, visitor);
      const browser = app.visitor();
      await firstStep(browser, email);
      const code = appCode(app, secret);
      return async () => responseOf(await browser.post('/api/signin/app', { code, remember: 1, ...place }));
    },
  ),
  verifyRecoveryCode: entry(
    ['signInDevice.recoveryCode.change', 'signInDevice.signIn.create'],
    async (app) => {
      const { visitor, email } = await confirmed(app);
      const { codes } = await setUpApp(app, visitor);
      const browser = app.visitor();
      await firstStep(browser, email);
      return async () => responseOf(await browser.post('/api/signin/recovery', { code: codes[0], ...place }));
    },
  ),
} as const satisfies Record<string, Recorded>;

export const ruleRecorded: Recorded = {
  rows: ['organization.organizationInformation.update'],
  ready: async (app) => {
    const { visitor, orgId } = await founder(app);
    responseOf(await signInByPasskey(visitor, await addPasskey(visitor, app.url)));
    return async () => responseOf(await visitor.put('/api/orgs/secondstep', { org_id: orgId, rule: 'any' }));
  },
};
