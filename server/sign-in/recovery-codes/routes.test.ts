import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { confirmed, PASSWORD, twoStepPerson } from '#server/testing/people.ts';
import { firstStep, isSignedIn, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();
const spend = (visitor: Visitor, code: string) =>
  visitor.post('/api/signin/recovery', { code, timezone: '' });
const count = async (visitor: Visitor) =>
  responseOf<{ recovery_codes: { left: number } | null }>(await visitor.get('/api/waysin')).recovery_codes
    ?.left;
const renew = async (visitor: Visitor) =>
  responseOf<{ codes: string[] }>(await visitor.post('/api/recoverycodes', {})).codes;
async function browserOf(email: string) {
  const browser = app.visitor();
  await firstStep(browser, email);
  return browser;
}

test('a recovery code signs in once, typed in any case, and mails how many are left', async () => {
  const { visitor, email } = await confirmed(app);
  const { codes } = await setUpApp(app, visitor);
  const [code = ''] = codes;
  const browser = await browserOf(email);
  responseOf(await spend(browser, ` ${code.toLowerCase().replace('-', ' ')} `));
  expect(await isSignedIn(browser)).toBe(true);
  expect(await count(visitor)).toBe(9);
  app.clock.forward(10 * MINUTE_MS);
  expect((await app.mails(email)).map(({ subject }) => subject)).toContain(
    'A recovery code was used for your account',
  );
  expect((await spend(await browserOf(email), code)).code).toBe('otp_invalid');
});

test('the last one mails that none is left', async () => {
  const { visitor, email } = await twoStepPerson(app);
  const codes = await renew(visitor);
  for (const code of codes) {
    app.clock.forward(10 * MINUTE_MS);
    await app.mails(email);
    responseOf(await spend(await browserOf(email), code));
  }
  expect(await count(visitor)).toBe(0);
  app.clock.forward(10 * MINUTE_MS);
  const used = (await app.mails(email)).filter(
    ({ subject }) => subject === 'Your last recovery code was used',
  );
  expect(used).toHaveLength(1);
});

test('new codes end the old ones', async () => {
  const { visitor, email } = await twoStepPerson(app);
  const [old = ''] = await renew(visitor);
  const [code = ''] = await renew(visitor);
  const browser = await browserOf(email);
  expect((await spend(browser, old)).code).toBe('otp_invalid');
  responseOf(await spend(browser, code));
});

test('forty new lists of codes send two mails and one notice (B9)', async () => {
  const { visitor, email, id } = await twoStepPerson(app);
  app.clock.forward(10 * MINUTE_MS);
  responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
  const earlier = (await app.mails(email)).length;
  for (let nth = 0; nth < 40; nth += 1) await renew(visitor);
  app.clock.forward(10 * MINUTE_MS);
  const mails = (await app.mails(email)).slice(earlier);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your account has new recovery codes',
    'Several changes to how you sign in',
  ]);
  expect(mails[1]?.text).toContain('There were 19 more changes.');
  const unread = app.deps.sql.selectFrom('notifications').where('user_id', '=', id as UserId);
  const changes = unread.where('kind', '=', 'way_in_changed').select('id');
  expect(await changes.execute()).toHaveLength(1);
});

test('codes are hashed and belong to one person', async () => {
  const [one, other] = [await twoStepPerson(app), await twoStepPerson(app)];
  const [code = ''] = await renew(one.visitor);
  const rows = await app.deps.sql.selectFrom('recovery_codes').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(code.replace('-', ''));
  expect((await spend(await browserOf(other.email), code)).code).toBe('otp_invalid');
});

test('recovery codes need a second step that they replace, and come with the first passkey', async () => {
  const { visitor } = await confirmed(app);
  expect(await count(visitor)).toBeUndefined();
  expect((await visitor.post('/api/recoverycodes', {})).code).toBe('not_allowed');
  await addPasskey(visitor, app.url);
  expect(await count(visitor)).toBe(10);
  expect(await renew(visitor)).toHaveLength(10);
});

test('a recovery code proves its owner in the session once; a wrong one is named and waits', async () => {
  const { visitor } = await confirmed(app);
  await addPasskey(visitor, app.url);
  const [code = ''] = await renew(visitor);
  const prove = (typed: string) => visitor.post('/api/reauthenticate', { recovery_code: typed });
  app.clock.forward(11 * MINUTE_MS);
  responseOf(await prove(code.toLowerCase()));
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  expect(await count(visitor)).toBe(9);
  const refused = await prove(code);
  expect([refused.code, refused.body.error?.details]).toEqual([
    'otp_invalid',
    'This recovery code is wrong, or it was used already.',
  ]);
  for (let nth = 0; nth < 4; nth += 1) await prove('00000-00000');
  expect((await prove('00000-00000')).code).toBe('too_many_requests');
});
