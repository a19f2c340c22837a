import { Secret, TOTP } from 'otpauth';
import type { TestApp } from './start-app.ts';
import { PASSWORD } from './people.ts';
import { responseOf, type Visitor } from './visitor.ts';

type Setup = { readonly secret: string; readonly qr_code: string; readonly setup: string };
export const beginApp = async (visitor: Visitor) =>
  responseOf<Setup>(await visitor.post('/api/authenticator/setup', {}));

export const appCode = (app: TestApp, secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now().getTime() + steps * 30_000,
  });

/** Sets an authenticator app up. Returns its secret and the recovery codes that came with it. */
export async function setUpApp(app: TestApp, visitor: Visitor) {
  const { secret, setup } = await beginApp(visitor);
  const answer = await visitor.post('/api/authenticator', { setup, code: appCode(app, secret) });
  const { recovery_codes: codes } = responseOf<{ recovery_codes: string[] | null }>(answer);
  // The first code is used; the app shows the next one.
  app.clock.forward(30_000);
  return { secret, codes: codes ?? [] };
}

type FirstStep = { readonly mfa_enabled: number; readonly contact?: string; readonly ways?: string[] };
export const firstStep = async (visitor: Visitor, email: string) =>
  responseOf<FirstStep>(
    await visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' }),
  );

export const isSignedIn = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat')) !== null;
