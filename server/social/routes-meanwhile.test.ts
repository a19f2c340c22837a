import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId, UserId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import { openSocial } from './actions.ts';
import { confirmed, type Person, resetByMail } from '#server/testing/people.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { type ScriptedProvider, startScriptedProvider } from '#server/testing/scripted-provider.ts';
import { askFor, comeBack, linkWaiting, ownerOf } from '#server/testing/social-app.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: TestApp;
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
  app = await startApp({
    FACEBOOK_CLIENT_ID: SOCIAL_CLIENT.id,
    FACEBOOK_CLIENT_SECRET: SOCIAL_CLIENT.secret,
    FACEBOOK_AUTHORIZE_URL: `${provider.url}/authorize`,
    FACEBOOK_TOKEN_URL: `${provider.url}/token`,
    FACEBOOK_USERINFO_URL: `${provider.url}/userinfo`,
  });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

/** Returns from Facebook to link it, while something happens before Facebook answers. */
async function linkWhile({ visitor }: Person, sub: string, happens: () => Promise<unknown>) {
  const state = (await askFor(visitor, 'facebook')).searchParams.get('state') ?? '';
  const request = Promise.withResolvers<void>();
  const happened = Promise.withResolvers<void>();
  provider.misbehaves.userinfo = (response) => {
    request.resolve();
    void happened.promise.then(() =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sub, id: sub })),
    );
  };
  const query = new URLSearchParams({ code: 'a-code', state }).toString();
  const page = comeBack(visitor, `/api/auth/callback/facebook?${query}`);
  await request.promise;
  await happens();
  happened.resolve();
  return page;
}

async function reset({ email }: Person) {
  app.clock.forward(SECOND_MS);
  responseOf(await resetByMail(app, email, 'fresh arch 77'));
}

test('a link under way is refused once the password is reset (A5, C6)', async () => {
  const person = await confirmed(app);
  const page = await linkWhile(person, 'mallory', () => reset(person));
  expect(page.title).toBe('That did not work');
  expect(await ownerOf(app, 'mallory')).toBeUndefined();
});

test('a link under way is refused once its session is signed out (D4)', async () => {
  const person = await confirmed(app);
  const page = await linkWhile(person, 'elsewhere', async () => {
    const same = app.visitor();
    for (const [name, value] of person.visitor.cookies) same.cookies.set(name, value);
    responseOf(await same.delete('/api/logout', {}));
  });
  expect(page.title).toBe('That did not work');
  expect(await ownerOf(app, 'elsewhere')).toBeUndefined();
});

test('an undisturbed link succeeds', async () => {
  const person = await confirmed(app);
  responseOf(await linkWaiting(person.visitor, await linkWhile(person, 'maya', async () => {})));
  expect(await ownerOf(app, 'maya')).toBe(person.id);
});

test('an ended session starts no visit (D4)', async () => {
  const client = { ipAddress: '203.0.113.9', userAgent: '' };
  const caller = { userId: 1 as UserId, sessionId: 999_999 as SessionId, secondStep: null };
  const visit = openSocial(app.deps).start('facebook', { client, caller, cookie: undefined });
  expect(await visit).toMatchObject({ name: 'not_signed_in' });
});
