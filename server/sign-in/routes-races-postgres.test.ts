import { describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import { openSession } from '#server/sessions/actions.ts';
import { insertCode } from '#server/sign-in/onward/data.ts';
import { otherCode, type Person } from '#server/testing/people.ts';
import { plantedChallenge, plantedDigest, plantedPerson } from '#server/testing/planted.ts';
import {
  browserAt,
  CROWDS,
  oneAnd,
  type Pair,
  RACE_TIMEOUT,
  repeat,
  usePair,
  tally,
  together,
} from '#server/testing/races.ts';
import { listRows } from '#server/testing/rows.ts';
import type { Visitor } from '#server/testing/visitor.ts';

const SIGN = 'https://sign.example/app';
const SECRET = 's'.repeat(24);
const secrets = `https://sign.example=${SECRET}`;
const pair = usePair({ RATE_LIMIT_FACTOR: '1000000', SIGN_URL: SIGN, REDIRECT_SECRETS: secrets });

const rowsOf = async (table: 'sessions' | 'restrictions', { id }: Person) =>
  (
    await pair[0].deps.sql
      .selectFrom(table)
      .select('id')
      .where('user_id', '=', id as UserId)
      .execute()
  ).length;
/** The number of queued mails to a person. */
const mailsTo = async ({ email }: Person) =>
  (await listRows(pair[0], 'jobs', ['id'], { lane: `mail:${email}` })).length;
/** The person's activity rows, counted by type. */
async function activityOf({ id }: Person) {
  const counted: Record<number, number> = {};
  for (const { activity_type: type } of await listRows(pair[0], 'activity', ['activity_type'], {
    user_id: id,
  }))
    counted[type] = (counted[type] ?? 0) + 1;
  return counted;
}
const PASSWORD_CHANGED = 3;
const DEVICE = 12;
const SIGN_IN = 13;

type Challenge = { readonly visitor: Visitor; readonly code: string };
const challengesOf = (person: Person, count: number): Promise<Challenge[]> =>
  Promise.all(Array.from({ length: count }, () => plantedChallenge(pair[0], person)));
const verify = (app: Pair[number], { email }: Person, challenge: Challenge | undefined) => {
  const { visitor, code } = challenge ?? { visitor: app.visitor(), code: '' };
  const contact = `p•••${email.slice(email.indexOf('@'))}`;
  return browserAt(app, visitor).post('/api/verifyotp', { contact, otp: code, timezone: '' });
};

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds }) => {
  test('a one-time code opens one session', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const challenge = await plantedChallenge(pair[0], person);
      const answers = await together(pair, crowd, (app) => verify(app, person, challenge));
      expect(tally(answers)).toEqual(oneAnd(crowd, 'otp_expired'));
      expect([await rowsOf('sessions', person), await activityOf(person)]).toEqual([2, { [SIGN_IN]: 1 }]);
    }),
  );

  test('only five wrong codes are checked (B2)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const { visitor, code } = await plantedChallenge(pair[0], person);
      const wrong = { visitor, code: otherCode(code) };
      const answers = await together(pair, crowd, (app) => verify(app, person, wrong));
      const compared = Math.min(crowd, 5);
      expect(tally(answers)['otp_invalid']).toBe(compared);
      expect(tally(answers)['otp_expired'] ?? 0).toBe(crowd - compared);
    }),
  );

  test('ten wrong codes with a concurrent right one restrict at most once', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const users = pair[0].deps.sql.updateTable('users').where('id', '=', person.id as UserId);
      await users.set({ wrong_codes: Math.max(0, 10 - crowd) }).execute();
      const challenges = [await plantedChallenge(pair[0], person), await plantedChallenge(pair[0], person)];
      const right = await plantedChallenge(pair[0], person);
      const answers = await together(pair, crowd + 1, (app, at) => {
        const { visitor, code } = challenges[at % 2] ?? right;
        return verify(app, person, at === crowd ? right : { visitor, code: otherCode(code) });
      });
      // A right code in time resets the count. A late one finds the account restricted.
      const inTime = answers[crowd]?.code === undefined;
      const { account_is_disable: restrictions = 0 } = tally(answers.slice(0, crowd));
      expect(restrictions).toBe(await rowsOf('restrictions', person));
      expect(inTime ? [0, 1] : [1]).toContain(restrictions);
    }),
  );

  test('a redirect code is redeemed once', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const { id } = await plantedPerson(pair[0]);
      const { deps } = pair[0];
      const expiresAt = new Date(deps.clock.now().getTime() + MINUTE_MS);
      const code = randomToken();
      const userId = id as UserId;
      const client = { ipAddress: '', userAgent: '', location: '' };
      const { sessionId } = await transaction(deps.sql, (tx) => openSession(tx, deps, userId, client));
      const row = {
        code_hash: sha256(code),
        user_id: userId,
        session_id: sessionId,
        redirect_url: SIGN,
        expires_at: expiresAt,
      };
      await transaction(deps.sql, (tx) => insertCode(tx, row));
      const body = { code, redirect_url: SIGN, secret: SECRET };
      const answers = await together(pair, crowd, (app) => app.visitor().post('/api/redeem', body));
      expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
    }),
  );

  test('“this wasn’t me” works once and leaves no session', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const digest = await plantedDigest(pair[0], person, 'not-me');
      const answers = await together(pair, crowd, (app) => app.visitor().post('/api/notme', { digest }));
      expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
      expect([await rowsOf('sessions', person), await activityOf(person)]).toEqual([0, { [DEVICE]: 1 }]);
    }),
  );

  test('a resent code is mailed once (B8)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const { visitor } = await plantedChallenge(pair[0], person);
      pair[0].clock.forward(30 * SECOND_MS);
      const answers = await together(pair, crowd, (app) => browserAt(app, visitor).post('/api/otp', {}));
      expect(tally(answers)).toEqual(oneAnd(crowd, 'too_many_requests'));
      expect(await mailsTo(person)).toBe(1);
    }),
  );

  test('sign-ins above the limit leave twenty sessions (D10)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const { sql, clock, keys } = pair[0].deps;
      const client = { ipAddress: '127.0.0.1', userAgent: '', location: 'Unknown' };
      await transaction(sql, async (tx) => {
        for (let count = 1; count < 20; count += 1)
          await openSession(tx, { clock, keys }, person.id as UserId, client);
      });
      const challenges = await challengesOf(person, crowd);
      const answers = await together(pair, crowd, (app, at) => verify(app, person, challenges[at]));
      expect(tally(answers)).toEqual({ ok: crowd });
      expect([await rowsOf('sessions', person), await activityOf(person)]).toEqual([
        20,
        { [SIGN_IN]: crowd, [DEVICE]: crowd },
      ]);
    }),
  );

  test('a reset concurrent with sign-ins leaves no session (C6)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const digest = await plantedDigest(pair[0], person, 'reset-password');
      const challenges = await challengesOf(person, crowd - 1);
      const { passwords } = pair[0].deps;
      const hash = passwords.hash.bind(passwords);
      const hashed = Promise.withResolvers<void>();
      const hashAndSignal: typeof hash = async (...args) => {
        const record = await hash(...args);
        hashed.resolve();
        return record;
      };
      Object.assign(passwords, { hash: hashAndSignal });
      // All calls wait for the hash, so that the transactions overlap.
      const [reset, ...signIns] = await together(pair, crowd, async (app, at) => {
        if (at > 0) return hashed.promise.then(() => verify(app, person, challenges[at - 1]));
        return app.visitor().put('/api/resetpassword', { digest, password: 'fresh arch 77', timezone: '' });
      });
      Object.assign(passwords, { hash });
      expect(reset?.code).toBeUndefined();
      expect(signIns.filter(({ code }) => code !== undefined && code !== 'otp_expired')).toEqual([]);
      expect(await rowsOf('sessions', person)).toBe(0);
    }),
  );

  test('a reset digest works once: its password is stored and no session is left (K3)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await plantedPerson(pair[0]);
      const digest = await plantedDigest(pair[0], person, 'reset-password');
      const passwordOf = (at: number) => `racing arch ${at}`;
      const answers = await together(pair, crowd, (app, at) =>
        app.visitor().put('/api/resetpassword', { digest, password: passwordOf(at), timezone: '' }),
      );
      expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
      const { sql, passwords } = pair[0].deps;
      const row = await sql
        .selectFrom('passwords')
        .select(['user_id as owner', 'sealed_phc as sealed'])
        .where('user_id', '=', person.id as UserId)
        .executeTakeFirstOrThrow();
      const winner = answers.findIndex(({ code }) => code === undefined);
      expect(await passwords.matches(passwordOf(winner), row, '')).toBe(true);
      expect([await rowsOf('sessions', person), await activityOf(person)]).toEqual([
        0,
        { [PASSWORD_CHANGED]: 1 },
      ]);
      expect(await mailsTo(person)).toBe(1);
    }),
  );
});
