import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { confirmed, mailedCode, signedUp, twoStepPerson } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { comeWithGoogle, linkGoogle, ownerOf, startSocialApp, whoIs } from '#server/testing/social-app.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useServer(startSocialApp);

const linkedTo = (answer: unknown) =>
  (answer as { provider: string; linked: number }[]).flatMap(({ provider, linked }) =>
    linked ? [provider] : [],
  );
const unlink = (visitor: Visitor, provider: string) => visitor.delete('/api/auth/linked', { provider });

test('lists the caller’s own providers', async () => {
  const [maya, tom] = [await confirmed(app), await confirmed(app)];
  await linkGoogle(app, maya.visitor);
  const linkedOf = async ({ visitor }: typeof maya) =>
    responseOf<{ provider: string; linked: number }[]>(await visitor.get('/api/auth/linked')).map(
      ({ provider, linked }) => [provider, linked],
    );
  expect(await linkedOf(maya)).toEqual([
    ['facebook', 0],
    ['google', 1],
  ]);
  expect(await linkedOf(tom)).toEqual([
    ['facebook', 0],
    ['google', 0],
  ]);
  expect((await app.visitor().get('/api/auth/linked')).code).toBe('not_signed_in');
});

test('a provider that is not set up is not available', async () => {
  const plain = await startApp();
  const { visitor } = await confirmed(plain);
  expect(responseOf(await visitor.get('/api/auth/linked'))).toEqual([
    { provider: 'facebook', linked: 0, available: 0 },
    { provider: 'google', linked: 0, available: 0 },
  ]);
  await plain.close();
});

describe('an unlinked provider', () => {
  test('opens the account no more, ends no session, and is mailed and recorded once', async () => {
    const person = await confirmed(app);
    const sub = await linkGoogle(app, person.visitor);
    const before = (await app.mails(person.email)).length;
    for (const _time of ['once', 'again'])
      expect(linkedTo(responseOf(await unlink(person.visitor, 'google')))).toEqual([]);
    expect(await ownerOf(app, sub)).toBeUndefined();
    expect((await whoIs(person.visitor))?.id).toBe(person.id);
    const subjects = (await app.mails(person.email)).slice(before).map(({ subject }) => subject);
    expect(subjects).toEqual(['Google was disconnected from your account']);
    const rows = await listRows(app, 'activity', ['information'], { user_id: person.id }, 'id');
    expect(rows.map(({ information }) => information).slice(-2)).toEqual([
      { social_sign_in: [null, 'google'] },
      { social_sign_in: ['google', null] },
    ]);
    const { visitor } = await comeWithGoogle(app, sub);
    expect((await whoIs(visitor))?.id).not.toBe(person.id);
  });

  test('ends a sign-in that waits for its code', async () => {
    const person = await twoStepPerson(app);
    const { visitor } = await comeWithGoogle(app, await linkGoogle(app, person.visitor));
    const otp = await mailedCode(app, person.email);
    responseOf(await unlink(person.visitor, 'google'));
    expect((await visitor.post('/api/verifyotp', { contact: '', otp, timezone: '' })).code).toBe(
      'otp_expired',
    );
    expect(await whoIs(visitor)).toBeNull();
  });

  test('is not mailed to an unproven mailbox, nor is a link', async () => {
    const { visitor, email } = await signedUp(app);
    const before = (await app.mails(email)).length;
    await linkGoogle(app, visitor);
    responseOf(await unlink(visitor, 'google'));
    expect(await app.mails(email)).toHaveLength(before);
  });

  test('is the caller’s own; another person’s stays linked', async () => {
    const [maya, tom] = [await confirmed(app), await confirmed(app)];
    const sub = await linkGoogle(app, maya.visitor);
    await linkGoogle(app, tom.visitor);
    responseOf(await unlink(tom.visitor, 'google'));
    expect(await ownerOf(app, sub)).toBe(maya.id);
  });

  test('needs a proof younger than ten minutes', async () => {
    const { visitor } = await confirmed(app);
    const sub = await linkGoogle(app, visitor);
    app.clock.forward(10 * MINUTE_MS);
    expect((await unlink(visitor, 'google')).code).toBe('reauthentication_required');
    expect(await ownerOf(app, sub)).toBeDefined();
  });
});
