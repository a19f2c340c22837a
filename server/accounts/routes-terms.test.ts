import { ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { brandFolder, northwind } from '#server/testing/brands.ts';
import {
  founder,
  idOf,
  invited,
  mailedDigest,
  newEmail,
  PASSWORD,
  type Person,
  signedUp,
} from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { throughProvider } from '#server/testing/providers.ts';
import { comeBack, googler, startSocialApp } from '#server/testing/social-app.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const { version, terms } = northwind.legal;
const later = '2026-12-01';
const atPage = { password: PASSWORD, timezone: '' };
const consentsOf = async (app: TestApp, email: string) => {
  return listRows(app, 'consents', ['version', 'language'], { user_id: await idOf(app, email) });
};
const agreementsOf = (app: TestApp, { id }: Person) =>
  listRows(app, 'activity', ['information'], { user_id: id, activity_type: ACTIVITY_TYPE.terms });

describe('with terms', () => {
  const folder = brandFolder();
  const app = useServer(() => startSocialApp({ BRAND_DIR: folder, LANGUAGES: 'en,de' }));
  const setVersion = async (legal: object) => {
    brandFolder({ ...northwind, legal }, {}, folder);
    app.clock.forward(MINUTE_MS);
    await app.visitor().get('/api/ustat');
    await app.deps.brands.settled();
  };
  const signUp = (body: object) =>
    app.visitor().send('POST', '/api/signup', {
      body: { ...atPage, ...body },
      headers: { 'accept-language': 'de' },
    });

  const throughGoogle = async (shown: object) => {
    const visitor = app.visitor();
    app.google.person = googler();
    const query = new URLSearchParams({ state: '2', channel_type: '2', ...shown });
    const { auth_url: url } = responseOf<{ auth_url: string }>(await visitor.get(`/api/auth?${query}`));
    await comeBack(visitor, await throughProvider(url, app.url));
    return String(app.google.person['email']);
  };
  const byInvitation = async (first: (email: string) => Promise<unknown>) => {
    const { email } = await invited(await founder(app));
    await app.mails();
    await first(email);
    return email;
  };
  test.each<[string, (shown: object) => Promise<string>]>([
    [
      'a sign-up',
      async (shown) => {
        const emailId = newEmail();
        responseOf(await signUp({ emailId, ...shown }));
        return emailId;
      },
    ],
    ['a return from Google', throughGoogle],
    [
      'the link of an invitation',
      (shown) =>
        byInvitation(async (email) => {
          const digest = await mailedDigest(app, email);
          responseOf(await app.visitor().post('/api/resetpassword', { digest, ...atPage, ...shown }));
        }),
    ],
    [
      'a reset by an invited person, whose page shows the terms',
      (shown) =>
        byInvitation(async (email) => {
          responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
          const digest = await mailedDigest(app, email, 2);
          expect((await app.mails(email)).at(-1)?.text).toContain(`digest=${digest}&first=true`);
          responseOf(await app.visitor().put('/api/resetpassword', { digest, ...atPage, ...shown }));
        }),
    ],
    [
      'the confirmation of an invited address',
      (shown) =>
        byInvitation(async (email) => {
          responseOf(await app.visitor().post('/api/verifyemail/resend', { email_id: email }));
          const mail = { digest: await mailedDigest(app, email, 2) };
          const { digest } = responseOf<{ digest: string }>(
            await app.visitor().post('/api/verifyemail', mail),
          );
          responseOf(await app.visitor().post('/api/resetpassword', { digest, ...atPage, ...shown }));
        }),
    ],
  ])('%s leaves one consent, and an old page one to the version it showed (A18)', async (_way, enter) => {
    expect(await consentsOf(app, await enter({}))).toMatchObject([{ version }]);
    await setVersion({ ...northwind.legal, version: later });
    const old = await enter({ terms_version: version });
    await setVersion(northwind.legal);
    expect(await consentsOf(app, old)).toMatchObject([{ version }]);
  });

  test('a version that no page showed is the current one', async () => {
    const emailId = newEmail();
    responseOf(await signUp({ emailId, terms_version: 'never' }));
    expect(await consentsOf(app, emailId)).toEqual([{ version, language: 'de' }]);
  });

  test('a new version shows until the person agrees, which the log tells once', async () => {
    const person = await signedUp(app);
    const asked = async () =>
      responseOf<{ new_terms?: object }>(await person.visitor.get('/api/init')).new_terms;
    expect(await asked()).toBeUndefined();
    await setVersion({ ...northwind.legal, version: later });
    expect(await asked()).toEqual({ version: later, terms, privacy: northwind.legal.privacy.en });
    for (let press = 0; press < 2; press += 1)
      responseOf(await person.visitor.post('/api/terms', { terms_version: later }));
    expect(await asked()).toBeUndefined();
    const agreed = (each: string) => ({ information: { terms_version: [null, each] } });
    expect(await agreementsOf(app, person)).toEqual([agreed(version), agreed(later)]);
    expect(await consentsOf(app, person.email)).toHaveLength(2);
    await setVersion(northwind.legal);
  });
});

describe('with terms and neutral disclosure', () => {
  const app = useApp({ BRAND_DIR: brandFolder(), ACCOUNT_DISCLOSURE: 'neutral' });
  test('a sign-up that a job finishes leaves a consent', async () => {
    const email = newEmail();
    responseOf(await app.visitor().post('/api/signup', { emailId: email, ...atPage }));
    await app.mails();
    expect(await consentsOf(app, email)).toEqual([{ version, language: 'en' }]);
  });
});

describe('without terms', () => {
  const app = useApp();
  test('nobody is asked, and no row is written', async () => {
    const person = await signedUp(app);
    responseOf(await person.visitor.post('/api/terms', { terms_version: version }));
    expect(responseOf(await person.visitor.get('/api/init'))).not.toHaveProperty('new_terms');
    expect([await consentsOf(app, person.email), await agreementsOf(app, person)]).toEqual([[], []]);
  });
});
