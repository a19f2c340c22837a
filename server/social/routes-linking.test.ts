import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { companyWithProvider, visitCompany } from '#server/testing/company-provider.ts';
import {
  confirmed,
  founder,
  mailedCode,
  mailedDigest,
  PASSWORD,
  signedUp,
  twoStepPerson,
} from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import {
  comeBack,
  comeWithGoogle,
  goAndStop,
  googler,
  linkGoogle,
  linkWaiting,
  newSubject,
  ownerOf,
  signInWith,
  startSocialApp,
  visitIn,
  whoIs,
} from '#server/testing/social-app.ts';
import { join, newRole } from '#server/testing/staff.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useServer(startSocialApp);

describe('an address never finds an account (F6)', () => {
  test('the page of a refusal says how to go on, and opens no session', async () => {
    const { email } = await confirmed(app);
    app.google.person = googler({ email });
    const visitor = app.visitor();
    const page = await signInWith(app, visitor, 'google');
    expect(page.lead).toMatch(
      /^You already have an account with this address\. Sign in with your password first/,
    );
    expect([page.link, visitor.session]).toEqual(['/login', undefined]);
  });

  test('the address is compared in its canonical form, and an invalid one is ignored', async () => {
    const { email } = await confirmed(app);
    app.google.person = { sub: newSubject(), email: ` ${email.toUpperCase()}`, email_verified: true };
    expect((await signInWith(app, app.visitor(), 'google')).lead).toMatch(/already have an account/);
    app.google.person = { sub: newSubject(), email: `x, ${email}`, email_verified: true };
    const visitor = app.visitor();
    await signInWith(app, visitor, 'google');
    expect((await whoIs(visitor))?.email).toBeNull();
  });

  test('an unconfirmed account with the address is not taken over', async () => {
    const squatter = await signedUp(app);
    app.google.person = { sub: newSubject(), email: squatter.email, email_verified: true };
    expect((await signInWith(app, app.visitor(), 'google')).lead).toMatch(/already have an account/);
  });
});

