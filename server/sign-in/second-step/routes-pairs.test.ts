import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { addPasskey, askForPasskey, type Authenticator } from '#server/testing/authenticator.ts';
import { confirmed, mailedCode, PASSWORD } from '#server/testing/people.ts';
import { appCode, firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { type Answer, responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
const ways = ['passkey', 'app', 'mail', 'recovery'] as const;
type Way = (typeof ways)[number];
const place = { timezone: '' };

type World = {
  readonly visitor: Visitor;
  readonly email: string;
  readonly passkey: Authenticator | undefined;
  readonly secret: string;
  readonly codes: string[];
};

/** A person with exactly these second steps; the mailed code is always one of them. */
async function personWith(steps: readonly Way[]): Promise<World> {
  const { visitor, email } = await confirmed(app);
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  const passkey = steps.includes('passkey') ? await addPasskey(visitor, app.url) : undefined;
  let [secret, codes]: [string, string[]] = ['', []];
  if (steps.includes('app')) ({ secret, codes } = await setUpApp(app, visitor));
  if (steps.includes('recovery'))
    ({ codes } = responseOf<{ codes: string[] }>(await visitor.post('/api/recoverycodes', {})));
  else await app.deps.sql.deleteFrom('recovery_codes').execute();
  app.clock.forward(MINUTE_MS);
  return { visitor, email, passkey, secret, codes };
}

/** Takes a second step in a browser that has taken the first one. */
const take: Record<Way, (browser: Visitor, world: World) => Promise<Answer>> = {
  passkey: async (browser, { passkey }) => {
    const credential = passkey?.get(await askForPasskey(browser, true));
    return browser.post('/api/signin/passkey', { credential, ...place });
  },
  app: (browser, { secret }) => browser.post('/api/signin/app', { code: appCode(app, secret), ...place }),
  mail: async (browser, { email }) => {
    // The code is in the mailbox already if the mail is the strongest way.
    const asked = await browser.post('/api/otp', {});
    if (asked.code !== undefined && asked.code !== 'too_many_requests') return asked;
    return browser.post('/api/verifyotp', { contact: 'x', otp: await mailedCode(app, email), ...place });
  },
  recovery: (browser, { codes }) => browser.post('/api/signin/recovery', { code: codes.pop(), ...place }),
};

const pairs = ways.flatMap((one) =>
  ways.filter((other) => other !== one).map((other) => [one, other] as const),
);

describe.each(pairs)('a person with %s and %s', (one, other) => {
  const owned = ways.filter((way) => way === one || way === other || way === 'mail');

  test('is asked for the strongest, and each of them finishes the sign-in alone', async () => {
    const world = await personWith(owned);
    for (const way of owned) {
      const browser = app.visitor();
      const asked = (await firstStep(browser, world.email)).ways ?? ['mail'];
      expect(asked).toEqual(owned);
      expect(responseOf(await take[way](browser, world))).toEqual({ mfa_enabled: 0 });
      expect(await isSignedIn(browser)).toBe(true);
      app.clock.forward(MINUTE_MS);
    }
  });

  test('signs in with the second after losing the first, and removes the first without it', async () => {
    const world = await personWith(owned);
    const browser = app.visitor();
    await firstStep(browser, world.email);
    responseOf(await take[other](browser, world));
    app.clock.forward(11 * MINUTE_MS);
    responseOf(await browser.post('/api/reauthenticate', { password: PASSWORD }));
    const id = world.passkey?.id.toString('base64url');
    const removals: Record<Way, () => Promise<Answer>> = {
      passkey: () => browser.send('DELETE', '/api/passkeys', { body: { id } }),
      app: () => browser.send('DELETE', '/api/authenticator', { body: {} }),
      mail: () => browser.put('/api/mfa', { mfa_enabled: 0 }),
      recovery: () => browser.post('/api/recoverycodes', {}),
    };
    expect((await removals[one]()).status).toBe(200);
  });
});
