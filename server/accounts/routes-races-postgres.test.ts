import { describe, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { newEmail, PASSWORD } from '#server/testing/people.ts';
import { plantedDigest, plantedPerson } from '#server/testing/planted.ts';
import {
  browserAt,
  CROWDS,
  mailsOfBoth,
  oneAnd,
  RACE_TIMEOUT,
  repeat,
  usePair,
  tally,
  together,
} from '#server/testing/races.ts';
import { getRow } from '#server/testing/rows.ts';

const pair = usePair({ RATE_LIMIT_FACTOR: '1000000' });

const countIn = async (table: 'sessions' | 'activity' | 'passwords', id: number) =>
  (
    await pair[0].deps.sql
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', id as UserId)
      .execute()
  ).length;
let hasLeftOver = false;
const leftOver = (email: string) => ({ email, first_name: 'Tom', created_at: pair[0].clock.now() });

describe.for(CROWDS)('$rounds rounds of $crowd at once', ({ crowd, rounds }) => {
  test('claims on one address make one account, one mail, one activity row (K6)', RACE_TIMEOUT, () =>
    repeat(pair, rounds, async () => {
      const email = newEmail();
      // In every other round an ended invitation has left an unused person behind.
      if ((hasLeftOver = !hasLeftOver))
        await pair[0].deps.sql.insertInto('users').values(leftOver(email)).execute();
      const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('n', 'N')];
      const answers = await together(pair, crowd, (app, at) =>
        app.visitor().post('/api/signup', { emailId: spellings[at % 4], password: PASSWORD, timezone: '' }),
      );
      expect(tally(answers)).toEqual(oneAnd(crowd, 'email_id_exist'));
      const { id } = await getRow(pair[0], 'users', ['id'], { email });
      const rows = [
        await countIn('sessions', id),
        await countIn('passwords', id),
        await countIn('activity', id),
      ];
      expect(rows).toEqual([1, 1, 1]);
      expect(await mailsOfBoth(pair, email)).toHaveLength(1);
    }),
  );

  test(
    'of two confirmation links one works once, for the person who signed up or for the owner of the mailbox (K3)',
    RACE_TIMEOUT,
    () =>
      repeat(pair, rounds, async () => {
        const person = await plantedPerson(pair[0], { confirmed: false });
        const digests = [
          await plantedDigest(pair[0], person, 'verify-email'),
          await plantedDigest(pair[0], person, 'verify-email'),
        ];
        const answers = await together(pair, crowd, (app, at) =>
          (at % 4 < 2 ? browserAt(app, person.visitor) : app.visitor()).post('/api/verifyemail', {
            digest: digests[at % 3 === 0 ? 0 : 1],
          }),
        );
        expect(tally(answers)).toEqual(oneAnd(crowd, 'digest_invalid'));
        const { response } = answers.find(({ code }) => code === undefined)?.body ?? {};
        const isCaller = (response as { password_needed: number }).password_needed === 0;
        expect(await countIn('sessions', person.id)).toBe(isCaller ? 1 : 0);
        expect(await countIn('activity', person.id)).toBe(1);
      }),
  );
});
