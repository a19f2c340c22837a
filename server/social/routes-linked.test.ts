import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmed } from '#server/testing/people.ts';
import { linkGoogle, type SocialApp, startSocialApp } from '#server/testing/social-app.ts';
import { startApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

let app: SocialApp;
beforeAll(async () => {
  app = await startSocialApp();
});
afterAll(() => app.close());

test('tells which sign-ins open the account, to its owner alone', async () => {
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

test('a provider that is not set up can’t be linked', async () => {
  const plain = await startApp();
  const { visitor } = await confirmed(plain);
  expect(responseOf(await visitor.get('/api/auth/linked'))).toEqual([
    { provider: 'facebook', linked: 0, available: 0 },
    { provider: 'google', linked: 0, available: 0 },
  ]);
  await plain.close();
});
