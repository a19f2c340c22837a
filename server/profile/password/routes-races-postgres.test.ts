import { describe, expect, test } from 'vitest';
import { signedUp } from '#server/testing/people.ts';
import {
  brokenPromises,
  browserAt,
  CROWDS,
  RACE_TIMEOUT,
  usePair,
  tally,
  together,
} from '#server/testing/races.ts';
import { PASSWORD } from '#server/testing/people.ts';
import { responseOf } from '#server/testing/visitor.ts';

const pair = usePair({ RATE_LIMIT_FACTOR: '1000000' });

describe.for(CROWDS)('$crowd at once', ({ crowd, rounds }) => {
  test(
    'one of many changes with the right password succeeds, and one session is left',
    RACE_TIMEOUT,
    async () => {
      for (let round = 0; round < rounds / 4; round += 1) {
        const { visitor, email } = await signedUp(pair[0]);
        const passwordAt = (at: number) => `sturdy arch number ${at}`;
        const answers = await together(pair, crowd, (app, at) =>
          browserAt(app, visitor).put('/api/changepassword', {
            current_password: PASSWORD,
            new_password: passwordAt(at),
          }),
        );
        const winner = answers.findIndex(({ code }) => code === undefined);
        expect(tally(answers)['ok']).toBe(1);
        const credentials = { email_id: email, password: passwordAt(winner), timezone: '' };
        expect((await pair[1].visitor().post('/api/signin', credentials)).code).toBe('account_not_confirmed');
        expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
      }
      expect(await brokenPromises(pair[0])).toEqual([]);
      expect(responseOf(await pair[0].visitor().get('/api/ustat'))).toBeNull();
    },
  );
});
