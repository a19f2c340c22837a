import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import type { BucketName } from '#server/db/limiter.ts';
import { deactivate, mailedDigest, newEmail, PASSWORD } from '#server/testing/people.ts';
import { cookiesFrom, type Reply, startPublicApp } from '#server/testing/public-app.ts';
import { tally } from '#server/testing/races.ts';
import { getRow } from '#server/testing/rows.ts';
import { useServer } from '#server/testing/use-app.ts';

const app = useServer(startPublicApp);

let networks = 0;
/** An unused IP address. */
const newAddress = () => `203.0.${Math.floor((networks += 1) / 250)}.${(networks % 250) + 1}`;
const WRONG = 'wrong arch 99';

const signUp = (email: string, from = newAddress()) =>
  app.sendFrom(from, '/api/signup', { emailId: email, password: PASSWORD, timezone: '' });
const signIn = (email: string, password: string, from = newAddress(), cookie = '') =>
  app.sendFrom(from, '/api/signin', { email_id: email, password, timezone: '' }, { cookie });
const forgot = (email: string, from: string) =>
  app.sendFrom(from, '/api/forgotpassword', { email_id: email });

/** A person with a confirmed address and the cookies of a known browser. */
async function member() {
  const email = newEmail();
  const cookie = cookiesFrom(await signUp(email));
  const body = { digest: await mailedDigest(app, email) };
  await app.sendFrom(newAddress(), '/api/verifyemail', body, { cookie });
  return { email, known: cookiesFrom(await signIn(email, PASSWORD)) };
}

const takeFrom = (bucket: BucketName, by: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => app.deps.limiter.take(bucket, by)));

async function idOf(email: string) {
  return (await getRow(app, 'users', ['id'], { email })).id;
}

