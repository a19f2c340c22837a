import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { invitedId } from '#server/stand-in.ts';
import {
  confirmed,
  founder,
  mailedCode,
  mailedDigest,
  newEmail,
  signedUp,
  twoStepPerson,
  deactivate,
} from '#server/testing/people.ts';
import { plantedInvitation, restrict } from '#server/testing/planted.ts';
import {
  comeBack,
  comeWithGoogle,
  goAndStop,
  linkGoogle,
  newSubject,
  ownerOf,
  signInWith,
  startSocialApp,
  whoIs,
} from '#server/testing/social-app.ts';
import { useServer } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useServer(startSocialApp);

describe('a provider passes the same checks as the password (F7, B6)', () => {
  test.each([
    ['deactivated', deactivate, 'Your account is deactivated.', 60],
    ['restricted', restrict, 'Your account is locked for a while.', 1],
  ] as const)('a %s account is refused and led to support', async (reason, close, lead, days) => {
    const person = await confirmed(app);
    const sub = await linkGoogle(app, person.visitor);
    await close(app, person);
    const { visitor, page } = await comeWithGoogle(app, sub);
    const until = new Date(app.clock.now().getTime() + days * DAY_MS).toISOString();
    expect([page.status, page.lead]).toEqual([403, lead]);
    expect(page.link).toBe(`/support?${new URLSearchParams({ reason, until }).toString()}`);
    expect([[...visitor.cookies.keys()], await whoIs(visitor)]).toEqual([['portico-oauth'], null]);
  });

  test('an unconfirmed address has to be confirmed first', async () => {
    const person = await signedUp(app);
    const { visitor, page } = await comeWithGoogle(app, await linkGoogle(app, person.visitor));
    expect([page.status, page.link, visitor.session]).toEqual([403, '/verifyaccount', undefined]);
  });

  test('an account created with the provider signs in despite a mistyped address, whose owner gets no more mail', async () => {
    const sub = newSubject();
    const { visitor } = await comeWithGoogle(app, sub);
    const email = newEmail('mistyped');
    responseOf(
      await visitor.post('/api/orgs', { first_name: 'Ida', country_name: 'Sweden', email_id: email }),
    );
    const mails = (await app.mails(email)).map(({ subject }) => subject);
    expect(mails).toEqual(['Confirm your email address']);

    const later = await comeWithGoogle(app, sub);
    expect(later.page.title).toBe('You are signed in');
    expect(await whoIs(later.visitor)).toMatchObject({ id: (await whoIs(visitor))?.id, email, confirmed: 0 });
    expect(await app.mails(email)).toHaveLength(1);
  });

  test('two-step sign-in asks for its code before it opens a session', async () => {
    const person = await twoStepPerson(app);
    const { visitor, page } = await comeWithGoogle(app, await linkGoogle(app, person.visitor));
    expect(page.title).toBe('One more step');
    const contact = new URL(page.link, app.url).searchParams.get('contact') ?? '';
    expect(contact).toBe(`m•••@northwind.example`);
    expect([...visitor.cookies.keys()]).toEqual(['portico-oauth', 'portico-challenge', 'portico-method']);
    expect(await whoIs(visitor)).toBeNull();
    for (const path of ['/api/init', '/api/user', '/api/mfa'])
      expect((await visitor.get(path)).code).toBe('not_signed_in');
    const otp = await mailedCode(app, person.email);
    responseOf(await visitor.post('/api/verifyotp', { contact, otp, timezone: 'Europe/Stockholm' }));
    expect((await whoIs(visitor))?.id).toBe(person.id);
  });

  test('an invited person without an account is sent to the invitation (F7)', async () => {
    const { orgId } = await founder(app);
    const { email } = await plantedInvitation(app, orgId);
    app.google.person = { sub: newSubject(), email, email_verified: true };
    const visitor = app.visitor();
    const page = await signInWith(app, visitor, 'google');
    expect([page.status, page.lead]).toEqual([
      403,
      expect.stringMatching(/^You were invited with this address/),
    ]);
    expect([[...visitor.cookies.keys()], await whoIs(visitor)]).toEqual([['portico-oauth'], null]);
  });

  test('a person whose invitation was withdrawn gets a new account', async () => {
    const { orgId, visitor: boss } = await founder(app);
    const { email, memberId } = await plantedInvitation(app, orgId);
    responseOf(await boss.delete('/api/orgusers', { org_id: orgId, del_user_id: invitedId(memberId) }));
    app.google.person = { sub: newSubject(), email, email_verified: true };
    const visitor = app.visitor();
    expect((await signInWith(app, visitor, 'google')).title).toBe('You are signed in');
    expect(await whoIs(visitor)).toMatchObject({ email, confirmed: 1 });
  });

  test('a provider vouches only for the exact address it names (F7)', async () => {
    const email = newEmail('ann');
    for (const claimed of [`\uFF41${email.slice(1)}`, email.replace('@', '\u200B@')]) {
      app.google.person = { sub: newSubject(), email: claimed, email_verified: true };
      const visitor = app.visitor();
      expect((await signInWith(app, visitor, 'google')).title).toBe('You are signed in');
      expect(await whoIs(visitor)).toMatchObject({ email: null });
    }
  });

  test('a provider that is switched off meanwhile is refused at the return (F7)', async () => {
    const visitor = app.visitor();
    app.google.person = { sub: newSubject() };
    const path = await goAndStop(app, visitor, 'google');
    const { config } = app.deps;
    Object.assign(app.deps, { config: { ...config, googleLogin: false } });
    const page = await comeBack(visitor, path);
    Object.assign(app.deps, { config });
    expect([page.status, page.lead]).toEqual([403, 'Signing in with Google is not available here.']);
    expect(await whoIs(visitor)).toBeNull();
  });
});

