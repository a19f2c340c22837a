import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { storePending } from '#server/accounts/addresses/data.ts';
import { issueToken } from '#server/accounts/tokens/data.ts';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { newEmail, PASSWORD, type Person } from '#server/testing/people.ts';
import { plantedDigest, plantedPerson } from '#server/testing/planted.ts';
import {
  browserAt,
  CROWDS,
  oneAnd,
  type Pair,
  RACE_TIMEOUT,
  repeat,
  startPair,
  tally,
  together,
} from '#server/testing/races.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair({ RATE_LIMIT_FACTOR: '1000000' });
});
afterAll(() => pair.close());

/** Somebody whom a mailed link gives an address. */
async function waiting(email: string): Promise<Person & { digest: string }> {
  const person = await plantedPerson(pair[0]);
  const { deps } = pair[0];
  const userId = person.id as UserId;
  const digest = await transaction(deps.sql, async (tx) => {
    await storePending(tx, userId, email, deps.clock.now());
    const token = { purpose: 'change-email', userId, subject: email, lifeMs: HOUR_MS } as const;
    return (await issueToken(tx, deps, token)).digest;
  });
  return { ...person, digest };
}
const ownersOf = (email: string) =>
  pair[0].deps.sql.selectFrom('users').select('id').where('email', '=', email).execute();
const addressOf = async ({ id }: Person) =>
  (
    await pair[0].deps.sql
      .selectFrom('users')
      .select('email')
      .where('id', '=', id as UserId)
      .executeTakeFirstOrThrow()
  ).email;

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds, longRounds }) => {
  test('of all who move to one address one gets it, the others keep theirs (K6, C8)', RACE_TIMEOUT, () =>
    repeat(pair, longRounds, async () => {
      const email = newEmail('wanted');
      const people = await Promise.all(Array.from({ length: crowd }, () => waiting(email)));
      const answers = await together(pair, crowd, (app, at) => {
        const { visitor, digest } = people[at] as (typeof people)[number];
        return browserAt(app, visitor).post('/api/verifyemail', { digest });
      });
      expect(tally(answers)).toEqual(oneAnd(crowd, 'email_id_exist'));
      expect(await ownersOf(email)).toHaveLength(1);
      const kept = await Promise.all(
        people.map(async (person) => (await addressOf(person)) === person.email),
      );
      expect(kept.filter(Boolean)).toHaveLength(crowd - 1);
    }),
  );

  test('who moves there and who signs up with it: one account, one owner (K6)', RACE_TIMEOUT, () =>
    repeat(pair, longRounds, async () => {
      const email = newEmail('wanted');
      const { visitor, digest } = await waiting(email);
      const answers = await together(pair, crowd, (app, at) =>
        at === 0
          ? browserAt(app, visitor).post('/api/verifyemail', { digest })
          : app.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' }),
      );
      expect(tally(answers)).toEqual(oneAnd(crowd, 'email_id_exist'));
      expect(await ownersOf(email)).toHaveLength(1);
    }),
  );

  test('a link serves once', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const email = newEmail('wanted');
      const { visitor, digest } = await waiting(email);
      const answers = await together(pair, crowd, (app) =>
        browserAt(app, visitor).post('/api/verifyemail', { digest }),
      );
      expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
    }),
  );

  test('whoever is first, the former address is the account’s once it was taken back', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await waiting(newEmail('wanted'));
      const digest = await plantedDigest(pair[0], person, 'restore-email');
      const answers = await together(pair, crowd, (app, at) =>
        at % 2 === 0
          ? app.visitor().post('/api/restoreemail', { digest })
          : browserAt(app, person.visitor).post('/api/verifyemail', { digest: person.digest }),
      );
      const restored = answers.filter((_, at) => at % 2 === 0);
      expect(tally(restored)).toEqual(crowd === 2 ? { ok: 1 } : oneAnd(restored.length, 'digest_invalid'));
      expect(await addressOf(person)).toBe(person.email);
      expect((await browserAt(pair[1], person.visitor).get('/api/user')).code).toBe('not_signed_in');
    }),
  );
});
