import { describe, expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { founder, signIn, twoStepPerson } from '#server/testing/people.ts';
import { setUpApp } from '#server/testing/second-steps.ts';
import {
  askFor,
  comeBack,
  goAndStop,
  googler,
  linkGoogle,
  signInWith,
  type SocialApp,
  newSubject,
  startSocialApp,
  visitIn,
  whoIs,
} from '#server/testing/social-app.ts';
import { staff } from '#server/testing/staff.ts';
import { useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useServer(startSocialApp);

const stale = /used already, took longer than 10 minutes or began in another window/;

describe('a return works once, for the browser and provider of its visit (F5)', () => {
  const refused = async (visitor: ReturnType<SocialApp['visitor']>, path: string) => {
    const before = visitor.session;
    const page = await comeBack(visitor, path);
    expect(page.lead).toMatch(stale);
    expect([page.status, page.link, visitor.session]).toEqual([400, '/login', before]);
  };

  test('a missing or made-up state is refused', async () => {
    app.google.person = googler();
    const visitor = app.visitor();
    const path = await goAndStop(app, visitor, 'google');
    await refused(visitor, path.replace(/&?state=[^&]*/, ''));
    await refused(visitor, path.replace(/state=[^&]*/, 'state='));
    await refused(visitor, path.replace(/state=[^&]*/, `state=${'x'.repeat(43)}`));
    await refused(visitor, '/api/auth/callback/google');
    // None of them used up the real visit.
    expect((await comeBack(visitor, path)).title).toBe('You are signed in');
  });

  test('a replay opens nothing, and leads the person on who is signed in', async () => {
    app.google.person = googler();
    const visitor = app.visitor();
    const path = await goAndStop(app, visitor, 'google');
    expect((await comeBack(visitor, path)).status).toBe(200);
    const { session } = visitor;
    expect(await comeBack(visitor, path)).toMatchObject({ status: 200, title: 'You are signed in' });
    expect(visitor.session).toBe(session);
    visitor.cookies.delete('portico');
    await refused(visitor, path);
    // A person who did not come by the provider reads why.
    await refused((await founder(app)).visitor, path);
  });

  test.each(['google', 'facebook'] as const)('two windows go to %s and both come back', async (channel) => {
    app[channel].person = { ...googler(), id: newSubject() };
    const visitor = app.visitor();
    const older = await goAndStop(app, visitor, channel);
    const newer = await goAndStop(app, visitor, channel);
    expect((await comeBack(visitor, older)).title).toBe('You are signed in');
    const { session } = visitor;
    expect((await comeBack(visitor, newer)).title).toBe('You are signed in');
    // The second return finds its person signed in, and opens no other session.
    expect(visitor.session).toBe(session);
  });

  test('a second return leads on to the identity that waits for the person’s word', async () => {
    const { visitor } = await founder(app);
    app.google.person = googler();
    const path = await goAndStop(app, visitor, 'google');
    const visit = visitIn(await comeBack(visitor, path));
    expect(visitIn(await comeBack(visitor, path))).toBe(visit);
    await refused((await founder(app)).visitor, path);
    responseOf(await visitor.post('/api/auth/link', { visit }));
    expect((await comeBack(visitor, path)).title).toBe('You are signed in');
  });

  test('another browser is refused', async () => {
    app.google.person = googler();
    const attacker = app.visitor();
    const path = await goAndStop(app, attacker, 'google');
    await refused(app.visitor(), path);
    const victim = app.visitor();
    await askFor(victim, 'google');
    await refused(victim, path);
    expect((await comeBack(attacker, path)).status).toBe(200);
  });

  test('the other provider’s callback is refused', async () => {
    app.google.person = googler();
    const visitor = app.visitor();
    const path = await goAndStop(app, visitor, 'google');
    await refused(visitor, path.replace('/google', '/facebook'));
    expect((await app.visitor().get('/api/auth/callback/myspace')).code).toBe('not_found');
  });

  test('it is refused after ten minutes, but not a second earlier', async () => {
    const visitor = app.visitor();
    app.google.person = googler();
    const inTime = await goAndStop(app, visitor, 'google');
    app.clock.forward(10 * MINUTE_MS - SECOND_MS);
    expect((await comeBack(visitor, inTime)).status).toBe(200);
    const late = app.visitor();
    app.google.person = googler();
    const path = await goAndStop(app, late, 'google');
    app.clock.forward(10 * MINUTE_MS);
    await refused(late, path);
  });
});

describe('the portal and the provider check each other (F5)', () => {
  const failed = { status: 400, title: 'That did not work', link: '/login' };

  test('an answer of another issuer is refused', async () => {
    const visitor = app.visitor();
    const path = await goAndStop(app, visitor, 'google');
    const mixed = path.replace(/iss=[^&]*/, `iss=${encodeURIComponent('https://accounts.evil.example')}`);
    expect(mixed).not.toBe(path);
    expect(await comeBack(visitor, mixed)).toMatchObject(failed);
  });

  test('a person who cancels sees that, and the visit ends', async () => {
    const visitor = app.visitor();
    const state = (await askFor(visitor, 'facebook')).searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      error: 'access_denied',
      error_reason: 'user_denied',
      state,
    }).toString();
    const page = await comeBack(visitor, `/api/auth/callback/facebook?${query}`);
    expect(page).toMatchObject({
      ...failed,
      lead: 'You did not go on with Facebook, so nothing was changed.',
    });
    expect((await comeBack(visitor, `/api/auth/callback/facebook?${query}`)).lead).toMatch(stale);
  });

  test.each(['server_error', '<b>'])('the error %o is shown in the portal’s words', async (error) => {
    const visitor = app.visitor();
    const state = (await askFor(visitor, 'google')).searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      error,
      error_description: '<script>alert(1)</script>',
      state,
    }).toString();
    const page = await comeBack(visitor, `/api/auth/callback/google?${query}`);
    expect(page).toMatchObject({
      ...failed,
      lead: expect.stringContaining('Google did not answer as it should'),
    });
    expect(page.html).not.toContain('alert(1)');
  });
});

