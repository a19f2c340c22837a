import { expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { confirmed, mailedDigest, PASSWORD, type Person } from '#server/testing/people.ts';
import { plantedChallenge } from '#server/testing/planted.ts';
import { browserAt, usePair } from '#server/testing/races.ts';
import { insertRow } from '#server/testing/rows.ts';
import { startBeside } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const pair = usePair();

const endings: Record<string, (person: Person) => Promise<unknown>> = {
  'signing out (D4)': ({ visitor }) => browserAt(pair[0], visitor).delete('/api/logout'),
  'a reset (C6)': async ({ email }) => {
    await pair[0].visitor().post('/api/forgotpassword', { email_id: email });
    const body = { digest: await mailedDigest(pair[0], email), password: 'fresh arch 77', timezone: '' };
    return pair[0].visitor().put('/api/resetpassword', body);
  },
  '“this wasn’t me” (C6)': async ({ email }) => {
    await pair[0].visitor().post('/api/signin', { email_id: email, password: PASSWORD, timezone: '' });
    return pair[0].visitor().post('/api/notme', { digest: await mailedDigest(pair[0], email) });
  },
  'an operator who closes the account (D6)': ({ id }) => {
    const at = pair[0].clock.now();
    const times = { created_at: at, ends_at: new Date(at.getTime() + DAY_MS), lifted_at: null };
    return insertRow(pair[0], 'restrictions', { user_id: id, cause: 'operator', ...times });
  },
};

test.for(Object.entries(endings))(
  '%s ends a session at every process immediately and for good',
  async ([, end]) => {
    const person = await confirmed(pair[0]);
    const otherBrowser = browserAt(pair[1], person.visitor);
    expect((await otherBrowser.get('/api/user')).status).toBe(200);
    await end(person);
    expect((await otherBrowser.get('/api/user')).code).toBe('not_signed_in');
    const restarted = await startBeside(pair[0]);
    expect((await browserAt(restarted, person.visitor).get('/api/user')).code).toBe('not_signed_in');
    await restarted.close();
  },
);

test('a reset at one process ends challenges and known browsers at the other (C6)', async () => {
  const person = await confirmed(pair[0]);
  const { email } = person;
  const known = pair[1].visitor();
  const signIn = (password: string) => known.post('/api/signin', { email_id: email, password, timezone: '' });
  responseOf(await signIn(PASSWORD));
  const challenge = await plantedChallenge(pair[0], person);
  await endings['a reset (C6)']?.(person);
  const contact = `m•••${email.slice(email.indexOf('@'))}`;
  const lateBrowser = browserAt(pair[1], challenge.visitor);
  const code = (await lateBrowser.post('/api/verifyotp', { contact, otp: challenge.code, timezone: '' }))
    .code;
  expect(code).toBe('otp_expired');
  expect((await signIn(PASSWORD)).code).toBe('invalid_credentials');
  const before = (await pair[0].mails(email)).length;
  responseOf(await signIn('fresh arch 77'));
  expect((await pair[0].mails(email)).slice(before).map(({ subject }) => subject)).toEqual([
    'New sign-in to your account',
  ]);
});
