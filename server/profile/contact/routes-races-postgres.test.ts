import { describe, expect, test } from 'vitest';
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
  RACE_TIMEOUT,
  repeat,
  usePair,
  tally,
  together,
} from '#server/testing/races.ts';
import { getRow, listRows } from '#server/testing/rows.ts';

const pair = usePair({ RATE_LIMIT_FACTOR: '1000000' });

/** A person with a pending address and the digest of its link. */
async function personWithPending(email: string): Promise<Person & { digest: string }> {
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
const ownersOf = (email: string) => listRows(pair[0], 'users', ['id'], { email });
const addressOf = async ({ id }: Person) => (await getRow(pair[0], 'users', ['email'], { id })).email;

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds, longRounds }) => {
  test('only one of many people gets the address they all move to (K6, C8)', RACE_TIMEOUT, () =>
    repeat(pair, longRounds, async () => {
      const email = newEmail('wanted');
      const people = await Promise.all(Array.from({ length: crowd }, () => personWithPending(email)));
      const answers = await together(pair, crowd, (app, at) => {
        const { visitor, digest } = people[at] as (typeof people)[number];
        return browserAt(app, visitor).post('/api/verifyemail', { digest });
      });
      // A link is refused because the address is taken, or because the winner has ended it already.
      const { ok, email_id_exist = 0, digest_invalid = 0 } = tally(answers);
      expect([ok, email_id_exist + digest_invalid]).toEqual([1, crowd - 1]);
      expect(await ownersOf(email)).toHaveLength(1);
      const unchanged = await Promise.all(
        people.map(async (person) => (await addressOf(person)) === person.email),
      );
      expect(unchanged.filter(Boolean)).toHaveLength(crowd - 1);
    }),
  );

  test('between a move to an address and a sign-up with it the mailbox decides (K6)', RACE_TIMEOUT, () =>
    repeat(pair, longRounds, async () => {
      const email = newEmail('wanted');
      const { visitor, digest, id } = await personWithPending(email);
      const answers = await together(pair, crowd, (app, at) =>
        at === 0
          ? browserAt(app, visitor).post('/api/verifyemail', { digest })
          : app.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' }),
      );
      // Sign-up alone proves nothing, so an account that came first loses the address.
      const [moved, ...signUps] = answers;
      expect(moved?.code).toBeUndefined();
      expect(tally(signUps).ok ?? 0).toBeLessThanOrEqual(1);
      expect(await ownersOf(email)).toEqual([{ id }]);
    }),
  );

  test('a link works once', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const email = newEmail('wanted');
      const { visitor, digest } = await personWithPending(email);
      const answers = await together(pair, crowd, (app) =>
        browserAt(app, visitor).post('/api/verifyemail', { digest }),
      );
      expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
    }),
  );

  test('an address that was taken back stays the account’s, whichever call is first', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const person = await personWithPending(newEmail('wanted'));
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
