import * as client from 'openid-client';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { consent, discover, registerApplication } from '#server/testing/applications.ts';
import { addPasskey, askForPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { acted } from '#server/testing/operator.ts';
import { confirmed, founder } from '#server/testing/people.ts';
import { appCode, firstStep, setUpApp } from '#server/testing/second-steps.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });
/** The tables with rows about uses, in the order of their foreign keys. */
const tables = [
  'authenticator_apps',
  'recovery_codes',
  'passkey_challenges',
  'known_devices',
  'remembered_browsers',
  'provider_records',
];

/** Restores a backup that was made before some uses. */
async function restoreBefore(uses: () => Promise<unknown>) {
  const backup = await Promise.all(
    tables.map(async (name) => {
      const rows = sql<{
        rows: string | null;
      }>`select jsonb_agg(t)::text as rows from ${sql.table(name)} as t`;
      return { name, rows: (await rows.execute(app.deps.sql)).rows[0]?.rows ?? '[]' };
    }),
  );
  await uses();
  await transaction(app.deps.sql, async (tx) => {
    for (const { name } of backup.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx);
    for (const { name, rows } of backup)
      await sql`insert into ${sql.table(name)} overriding system value
        select * from jsonb_populate_recordset(null::${sql.table(name)}, ${rows}::jsonb)`.execute(tx);
  });
  await acted(app.deps, 'settle', { from: 'backup.tar.gz' });
}

const notices = async (visitor: Visitor) =>
  responseOf<{ notifications: { text: string }[] }>(await visitor.get('/api/notifications')).notifications;

/** A person with an app, and a browser that waits for the second step. */
async function withApp() {
  const person = await confirmed(app);
  const ways = await setUpApp(app, person.visitor);
  const answer = async (path: 'app' | 'recovery', code: string) => {
    // A code is mailed at most every half minute.
    app.clock.forward(MINUTE_MS);
    const browser = app.visitor();
    await firstStep(browser, person.email);
    const { code: refusal } = await browser.post(`/api/signin/${path}`, { code, timezone: '' });
    return { browser, refusal };
  };
  return { ...person, ...ways, answer };
}

test('a code of the app works once, and the app keeps working', async () => {
  const { email, secret } = await withApp();
  const enter = async (code: string) => {
    const browser = app.visitor();
    await firstStep(browser, email);
    return (await browser.post('/api/signin/app', { code, timezone: '' })).code;
  };
  const code = appCode(app, secret, 1);
  await restoreBefore(async () => expect(await enter(code)).toBeUndefined());
  expect(await enter(code)).toBe('otp_invalid');
  app.clock.forward(MINUTE_MS);
  expect(await enter(appCode(app, secret))).toBeUndefined();
});

test('recovery codes end, and their owner is notified (W7)', async () => {
  const { codes, answer, secret } = await withApp();
  const [used = '', unused = ''] = codes;
  await restoreBefore(async () => expect((await answer('recovery', used)).refusal).toBeUndefined());
  expect((await answer('recovery', used)).refusal).toBe('otp_invalid');
  expect((await answer('recovery', unused)).refusal).toBe('otp_invalid');
  app.clock.forward(MINUTE_MS);
  const { browser } = await answer('app', appCode(app, secret, 2));
  expect((await notices(browser)).map(({ text }) => text)).toContain(
    'Your recovery codes ended, because a backup was restored. Make new ones.',
  );
});

test('a passkey answers each request once (W2)', async () => {
  const { visitor } = await confirmed(app);
  const authenticator = await addPasskey(visitor, app.url);
  const browser = app.visitor();
  const credential = authenticator.get(await askForPasskey(browser));
  const cookies = new Map(browser.cookies);
  const enter = async () =>
    (await new Visitor(app.url, new Map(cookies)).post('/api/signin/passkey', { credential, timezone: '' }))
      .code;
  await restoreBefore(async () => expect(await enter()).toBeUndefined());
  expect(await enter()).toBe('passkey_invalid');
  app.clock.forward(1);
  expect((await signInByPasskey(app.visitor(), authenticator)).code).toBeUndefined();
});

test('a browser that was forgotten is asked for a second step', async () => {
  const { email, secret, visitor } = await withApp();
  const browser = app.visitor();
  await firstStep(browser, email);
  const body = { code: appCode(app, secret), remember: 1, timezone: '' };
  responseOf(await browser.post('/api/signin/app', body));
  await restoreBefore(async () =>
    responseOf(await visitor.send('DELETE', '/api/rememberedbrowsers', { body: {} })),
  );
  expect((await firstStep(browser, email)).mfa_enabled).toBe(1);
});

test('a refresh token that was replaced is refused, and the application is notified of the ended session', async () => {
  const { visitor } = await founder(app, 'Restored');
  const application = { is_first_party: false, sign_out_url: 'https://sign.example/signed-out' };
  const config = await discover(app, await registerApplication(app, application));
  const scope = { scope: 'openid offline_access', prompt: 'consent' };
  const { refresh_token: token = '' } = await consent(visitor, config, scope);
  await restoreBefore(() => client.refreshTokenGrant(config, token));
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  const waiting = await app.deps.sql.selectFrom('jobs').select('kind').where('done_at', 'is', null).execute();
  expect(waiting).toEqual([{ kind: 'sign-out' }]);
});
