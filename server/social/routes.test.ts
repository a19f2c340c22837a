import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { placesTaken } from '#server/testing/budgets.ts';
import { newEmail } from '#server/testing/people.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import {
  askFor,
  comeBack,
  goAndStop,
  googler,
  signInWith,
  startSocialApp,
  whoIs,
} from '#server/testing/social-app.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useServer } from '#server/testing/use-app.ts';
import { buildLanguage, fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
buildLanguage(webApp, 'de');
const app = useServer(() => startSocialApp({}, webApp));
afterAll(() => rmSync(webApp, { recursive: true }));

describe('GET /auth', () => {
  test('answers the provider’s URL with every value that the return is checked against (F5)', async () => {
    const visitor = app.visitor();
    const url = await askFor(visitor, 'google');
    expect(url.origin).toBe(app.google.url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: SOCIAL_CLIENT.id,
      response_type: 'code',
      redirect_uri: `${app.url}/api/auth/callback/google`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const facebook = await askFor(visitor, 'facebook');
    expect(facebook.searchParams.get('scope')).toBe('email public_profile');
    expect(facebook.searchParams.has('nonce')).toBe(false);
    expect(facebook.searchParams.get('code_challenge_method')).toBe('S256');
  });

  test('keeps the secret of the browser, each time for ten minutes', async () => {
    const visitor = app.visitor();
    const cookies = [];
    const taken = await placesTaken(app, 'socialStartsHour');
    for (let round = 0; round < 2; round += 1) {
      const response = await visitor.request('GET', '/api/auth?state=2&channel_type=1');
      cookies.push(response.headers.getSetCookie()[0]);
    }
    expect(cookies[0]).toMatch(/^portico-oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookies[1]).toBe(cookies[0]);
    expect(await placesTaken(app, 'socialStartsHour')).toBe(taken + 2);
  });

  test('is refused for a provider that is not set up', async () => {
    const other = await startApp({ FACEBOOK_CLIENT_ID: 'id', FACEBOOK_CLIENT_SECRET: 'secret' });
    const ask = async (channel: number) => {
      const { status, code } = await other.visitor().get(`/api/auth?state=2&channel_type=${channel}`);
      return [status, code];
    };
    expect([await ask(1), await ask(2)]).toEqual([
      [200, undefined],
      [503, 'social_not_set_up'],
    ]);
    await other.close();
  });
});

describe('a visit to a provider', () => {
  test('Google: a first return makes a confirmed account, the next one finds it', async () => {
    const person = googler({ given_name: "Shaye O'Neill", family_name: 'Dara' });
    app.google.person = person;
    const visitor = app.visitor();
    const taken = await placesTaken(app, 'socialStartsHour');
    const page = await signInWith(app, visitor, 'google');
    expect(await placesTaken(app, 'socialStartsHour')).toBe(taken);
    expect([page.status, page.title, page.link]).toEqual([200, 'You are signed in', '/login']);
    const first = await whoIs(visitor);
    expect(first).toMatchObject({ email: person.email, full_name: 'Shaye O’Neill Dara', confirmed: 1 });
    expect(visitor.session).toMatch(/^[\w-]{43}$/);
    // The browser that signed up is known, and there is no address to confirm.
    expect(await app.mails(person.email)).toEqual([]);

    // The subject alone identifies the account, because the address at the provider may change.
    app.google.person = { ...person, email: newEmail('other') };
    const again = app.visitor();
    expect((await signInWith(app, again, 'google')).status).toBe(200);
    expect(await whoIs(again)).toEqual(first);
    expect((await app.mails(person.email)).map(({ subject }) => subject)).toEqual([
      'New sign-in to your account',
    ]);
  });

  test('Facebook: addresses are not trusted, so the account has none and onboarding asks for it', async () => {
    app.facebook.person = { id: '1001', first_name: 'Ida', last_name: 'Berg', email: newEmail('ida') };
    const visitor = app.visitor();
    expect((await signInWith(app, visitor, 'facebook')).title).toBe('You are signed in');
    const first = await whoIs(visitor);
    expect(first).toMatchObject({ email: null, full_name: 'Ida Berg', confirmed: 0 });
    const again = app.visitor();
    await signInWith(app, again, 'facebook');
    expect(await whoIs(again)).toEqual(first);

    const email = newEmail('ida');
    const onboarding = { first_name: 'Ida', country_name: 'Sweden', email_id: email };
    expect((await visitor.post('/api/orgs', onboarding)).status).toBe(200);
    expect((await app.mails(email)).at(-1)?.subject).toBe('Confirm your email address');
  });

  test('replaces a session that the browser has (D1)', async () => {
    app.google.person = googler();
    const visitor = app.visitor();
    const path = await goAndStop(app, visitor, 'google');
    const other = googler();
    app.google.person = other;
    const there = app.visitor();
    await signInWith(app, there, 'google');
    visitor.cookies.set('portico', there.session ?? '');
    await comeBack(visitor, path);
    expect(visitor.session).not.toBe(there.session);
    expect(await whoIs(there)).toBeNull();
  });

  test('the page has no foreign script, tells the opener nothing, and is never cached (F8)', async () => {
    app.google.person = googler();
    const { headers, html } = await signInWith(app, app.visitor(), 'google');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; .*; font-src 'self'; script-src 'self'$/,
    );
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    expect(html.match(/<script[^>]*>/g)).toEqual([
      '<script type="module" src="/assets/social-return-3c4d.js">',
    ]);
    expect(html.match(/<link[^>]*>/g)).toEqual([
      '<link rel="icon" type="image/svg+xml" href="/icon-light.svg">',
      '<link rel="stylesheet" href="/assets/social-return-3c4d.css">',
    ]);
    expect(html).not.toMatch(/postMessage|style=|onload|token|code=/);
  });

  test('the page has the chosen theme, and the files of its language', async () => {
    const visitor = app.visitor();
    visitor.cookies.set('portico-theme', 'dark').set('portico-language', 'de');
    const { html } = await comeBack(visitor, '/api/auth/callback/google');
    expect(html).toContain('<html lang="de" dir="ltr" data-theme="dark">');
    expect(html.match(/\/assets\/[\w-]+\//g)).toEqual(['/assets/de/', '/assets/de/']);
  });

  test('without built assets the page still shows the result', async () => {
    const bare = await startApp();
    const page = await comeBack(bare.visitor(), '/api/auth/callback/google');
    await bare.close();
    expect([page.title, page.link]).toEqual(['That did not work', '/login']);
    expect(page.html).not.toMatch(/<script|<link rel="stylesheet"/);
  });
});

describe('the browser remembers the last sign-in method', () => {
  test('after a sign-out, without anything else', async () => {
    app.google.person = googler();
    const visitor = app.visitor();
    const back = await visitor.request('GET', await goAndStop(app, visitor, 'google'));
    expect(back.headers.getSetCookie()).toContain(
      'portico-method=google; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
    );
    await visitor.delete('/api/logout');
    expect(visitor.cookies.get('portico-method')).toBe('google');
  });

  test('but not after a failed return', async () => {
    const visitor = app.visitor();
    await comeBack(visitor, '/api/auth/callback/google?state=x');
    expect(visitor.cookies.has('portico-method')).toBe(false);
  });
});
