import { expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { consent, discover, registerApplication } from '#server/testing/applications.ts';
import { addPasskey, type Authenticator, signInByPasskey } from '#server/testing/authenticator.ts';
import { confirmed, founder, mailedDigest, PASSWORD, signedUp, signIn } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { setUpApp } from '#server/testing/second-steps.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const opens = async (authenticator: Authenticator) =>
  (await signInByPasskey(app.visitor(), authenticator)).code ?? 'signed in';

test('a squatter’s passkey and app end when the owner proves the mailbox (W11)', async () => {
  const squatter = await signedUp(app);
  const passkey = await addPasskey(squatter.visitor, app.url);
  await setUpApp(app, squatter.visitor);
  const digest = await mailedDigest(app, squatter.email);
  responseOf(await app.visitor().post('/api/verifyemail', { digest }));
  expect(await opens(passkey)).toBe('passkey_unknown');
  const left = await listRows(app, 'authenticator_apps', ['user_id']);
  expect(left.map(({ user_id }) => Number(user_id))).not.toContain(squatter.id);
});

test.each([
  ['a reset', 6, 'passkey_unknown'],
  ['a reset', 8, 'signed in'],
  ['“this wasn’t me”', 6, 'passkey_unknown'],
  ['“this wasn’t me”', 8, 'signed in'],
])('%s finds a passkey of %d days: %s (W11)', async (way, days, answer) => {
  const { visitor, email } = await confirmed(app);
  const passkey = await addPasskey(visitor, app.url);
  app.clock.forward(days * DAY_MS);
  await takeBack(way, email);
  expect(await opens(passkey)).toBe(answer);
});

test.each([
  ['a reset', 6, 0],
  ['a reset', 8, 1],
  ['“this wasn’t me”', 6, 0],
  ['“this wasn’t me”', 8, 1],
])('%s finds a consent of %d days and keeps %d (W11)', async (way, days, kept) => {
  const { visitor, email, id } = await confirmed(app);
  const config = await discover(app, await registerApplication(app, { is_first_party: false }));
  await consent(visitor, config, { scope: 'openid' });
  app.clock.forward(days * DAY_MS);
  await takeBack(way, email);
  expect(await listRows(app, 'application_grants', ['id'], { user_id: id })).toHaveLength(kept);
});

test.each([
  ['a reset', 'strong', 0],
  ['a reset', 'strong', 7],
  ['“this wasn’t me”', 'strong', 0],
])('%s keeps a young passkey under the rule "%s" that starts in %d days (W13)', async (way, rule, days) => {
  const { visitor, email, orgId } = await founder(app);
  const passkey = await addPasskey(visitor, app.url);
  const from = new Date(app.clock.now().getTime() + days * DAY_MS).toISOString();
  responseOf(await visitor.put('/api/orgs/secondstep', { org_id: orgId, rule, from }));
  await takeBack(way, email);
  expect(await opens(passkey)).toBe('signed in');
});

async function takeBack(way: string, email: string) {
  if (way === 'a reset') {
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
    const digest = await mailedDigest(app, email);
    const body = { digest, password: `${PASSWORD} anew`, timezone: '' };
    responseOf(await app.visitor().put('/api/resetpassword', body));
  } else {
    responseOf(await signIn(app.visitor(), email));
    responseOf(await app.visitor().post('/api/notme', { digest: await mailedDigest(app, email) }));
  }
}
