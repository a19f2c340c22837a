import type { Page } from '@playwright/test';

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

/** Browsers then offer no passkeys in the autofill of the address field. */
export const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    // A blank page has none.
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
