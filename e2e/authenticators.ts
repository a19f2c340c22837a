import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';

/** A virtual authenticator of the page's browser (Chromium's DevTools protocol). */
export async function withAuthenticator(page: Page, { isVerified = true } = {}) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isVerified,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the authenticator recognizes its owner from now on. */
    verifies: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

export const answerOf = async <T>(answer: Promise<{ json(): Promise<unknown> }>) =>
  ((await (await answer).json()) as { response: T }).response;

/** Sets up an authenticator app by calls. The session then counts as proven by it. Returns the app's next code. */
export async function setUpApp(request: APIRequestContext) {
  type Setup = { secret: string; setup: string };
  const { secret, setup } = await answerOf<Setup>(request.post('/api/authenticator/setup', { data: {} }));
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const data = { setup, code: app.generate() };
  expect((await request.post('/api/authenticator', { data })).ok()).toBe(true);
  return app.generate({ timestamp: Date.now() + app.period * 1000 });
}

/** Downloads the recovery codes that the page shows, and closes them. Returns the first one. */
export async function keepCodes(page: Page) {
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  const first = codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').first();
  const code = (await first.textContent()) ?? '';
  const saving = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Download' }).click();
  await saving;
  await codes.getByRole('button', { name: 'Done' }).click();
  return code;
}

/** Makes the browser offer no passkeys in the autofill of the address field. */
export const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    // A blank page has no such interface.
    if ('PublicKeyCredential' in globalThis)
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

/** Adds a passkey of the page's authenticator to the account of its session, without the page's own code. */
export const addPasskey = (page: Page) =>
  page.evaluate(async () => {
    const post = async (path: string, body: object) => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { response } = (await answer.json()) as {
        response: { options: PublicKeyCredentialCreationOptionsJSON };
      };
      return response;
    };
    const { options } = await post('/api/passkeys/options', {});
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    await post('/api/passkeys', { credential: credential.toJSON() });
  });