describe('linking (F6)', () => {
  test('lets the provider open the account and mails the owner a link to undo it', async () => {
    const person = await confirmed(app);
    const sub = await linkGoogle(app, person.visitor, { email: 'carl@gmail.example' });
    const mail = (await app.mails(person.email)).at(-1);
    expect([mail?.subject, mail?.text.replaceAll('\u200B', '')]).toEqual([
      'Google was linked to your account',
      expect.stringContaining('The account at Google: carl@gmail.example'),
    ]);
    const { visitor } = await comeWithGoogle(app, sub);
    expect((await whoIs(visitor))?.id).toBe(person.id);
    const digest = await mailedDigest(app, person.email);
    responseOf(await app.visitor().post('/api/notme', { digest }));
    expect([await ownerOf(app, sub), await whoIs(visitor), await whoIs(person.visitor)]).toEqual([
      undefined,
      null,
      null,
    ]);
  });

  test('takes a company’s word while its person belongs nowhere else; the way stays afterwards', async () => {
    const company = await companyWithProvider(app);
    onTestFinished(() => company.close());
    const email = `kim@${company.domain}`;
    const kim = app.visitor();
    await visitCompany(app, company, kim, { sub: 'kim', email });
    const sub = await linkGoogle(app, kim);
    expect((await app.mails(email)).at(-1)?.subject).toBe('Google was linked to your account');
    const other = await founder(app);
    const id = (await whoIs(kim))?.id ?? 0;
    await join(app, { id }, other.orgId, await newRole(other.visitor, other.orgId, 'Guests'));
    expect((await kim.get('/api/auth?state=2&channel_type=1')).code).toBe('account_proof_required');
    const { visitor } = await comeWithGoogle(app, sub);
    responseOf(await visitor.get(`/api/init?org_id=${other.orgId}`));
  });

  test('does not move an identity that opens another account', async () => {
    const sub = await linkGoogle(app, (await confirmed(app)).visitor);
    const before = await ownerOf(app, sub);
    const other = await confirmed(app);
    app.google.person = { sub };
    const page = await signInWith(app, other.visitor, 'google');
    expect([page.status, page.lead]).toEqual([
      403,
      'This Google account opens another account here, so it was not linked to yours.',
    ]);
    expect([await ownerOf(app, sub), (await whoIs(other.visitor))?.id]).toEqual([before, other.id]);
  });

  test.each([
    ['carl@gmail.example', { email: 'carl@gmail.example', given_name: 'Carl' }],
    ['Carl Aas', { given_name: 'Carl', family_name: 'Aas' }],
    [null, {}],
  ])('names %o first, and only the person’s own word in the same session links it', async (said, claims) => {
    const [person, other] = [await confirmed(app), await confirmed(app)];
    const sub = newSubject();
    app.google.person = { sub, ...claims };
    const page = await signInWith(app, person.visitor, 'google');
    const visit = visitIn(page);
    const waiting = async ({ visitor }: typeof person) =>
      responseOf(await visitor.get(`/api/auth/link?visit=${visit}`));
    expect([page.status, await waiting(person), await waiting(other)]).toEqual([
      303,
      { link: { provider: 'google', said } },
      { link: null },
    ]);
    expect((await linkWaiting(other.visitor, page)).code).toBe('not_found');
    expect(await ownerOf(app, sub)).toBeUndefined();
    app.clock.forward(10 * MINUTE_MS);
    responseOf(await person.visitor.post('/api/reauthenticate', { password: PASSWORD }));
    expect((await linkWaiting(person.visitor, page)).code).toBe('not_found');
    const again = await signInWith(app, person.visitor, 'google');
    responseOf(await linkWaiting(person.visitor, again));
    expect(await ownerOf(app, sub)).toBe(person.id);
    expect((await linkWaiting(person.visitor, again)).code).toBe('not_found');
  });

  test('of an identity that opened another account while it waited is refused', async () => {
    const person = await confirmed(app);
    app.google.person = { sub: newSubject() };
    const page = await signInWith(app, person.visitor, 'google');
    await signInWith(app, app.visitor(), 'google');
    expect((await linkWaiting(person.visitor, page)).code).toBe('not_allowed');
  });

  test('a second time changes nothing and sends no second mail', async () => {
    const person = await confirmed(app);
    app.google.person = { sub: await linkGoogle(app, person.visitor) };
    const mails = (await app.mails(person.email)).length;
    expect((await signInWith(app, person.visitor, 'google')).title).toBe('Google is linked');
    expect(await app.mails(person.email)).toHaveLength(mails);
  });

  test('needs a proof younger than ten minutes', async () => {
    const person = await confirmed(app);
    app.clock.forward(10 * MINUTE_MS);
    const ask = () => person.visitor.get('/api/auth?state=2&channel_type=2');
    expect((await ask()).code).toBe('reauthentication_required');
    responseOf(await person.visitor.post('/api/reauthenticate', { password: PASSWORD }));
    expect((await ask()).status).toBe(200);
  });

  test('needs the session in which it began', async () => {
    for (const meanwhile of ['signs out', 'another signs in', 'the cookie is gone'] as const) {
      const { visitor } = await confirmed(app);
      const sub = newSubject();
      app.google.person = { sub };
      const path = await goAndStop(app, visitor, 'google');
      if (meanwhile === 'signs out') await visitor.delete('/api/logout');
      else if (meanwhile === 'the cookie is gone') visitor.cookies.delete('portico');
      else visitor.cookies.set('portico', (await confirmed(app)).visitor.session ?? '');
      expect((await comeBack(visitor, path)).lead).toMatch(/began in another window/);
      expect(await ownerOf(app, sub)).toBeUndefined();
    }
  });

  test('a visit that began signed out links nothing to a session at its return', async () => {
    const { visitor, id } = await confirmed(app);
    const session = visitor.session ?? '';
    visitor.cookies.delete('portico');
    const sub = newSubject();
    app.google.person = { sub };
    const path = await goAndStop(app, visitor, 'google');
    visitor.cookies.set('portico', session);
    await comeBack(visitor, path);
    expect(await ownerOf(app, sub)).not.toBe(id);
    expect((await whoIs(visitor))?.id).toBe(await ownerOf(app, sub));
  });
});

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
});