const MFA = { amr: ['pwd', 'mfa'] };

async function comeWith(claims: SocialApp['google']['person']) {
  app.google.person = claims;
  const visitor = app.visitor();
  return { visitor, page: await signInWith(app, visitor, 'google') };
}
const providerProofOf = (id: number) =>
  app.deps.sql
    .selectFrom('sessions')
    .select(['methods', 'second_step'])
    .where('user_id', '=', id as never)
    .where('second_step', '=', 'provider')
    .executeTakeFirst();

describe('a provider’s own second step (W12)', () => {
  test.each([
    ['a password', { amr: ['pwd'] }, false],
    ['several factors', MFA, true],
  ])('%s, as %j: no other one is asked for: %s', async (_case, claims, isSignedIn) => {
    const { visitor: owner, id } = await twoStepPerson(app);
    await setUpApp(app, owner);
    const sub = await linkGoogle(app, owner);
    const { visitor } = await comeWith({ sub, ...claims });
    expect((await whoIs(visitor))?.id).toBe(isSignedIn ? id : undefined);
    expect((await providerProofOf(id)) !== undefined).toBe(isSignedIn);
  });

  test('counts for the account that it creates', async () => {
    const { visitor } = await comeWith(googler(MFA));
    const id = (await whoIs(visitor))?.id ?? 0;
    expect(await providerProofOf(id)).toEqual({ methods: ['fed'], second_step: 'provider' });
  });
});

test('a session without the second step that an organization asks for links no service (W9)', async () => {
  const boss = await founder(app);
  responseOf(await signInByPasskey(boss.visitor, await addPasskey(boss.visitor, app.url)));
  const member = await staff(app, boss.orgId, 'Admin');
  const weak = app.visitor();
  responseOf(await signIn(weak, member.email));
  await setUpApp(app, member.visitor);
  responseOf(await boss.visitor.put('/api/orgs/secondstep', { org_id: boss.orgId, rule: 'any' }));
  const start = (visitor: Visitor) => visitor.get('/api/auth?state=2&channel_type=2');
  expect((await start(weak)).code).toBe('strong_step_required');
  expect((await weak.post('/api/passkeys/options', {})).code).toBe('strong_step_required');
  responseOf(await start(member.visitor));
});
