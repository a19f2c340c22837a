import { maskEmail } from '#contract/accounts/mask.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { addPasskey, askForNewPasskey, Authenticator, signInByPasskey } from './authenticator.ts';
import { all, change, everybody, idle, look, nobody, signedOut, unconfirmed } from './matrix-world.ts';
import { confirmed, mailedCode, PASSWORD, twoStepPerson, TYPED_CODE } from './people.ts';
import { appCode, beginApp, firstStep, setUpApp } from './second-steps.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

const place = { timezone: '' };

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };
const registration = { ...credential, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };
const assertion = {
  ...credential,
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

const twoStep = async (app: TestApp) => {
  const person = await twoStepPerson(app);
  const visitor = app.visitor();
  await firstStep(visitor, person.email);
  return { ...person, visitor };
};
const passkeyHolder = async (app: TestApp) => {
  const { visitor } = await confirmed(app);
  const authenticator = await addPasskey(visitor, app.url);
  return { visitor, authenticator, id: authenticator.id.toString('base64url') };
};

/** The calls of sign-in, second steps, passkeys and proofs of identity. */
export const signInCalls = {
  signIn: {
    signIn: change(
      all('invalid_credentials'),
      ['signInDevice.signIn.create'],
      ({ boss }) => ({ email_id: boss.email, password: PASSWORD, ...place }),
      async (app) => {
        const { email } = await confirmed(app);
        return () => app.visitor().post('/api/signin', { email_id: email, password: PASSWORD, ...place });
      },
    ),
    resendCode: change(all('otp_expired'), 'it only mails', {}, async (app) => {
      const { visitor } = await twoStep(app);
      app.clock.forward(MINUTE_MS);
      return () => visitor.post('/api/otp', {});
    }),
    verifyCode: change(
      all('otp_expired'),
      ['signInDevice.signIn.create'],
      { contact: 'x', otp: TYPED_CODE, ...place },
      async (app) => {
        const { visitor, email } = await twoStep(app);
        const otp = await mailedCode(app, email);
        return () => visitor.post('/api/verifyotp', { contact: maskEmail(email), otp, ...place });
      },
    ),
    verifyAppCode: change(
      all('otp_expired'),
      ['signInDevice.rememberedBrowser.create', 'signInDevice.signIn.create'],
      { code: TYPED_CODE, ...place },
      async (app) => {
        const { visitor, email } = await confirmed(app);
        const { secret } = await setUpApp(app, visitor);
        const browser = app.visitor();
        await firstStep(browser, email);
        const code = appCode(app, secret);
        return () => browser.post('/api/signin/app', { code, remember: 1, ...place });
      },
    ),
    verifyRecoveryCode: change(
      all('otp_expired'),
      ['signInDevice.recoveryCode.change', 'signInDevice.signIn.create'],
      { code: '4F7KM-2QX9A', ...place },
      async (app) => {
        const { visitor, email } = await confirmed(app);
        const { codes } = await setUpApp(app, visitor);
        const browser = app.visitor();
        await firstStep(browser, email);
        return () => browser.post('/api/signin/recovery', { code: codes[0], ...place });
      },
    ),
    status: look(nobody),
    signOut: change(signedOut, ['signInDevice.signIn.delete']),
  },
  waysIn: { read: look(signedOut) },
  passkeys: {
    begin: change(signedOut, 'it only asks the browser'),
    add: change(
      everybody('passkey_invalid'),
      ['signInDevice.passkey.create'],
      { credential: registration },
      async (app) => {
        const { visitor } = await confirmed(app);
        const made = new Authenticator(app.url).create(await askForNewPasskey(visitor));
        return () => visitor.post('/api/passkeys', { credential: made });
      },
    ),
    rename: change(
      everybody('passkey_not_found'),
      ['signInDevice.passkey.update'],
      { id: 'AAAA', name: 'Laptop' },
      async (app) => {
        const { visitor, id } = await passkeyHolder(app);
        return () => visitor.put('/api/passkeys', { id, name: 'Laptop' });
      },
    ),
    remove: change(
      everybody('passkey_not_found'),
      ['signInDevice.passkey.delete'],
      { id: 'AAAA' },
      async (app) => {
        const { visitor, id } = await passkeyHolder(app);
        return () => visitor.delete('/api/passkeys', { id });
      },
    ),
    offer: look(signedOut),
    declineOffer: change(signedOut, 'it is a preference of the page'),
    beginPasskey: idle(nobody, 'it only asks the browser', { second_step: 0 }),
    signInWithPasskey: change(
      all('passkey_unknown'),
      ['signInDevice.signIn.create'],
      { credential: assertion, ...place },
      async (app) => {
        const { authenticator } = await passkeyHolder(app);
        return () => signInByPasskey(app.visitor(), authenticator);
      },
    ),
  },
  authenticator: {
    beginSetup: idle(signedOut, 'it stores nothing'),
    finishSetup: change(
      everybody('otp_expired'),
      ['signInDevice.authenticatorApp.create'],
      { setup: 'AAAA', code: TYPED_CODE },
      async (app) => {
        const { visitor } = await confirmed(app);
        const { secret, setup } = await beginApp(visitor);
        const code = appCode(app, secret);
        return () => visitor.post('/api/authenticator', { setup, code });
      },
    ),
    removeApp: change(everybody('not_found'), ['signInDevice.authenticatorApp.delete'], {}, async (app) => {
      const { visitor } = await confirmed(app);
      await setUpApp(app, visitor);
      return () => visitor.delete('/api/authenticator', {});
    }),
  },
  recoveryCodes: {
    renew: change(everybody('not_allowed'), ['signInDevice.recoveryCode.create'], {}, async (app) => {
      const { visitor } = await twoStepPerson(app);
      return () => visitor.post('/api/recoverycodes', {});
    }),
  },
  rememberedBrowsers: {
    forget: idle(signedOut, ['signInDevice.rememberedBrowser.delete'], {}, async (app) => {
      const { visitor, email } = await twoStepPerson(app);
      await firstStep(visitor, email);
      const otp = await mailedCode(app, email);
      const input = { contact: maskEmail(email), otp, remember: 1, ...place };
      responseOf(await visitor.post('/api/verifyotp', input));
      return () => visitor.delete('/api/rememberedbrowsers', {});
    }),
  },
  stepUp: {
    twoStep: look(signedOut),
    setTwoStep: change({ ...signedOut, ...unconfirmed }, ['signInDevice.twoStep.change'], { mfa_enabled: 1 }),
    reauthenticate: change(
      everybody('wrong_password'),
      ['signInDevice.stepUp.create'],
      { password: PASSWORD },
      async (app) => {
        const { visitor } = await confirmed(app);
        return () => visitor.post('/api/reauthenticate', { password: PASSWORD });
      },
    ),
    proofs: look(signedOut),
    reauthenticateByPasskey: change(everybody('not_allowed'), 'it only asks the browser', {}, async (app) => {
      const { visitor } = await passkeyHolder(app);
      return () => visitor.post('/api/reauthenticate/passkey', {});
    }),
    reauthenticateByMail: change(signedOut, 'it only mails'),
  },
};
