import { expect, test } from 'vitest';
import { plantedChallenge, plantedPerson } from '#server/testing/planted.ts';
import { browserAt, RACE_TIMEOUT, roundsOr, usePair, tally, together } from '#server/testing/races.ts';
import { confirmed, otherCode, signIn, TYPED_CODE } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { responseOf } from '#server/testing/visitor.ts';

const SIGN = 'https://sign.example/';
const pair = usePair({
  RATE_LIMIT_FACTOR: '1000000',
  SIGN_URL: SIGN,
  REDIRECT_SECRETS: `https://sign.example=${'s'.repeat(24)}`,
});

test(
  'a device that one process signs out is refused at the other with its next request (D6, R17)',
  RACE_TIMEOUT,
  async () => {
    const person = await confirmed(pair[0]);
    for (let round = 0; round < roundsOr(20); round += 1) {
      const there = await plantedSession(person);
      const answer = await person.visitor.get('/api/usersession');
      const [, other] = responseOf<{ id: number }[]>(answer);
      expect((await there.get('/api/user')).code).toBeUndefined();
      responseOf(await person.visitor.delete('/api/usersession', { session_id: other?.id }));
      expect((await there.get('/api/user')).code).toBe('not_signed_in');
    }
  },
);

/** Signs the same person in at the second process. */
async function plantedSession({ email }: { email: string }) {
  const visitor = pair[1].visitor();
  responseOf(await signIn(visitor, email));
  return visitor;
}

test(
  'of fifty concurrent wrong codes over ten challenges at most ten are checked (B1)',
  RACE_TIMEOUT,
  async () => {
    for (let round = 0; round < roundsOr(4); round += 1) {
      const person = await plantedPerson(pair[0]);
      const challenges = await Promise.all(
        Array.from({ length: 10 }, () => plantedChallenge(pair[0], person)),
      );
      const answers = await together(pair, 50, (app, at) => {
        const { visitor } = challenges[at % 10] ?? challenges[0]!;
        return browserAt(app, visitor).post('/api/verifyotp', {
          contact: 'x',
          otp: otherCode(TYPED_CODE),
          timezone: '',
        });
      });
      expect(tally(answers)).toEqual({ otp_invalid: 9, account_is_disable: 1, otp_expired: 40 });
    }
  },
);

test('no code for an application outlives the session that requested it', RACE_TIMEOUT, async () => {
  for (let round = 0; round < roundsOr(10); round += 1) {
    const person = await plantedPerson(pair[0]);
    const answers = await together(pair, 8, (app, at) =>
      at === 0
        ? browserAt(app, person.visitor).delete('/api/logout')
        : browserAt(app, person.visitor).post('/api/redirect', { redirect_url: SIGN }),
    );
    const { ok = 0, not_signed_in: late = 0 } = tally(answers);
    expect(ok + late).toBe(8);
    expect(await listRows(pair[0], 'redirect_codes', ['code_hash'], { user_id: person.id })).toEqual([]);
  }
});