/** Sends calls in batches, so that the hash queue does not refuse any. */
async function inBatches<T>(items: T[], run: (item: T) => Promise<Reply>, atOnce = 20): Promise<Reply[]> {
  const answers: Reply[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    answers.push(...(await Promise.all(items.slice(at, at + atOnce).map(run))));
  return answers;
}

describe('POST /signin', () => {
  test('one password for a hundred addresses from one network stops after twenty (A9)', async () => {
    const from = newAddress();
    const addresses = Array.from({ length: 100 }, () => newEmail('sprayed'));
    const answers = await inBatches(addresses, (email) => signIn(email, WRONG, from));
    expect(tally(answers)).toEqual({ invalid_credentials: 20, too_many_requests: 80 });
    const refused = answers.filter(({ status }) => status === 429);
    for (const { headers } of refused) expect(headers['retry-after']).toBe('60');
    expect((await signIn(addresses[0] ?? '', WRONG)).code).toBe('invalid_credentials');
  });

  test('a hundred failures from many networks do not lock out a known browser (A10)', async () => {
    const { email, known } = await member();
    for (let at = 0; at < 95; at += 1) await app.deps.limiter.tryOneOf(100, `anywhere ${email}`);
    const answers = await inBatches(Array.from({ length: 10 }, newAddress), (from) =>
      signIn(email, WRONG, from),
    );
    expect(tally(answers)).toEqual({ invalid_credentials: 5, too_many_requests: 5 });

    const stranger = await signIn(email, PASSWORD);
    expect([stranger.status, stranger.body.error?.details, stranger.headers['retry-after']]).toEqual([
      429,
      'Too many failed sign-ins. Choose a new password by email to get back in.',
      undefined,
    ]);
    expect((await signIn(email, PASSWORD, newAddress(), known)).status).toBe(200);
    expect(await app.deps.sql.selectFrom('restrictions').selectAll().execute()).toEqual([]);
  });

  test('after a hundred failures the mailed link lets a new browser sign in (A10)', async () => {
    const { email } = await member();
    for (let at = 0; at < 100; at += 1) await app.deps.limiter.tryOneOf(100, `anywhere ${email}`);
    expect((await signIn(email, PASSWORD)).code).toBe('too_many_requests');
    await forgot(email, newAddress());
    const body = { digest: await mailedDigest(app, email), password: 'fresh arch 77', timezone: '' };
    const headers = { 'x-forwarded-for': newAddress() };
    expect((await app.send('PUT', '/api/resetpassword', body, headers)).status).toBe(200);
    expect((await signIn(email, 'fresh arch 77')).status).toBe(200);
  });
});

describe('a success gives its place back', () => {
  test('right sign-ins of one network all pass, and only wrong ones count (A9)', async () => {
    const [{ email }, from] = [await member(), newAddress()];
    const guess = () => signIn(newEmail('nobody'), WRONG, from);
    for (let round = 0; round < 19; round += 1) expect((await guess()).code).toBe('invalid_credentials');
    for (let round = 0; round < 25; round += 1)
      expect((await signIn(email, PASSWORD, from)).status).toBe(200);
    expect((await guess()).code).toBe('invalid_credentials');
    const refused = await guess();
    expect([refused.code, refused.headers['retry-after']]).toEqual(['too_many_requests', '60']);
    expect(app.logLines.join('')).toContain('"refused":"too_many_requests","limit":"signInMinute"');
  });

  test('one account signs in two hundred times an hour, and a reset renews that (B8)', async () => {
    const { email } = await member();
    await takeFrom('signInsHour', String(await idOf(email)), 200);
    expect((await signIn(email, PASSWORD)).code).toBe('too_many_requests');
    await forgot(email, newAddress());
    const body = { digest: await mailedDigest(app, email), password: 'fresh arch 77', timezone: '' };
    expect((await app.send('PUT', '/api/resetpassword', body)).status).toBe(200);
    expect((await signIn(email, 'fresh arch 77')).status).toBe(200);
  });

  const newPassword = { password: 'fresh arch 77', timezone: '' };
  test.for([
    ['resetRequestsHour', 10, '/api/forgotpassword', 'PUT', '/api/resetpassword', newPassword],
    ['confirmationRequestsHour', 30, '/api/verifyemail/resend', 'POST', '/api/verifyemail', {}],
    ['restoreRequestsHour', 10, '/api/restoreaccount/resend', 'POST', '/api/restoreaccount', {}],
  ] as const)(
    'a used link gives a place of %s back to the network that asked (B10)',
    async ([bucket, most, ask, method, use, more]) => {
      const from = newAddress();
      const email = bucket === 'confirmationRequestsHour' ? newEmail() : (await member()).email;
      await signUp(email);
      app.clock.forward(31 * SECOND_MS);
      if (bucket === 'restoreRequestsHour') await deactivate(app, { id: await idOf(email) });
      await takeFrom(bucket, from, most - 1);
      await app.sendFrom(from, ask, { email_id: email });
      const isFull = async () => (await app.deps.limiter.take(bucket, from)) !== undefined;
      expect(await isFull()).toBe(true);
      const body = { digest: await mailedDigest(app, email), ...more };
      const elsewhere = { 'x-forwarded-for': newAddress() };
      expect((await app.send(method, use, body, elsewhere)).status).toBe(200);
      expect([await isFull(), await isFull()]).toEqual([false, true]);
    },
  );
});

describe('answers that tell whether an address has an account', () => {
  test('turn neutral after thirty an hour for a network; sign-ups go on, and other networks notice nothing (A3)', async () => {
    const { email } = await member();
    const from = newAddress();
    await takeFrom('disclosureHour', from, 29);
    expect((await signUp(email, from)).code).toBe('email_id_exist');
    const free = newEmail();
    const neutral = [await signUp(email, from), await signUp(free, from)];
    for (const { status, body, headers } of neutral) {
      expect([status, body]).toEqual([200, { success: true, response: { confirmed: 0 } }]);
      expect(headers['set-cookie']).toBeUndefined();
    }
    for (const address of [email, newEmail('nobody')])
      expect((await forgot(address, from)).body).toEqual({ success: true, response: {} });
    expect(await app.mails(free)).toHaveLength(1);
    expect((await signUp(email)).code).toBe('email_id_exist');
  });

  test('are refused after ten times as many requests, with the time to retry (A3)', async () => {
    const from = newAddress();
    await takeFrom('disclosureRefusedHour', from, 300);
    for (const answer of [await signUp(newEmail(), from), await forgot(newEmail(), from)]) {
      expect([answer.status, answer.code]).toEqual([429, 'too_many_requests']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3500);
    }
    expect((await signUp(newEmail())).status).toBe(200);
  });

  test('turn neutral for everybody once the budget of the site is empty, and nobody is refused (A3)', async () => {
    const { email } = await member();
    await takeFrom('disclosureSystemHour', 'all', 500);
    for (const address of [email, newEmail()])
      expect((await signUp(address)).body).toEqual({ success: true, response: { confirmed: 0 } });
    await app.deps.sql.deleteFrom('rate_limits').where('key', 'like', 'disclosureSystemHour%').execute();
  });
});

describe('a limit has one counter (M1)', () => {
  const ask = (headers: Record<string, string | string[]>) =>
    app.send('POST', '/api/forgotpassword', { email_id: newEmail('nobody') }, headers);

  test('for an IPv6 prefix of /48, which allows as much as ten networks', async () => {
    const refused: number[] = [];
    for (let network = 1; network <= 12; network += 1) {
      const taken = await takeFrom('resetRequestsHour', `2001:db8:7:${network}::/64`, 10);
      refused.push(taken.filter((refusal) => refusal !== undefined).length);
    }
    expect(refused).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 10]);
    expect((await ask({ 'x-forwarded-for': '2001:db8:7:99::1' })).code).toBe('too_many_requests');
    expect((await ask({ 'x-forwarded-for': '2001:db8:8:1::1' })).code).toBe('user_not_found');
  });

  test('for the address of the socket, if no proxy is trusted', async () => {
    const direct = await startPublicApp({ TRUSTED_PROXIES: '' });
    const codes = [];
    for (let round = 0; round < 11; round += 1)
      codes.push((await direct.sendFrom(newAddress(), '/api/forgotpassword', { email_id: newEmail() })).code);
    await direct.close();
    expect(codes.at(-1)).toBe('too_many_requests');
  });
});