describe('a proof of the mailbox removes identities that others linked before (A5, C6)', () => {
  test('for an address given at onboarding and confirmed by its owner elsewhere', async () => {
    const sub = newSubject();
    const { visitor } = await comeWithGoogle(app, sub);
    const victim = newEmail('victim');
    responseOf(
      await visitor.post('/api/orgs', { first_name: 'Eve', country_name: 'Sweden', email_id: victim }),
    );
    const digest = await mailedDigest(app, victim);
    expect(responseOf(await app.visitor().post('/api/verifyemail', { digest }))).toMatchObject({
      password_needed: 1,
    });
    expect([await ownerOf(app, sub), await whoIs(visitor)]).toEqual([undefined, null]);
  });

  test.each([
    ['unconfirmed', 'no identity stays', undefined],
    ['confirmed', 'the first identity stays', 'kept'],
  ] as const)('a reset of an %s account without a password: %s (C7)', async (state, _what, first) => {
    const sub = newSubject();
    const email = newEmail('reset');
    app.google.person = state === 'confirmed' ? { sub, email, email_verified: true } : { sub };
    const visitor = app.visitor();
    await signInWith(app, visitor, 'google');
    if (state === 'unconfirmed')
      responseOf(
        await visitor.post('/api/orgs', { first_name: 'Eve', country_name: 'Sweden', email_id: email }),
      );
    const later = await linkGoogle(app, visitor);
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
    const digest = await mailedDigest(app, email);
    // Only a proven owner of the mailbox learns which provider opens the account (C7).
    const saysHow = (await app.mails(email)).at(-1)?.text.includes('you sign in with Google.');
    expect(saysHow).toBe(state === 'confirmed');
    responseOf(
      await app.visitor().put('/api/resetpassword', { digest, password: 'sturdy door 77', timezone: '' }),
    );
    const signedIn = await app
      .visitor()
      .post('/api/signin', { email_id: email, password: 'sturdy door 77', timezone: '' });
    expect([(await ownerOf(app, sub)) && 'kept', await ownerOf(app, later)]).toEqual([first, undefined]);
    expect(signedIn.status).toBe(200);
  });
});
