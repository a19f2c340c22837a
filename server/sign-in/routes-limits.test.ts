import { describe, expect, test, vi } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { type Counts, countsInDatabase } from '#server/db/counts.ts';
import { createLimiter } from '#server/db/limiter.ts';
import { confirmed, newEmail, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp();

const signIn = (email: string, password: string, visitor: Visitor = app.visitor()) =>
  visitor.post('/api/signin', { email_id: email, password, timezone: '' });

/** A limiter without the test factor, as on a public site. */
const strict = () => limiterOn(countsInDatabase(app.deps.sql));
const limiterOn = (counts: Counts) =>
  createLimiter(
    counts,
    app.clock,
    {
      rateLimitFactor: 1,
      knownNetworks: ['198.51.100.0/24', '2001:db8:5::/48'],
      publicUrl: new URL('https://accounts.example'),
    },
    app.deps.metrics,
  );
const countPassed = (answers: unknown[]) => answers.filter((answer) => !(answer instanceof Refusal)).length;

describe('buckets', () => {
  test.each([
    ['signInMinute', 20, MINUTE_MS],
    ['linkMailsTenMinutes', 1, 10 * MINUTE_MS],
    ['firstMailsDay', 6, 24 * HOUR_MS],
    ['ownLinksHalfMinute', 1, 30 * SECOND_MS],
  ] as const)('%s allows exactly %d in a burst and fills again (K10)', async (name, most, windowMs) => {
    const limiter = strict();
    const by = newEmail();
    const burst = await Promise.all(Array.from({ length: most + 20 }, () => limiter.take(name, by)));
    expect(countPassed(burst)).toBe(most);
    expect(countPassed([await limiter.take(name, newEmail('other'))])).toBe(1);
    app.clock.forward(windowMs - SECOND_MS);
    const refusal = await limiter.take(name, by);
    expect(refusal?.detail.retryAfterSeconds).toBe(1);
    app.clock.forward(SECOND_MS);
    expect(countPassed([await limiter.take(name, by)])).toBe(1);
  });

  test.each([
    ['resetRequestsHour', '198.51.100.7', undefined, [1000]],
    ['resetRequestsHour', '198.51.101.7', undefined, [10]],
    ['signInMinute', '2001:db8:5:1::/64', undefined, [2000, 20_000]],
    ['wrongSecretsHour', 'app 198.51.100.7', '198.51.100.7', [3000]],
    ['invitationMailsHour', '42', '198.51.100.7', [50_000]],
    ['invitationMailsHour', '42', '203.0.113.7', [500]],
    ['resetMailsToAccountHour', '42', undefined, [20]],
  ] as const)('%s of %s from a network %s allow %j', async (name, by, network, expected) => {
    const addInTurn = vi.fn<Counts['addInTurn']>(async () => undefined);
    await limiterOn({ ...countsInDatabase(app.deps.sql), addInTurn }).take(name, by, network);
    expect(addInTurn.mock.calls[0]?.[1].map(({ most }) => most)).toEqual(expected);
  });
});

describe('tries', () => {
  test('five are free, then the wait doubles from a second to 15 minutes', async () => {
    const limiter = strict();
    const by = newEmail();
    const waits = [];
    const passes = [];
    for (let round = 0; round < 20; round += 1) {
      const refusal = await limiter.tryOnce(by);
      const seconds = refusal?.detail.retryAfterSeconds ?? 0;
      waits.push(seconds);
      app.clock.forward(seconds * SECOND_MS);
      // After the wait the next try passes and counts.
      if (refusal) passes.push(await limiter.tryOnce(by));
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900]);
    expect(passes).toEqual(waits.filter(Boolean).map(() => undefined));
  });

  test('of a burst against a limit of a hundred failures, exactly a hundred pass (K10)', async () => {
    const limiter = strict();
    const by = newEmail();
    const burst = await Promise.all(Array.from({ length: 150 }, () => limiter.tryOneOf(100, by)));
    expect(burst.filter(Boolean)).toHaveLength(100);
    expect(await limiter.failures(by)).toBe(100);
  });

  test('store neither address nor account', async () => {
    const by = newEmail('private');
    await strict().tryOnce(by);
    expect(JSON.stringify(await app.deps.sql.selectFrom('rate_limits').selectAll().execute())).not.toContain(
      'private',
    );
  });
});

describe('POST /signin', () => {
  test('guesses have to wait, for every spelling and for unknown addresses too (A9)', async () => {
    const { email } = await confirmed(app);
    for (const address of [email, newEmail('nobody')]) {
      const spellings = [address, address.toUpperCase(), ` ${address}`];
      for (let round = 0; round < 5; round += 1)
        expect((await signIn(spellings[round % 3] ?? '', 'wrong arch 99')).code).toBe('invalid_credentials');
      const refusal = await signIn(address, PASSWORD);
      expect([refusal.code, refusal.headers.get('retry-after')]).toEqual(['too_many_requests', '1']);
    }
    app.clock.forward(SECOND_MS);
    responseOf(await signIn(email, PASSWORD));
  });

  test('a sign-in from a known browser lets new browsers try again (A10)', async () => {
    const { email } = await confirmed(app);
    const known = app.visitor();
    responseOf(await signIn(email, PASSWORD, known));
    for (let at = 0; at < 100; at += 1) await app.deps.limiter.tryOneOf(100, `anywhere ${email}`);
    expect((await signIn(email, PASSWORD)).code).toBe('too_many_requests');
    expect((await signIn(email, 'wrong arch 99', known)).code).toBe('invalid_credentials');
    responseOf(await signIn(email, PASSWORD, known));
    responseOf(await signIn(email, PASSWORD));
  });
});
