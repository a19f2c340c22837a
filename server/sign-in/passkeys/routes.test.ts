import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import {
  addPasskey,
  askForNewPasskey,
  askForPasskey,
  Authenticator,
  signInByPasskey,
  type Trick,
} from '#server/testing/authenticator.ts';
import { placesTaken } from '#server/testing/budgets.ts';
import { confirmed, founder, PASSWORD, signIn, twoStepPerson } from '#server/testing/people.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();
const ONE_PASSWORD = 'bada5566-a7aa-401f-bd96-45619a55120d';
const callerOf = async (visitor: Visitor) =>
  responseOf<{ id: number } | null>(await visitor.get('/api/ustat'))?.id;
const listOf = async (visitor: Visitor) =>
  responseOf<{ passkeys: { id: string; name: string | null; kind: string }[] }>(
    await visitor.get('/api/waysin'),
  ).passkeys;

describe('a passkey', () => {
  test('is added under the name of its provider, announced to its owner, and signs in without another step', async () => {
    const { visitor, email, id } = await twoStepPerson(app);
    const authenticator = await addPasskey(visitor, app.url, { aaguid: ONE_PASSWORD });
    expect(await listOf(visitor)).toMatchObject([
      { name: '1Password', provider: '1Password', kind: 'synced', last_used_time: null },
    ]);
    app.clock.forward(10 * MINUTE_MS);
    expect((await app.mails(email)).at(-1)?.subject).toBe('A passkey was added to your account');
    const elsewhere = app.visitor();
    expect(responseOf(await signInByPasskey(elsewhere, authenticator))).toEqual({ mfa_enabled: 0 });
    expect(await callerOf(elsewhere)).toBe(id);
    expect(await placesTaken(app, 'signInMinute')).toBe(0);
    expect((await listOf(visitor))[0]).toMatchObject({ last_used_time: expect.any(String) });
  });

  test('is renamed without a fresh proof and removed with one', async () => {
    const { visitor, email } = await confirmed(app);
    await addPasskey(visitor, app.url);
    await app.mails(email);
    const [passkey] = await listOf(visitor);
    expect(passkey?.name).toBeNull();
    const { id = '' } = passkey ?? {};
    app.clock.forward(11 * MINUTE_MS);
    expect(responseOf(await visitor.put('/api/passkeys', { id, name: 'Work laptop' }))).toMatchObject({
      name: 'Work laptop',
    });
    expect((await visitor.put('/api/passkeys', { id, name: 'Work laptop' })).code).toBe('no_changes');
    expect((await visitor.send('DELETE', '/api/passkeys', { body: { id } })).code).toBe(
      'reauthentication_required',
    );
    responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
    const left = await visitor.send('DELETE', '/api/passkeys', { body: { id } });
    expect(responseOf(left)).toEqual({ user_handle: expect.any(String), ids: [] });
    expect(await listOf(visitor)).toEqual([]);
    expect((await visitor.send('DELETE', '/api/passkeys', { body: { id } })).code).toBe('passkey_not_found');
    expect((await app.mails(email)).at(-1)?.subject).toBe('A passkey was removed from your account');
  });

  test('of another person cannot be renamed or removed', async () => {
    const [one, other] = [await confirmed(app), await confirmed(app)];
    await addPasskey(one.visitor, app.url);
    const [{ id } = { id: '' }] = await listOf(one.visitor);
    const answers = [
      await other.visitor.put('/api/passkeys', { id, name: 'Mine' }),
      await other.visitor.send('DELETE', '/api/passkeys', { body: { id } }),
    ];
    expect(answers.map(({ code }) => code)).toEqual(['passkey_not_found', 'passkey_not_found']);
    expect(await listOf(one.visitor)).toHaveLength(1);
  });

  test('is registered once, also by two people (W5)', async () => {
    const [one, other] = [await confirmed(app), await confirmed(app)];
    const authenticator = await addPasskey(one.visitor, app.url);
    // The browser itself refuses an authenticator that holds one of the person's passkeys.
    expect(await askForNewPasskey(one.visitor)).toMatchObject({
      excludeCredentials: [{ id: authenticator.id.toString('base64url') }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const again = authenticator.create(await askForNewPasskey(other.visitor));
    expect((await other.visitor.post('/api/passkeys', { credential: again })).code).toBe('passkey_exists');
  });

  test('that is the last way in stays (W10)', async () => {
    const { visitor, id } = await founder(app);
    await addPasskey(visitor, app.url);
    await deleteRows(app, 'passwords', { user_id: id });
    const [passkey] = await listOf(visitor);
    const locks = { app: null, two_step: null };
    expect(responseOf(await visitor.get('/api/waysin'))).toMatchObject({
      locks: { passkey: 'last_way_in', ...locks },
      required_by: null,
    });
    expect((await visitor.send('DELETE', '/api/passkeys', { body: { id: passkey?.id } })).code).toBe(
      'last_way_in',
    );
    await addPasskey(visitor, app.url);
    expect(responseOf(await visitor.get('/api/waysin'))).toMatchObject({
      locks: { passkey: null, ...locks },
    });
  });

  test('is one of at most 20', async () => {
    const { visitor } = await confirmed(app);
    for (let nth = 0; nth < 19; nth += 1) await addPasskey(visitor, app.url);
    const options = await askForNewPasskey(visitor);
    await addPasskey(visitor, app.url);
    expect((await visitor.post('/api/passkeys/options', {})).code).toBe('passkey_limit_reached');
    const late = new Authenticator(app.url).create(options);
    expect((await visitor.post('/api/passkeys', { credential: late })).code).toBe('passkey_limit_reached');
  });
});

const tricks: Record<string, Trick> = {
  'from another origin': { origin: 'https://evil.example' },
  'for another relying party': { rpId: 'evil.example' },
  'without user verification': { isVerified: false },
  'without user presence': { isPresent: false },
  'for a challenge that we did not make': { challenge: 'A'.repeat(72) },
};

describe('registration refuses an answer', () => {
  test('from another origin', async () => {
    const { visitor } = await confirmed(app);
    const options = await askForNewPasskey(visitor);
    const credential = new Authenticator(app.url).create(options, { origin: 'https://evil.example' });
    expect((await visitor.post('/api/passkeys', { credential })).code).toBe('passkey_invalid');
  });

  test('of another session of the same person', async () => {
    const { visitor, email } = await confirmed(app);
    const other = app.visitor();
    responseOf(await signIn(other, email));
    const credential = new Authenticator(app.url).create(await askForNewPasskey(visitor));
    expect((await other.post('/api/passkeys', { credential })).code).toBe('passkey_invalid');
  });

  test('after ten minutes', async () => {
    const { visitor } = await confirmed(app);
    const credential = new Authenticator(app.url).create(await askForNewPasskey(visitor));
    app.clock.forward(10 * MINUTE_MS);
    responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
    expect((await visitor.post('/api/passkeys', { credential })).code).toBe('passkey_invalid');
  });

  test('without a fresh proof', async () => {
    const { visitor } = await confirmed(app);
    app.clock.forward(11 * MINUTE_MS);
    expect((await visitor.post('/api/passkeys/options', {})).code).toBe('reauthentication_required');
  });
});

describe('sign-in refuses a signature (W1, W2, W3)', () => {
  const cases: Record<string, Trick> = {
    ...tricks,
    'of a registration': { type: 'webauthn.create' },
    'with the handle of another person': { userHandle: 'AAAA' },
  };
  test.each(Object.entries(cases))('%s', async (_, trick) => {
    const { visitor } = await confirmed(app);
    const authenticator = await addPasskey(visitor, app.url);
    const stranger = app.visitor();
    expect((await signInByPasskey(stranger, authenticator, trick)).code).toBe('passkey_invalid');
    expect(await callerOf(stranger)).toBeUndefined();
  });

  test('that was used before', async () => {
    const { visitor } = await confirmed(app);
    const authenticator = await addPasskey(visitor, app.url);
    const browser = app.visitor();
    const credential = authenticator.get(await askForPasskey(browser));
    const cookie = browser.cookies.get('portico-passkey') ?? '';
    const input = { credential, timezone: '' };
    responseOf(await browser.post('/api/signin/passkey', input));
    browser.cookies.set('portico-passkey', cookie);
    expect((await browser.post('/api/signin/passkey', input)).code).toBe('passkey_invalid');
  });

  test('for the challenge of another browser', async () => {
    const { visitor } = await confirmed(app);
    const authenticator = await addPasskey(visitor, app.url);
    const [browser, other] = [app.visitor(), app.visitor()];
    const credential = authenticator.get(await askForPasskey(browser));
    await askForPasskey(other);
    expect((await other.post('/api/signin/passkey', { credential, timezone: '' })).code).toBe(
      'passkey_invalid',
    );
  });

  test('for the challenge of a step-up, and the other way round', async () => {
    const { visitor } = await confirmed(app);
    const authenticator = await addPasskey(visitor, app.url);
    const proof = responseOf<{ options: { challenge: string } }>(
      await visitor.post('/api/reauthenticate/passkey', {}),
    );
    const credential = authenticator.get(proof.options);
    await askForPasskey(visitor);
    expect((await visitor.post('/api/signin/passkey', { credential, timezone: '' })).code).toBe(
      'passkey_invalid',
    );
    const passkey = authenticator.get(await askForPasskey(visitor));
    expect((await visitor.post('/api/reauthenticate', { passkey })).code).toBe('passkey_invalid');
  });
});

test('a passkey is the second step after a password, for its owner only (W4)', async () => {
  const { visitor, email, id } = await twoStepPerson(app);
  const authenticator = await addPasskey(visitor, app.url);
  const other = await confirmed(app);
  const foreign = await addPasskey(other.visitor, app.url);
  const browser = app.visitor();
  const signedIn = await signIn(browser, email);
  expect(responseOf(signedIn)).toMatchObject({ mfa_enabled: 1, ways: ['passkey', 'mail', 'recovery'] });
  expect((await signInByPasskey(browser, foreign, {}, true)).code).toBe('passkey_invalid');
  expect(responseOf(await signInByPasskey(browser, authenticator, {}, true))).toEqual({ mfa_enabled: 0 });
  expect(await callerOf(browser)).toBe(id);
});

test('a passkey proves its owner again inside the session', async () => {
  const { visitor } = await confirmed(app);
  const authenticator = await addPasskey(visitor, app.url);
  const other = await confirmed(app);
  const foreign = await addPasskey(other.visitor, app.url);
  app.clock.forward(11 * MINUTE_MS);
  const ways = async () => responseOf(await visitor.get('/api/reauthenticate'));
  expect(await ways()).toEqual({ ways: ['password', 'passkey', 'recovery'] });
  const ask = async () =>
    responseOf<{ options: { challenge: string } }>(await visitor.post('/api/reauthenticate/passkey', {}))
      .options;
  const stolen = await visitor.post('/api/reauthenticate', { passkey: foreign.get(await ask()) });
  expect(stolen.code).toBe('passkey_invalid');
  responseOf(await visitor.post('/api/reauthenticate', { passkey: authenticator.get(await ask()) }));
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  // The way of the sign-in comes first.
  expect(await ways()).toEqual({ ways: ['password', 'passkey', 'recovery'] });
  responseOf(await signInByPasskey(visitor, authenticator));
  expect(await ways()).toEqual({ ways: ['passkey', 'password', 'recovery'] });
});

test('the owner is notified of a count that falls back, and not of one that stays 0 (W5)', async () => {
  const { visitor, email } = await confirmed(app);
  const authenticator = await addPasskey(visitor, app.url);
  const subjects = async () => (await app.mails(email)).map(({ subject }) => subject);
  const counts = async (signCount: number) =>
    responseOf(await signInByPasskey(app.visitor(), authenticator, { signCount }));
  await counts(0);
  await counts(5);
  expect(await subjects()).not.toContain('One of your passkeys may have been copied');
  await counts(5);
  app.clock.forward(10 * MINUTE_MS);
  expect(await subjects()).toContain('One of your passkeys may have been copied');
  expect(app.logLines.join('')).toContain('passkey may be copied');
});

test('the offer of a passkey stays declined', async () => {
  const { visitor } = await confirmed(app);
  const offer = async () => responseOf(await visitor.get('/api/passkeys/offer'));
  expect(await offer()).toEqual({ is_open: 1 });
  responseOf(await visitor.send('DELETE', '/api/passkeys/offer', { body: {} }));
  expect(await offer()).toEqual({ is_open: 0 });
});
