import { describe, expect, test } from 'vitest';
import { newEmail } from '#server/testing/people.ts';
import { startPublicApp } from '#server/testing/public-app.ts';
import { CROWDS, RACE_TIMEOUT, tally } from '#server/testing/races.ts';
import { useServer } from '#server/testing/use-app.ts';

const one = useServer(startPublicApp);
const apps = [one, useServer(() => startPublicApp({}, one))] as const;

let networks = 0;
const newAddress = () => `2001:db8:${(networks += 1).toString(16)}::1`;

/** Sends concurrent calls, alternating between the two processes, and counts the answers. */
const burst = async (crowd: number, from: string, path: string, body: () => object) =>
  tally(
    await Promise.all(
      Array.from({ length: crowd }, (_, at) => apps[at % 2 === 0 ? 0 : 1].sendFrom(from, path, body())),
    ),
  );

describe.for(CROWDS)('$rounds bursts of $crowd over two processes', ({ crowd, rounds }) => {
  const expected = (most: number, granted: string) => {
    const counted = { [granted]: Math.min(crowd, most) };
    return crowd > most ? { ...counted, too_many_requests: crowd - most } : counted;
  };

  test('ten requests for reset links from one network are answered (K10)', RACE_TIMEOUT, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const body = () => ({ email_id: newEmail('nobody') });
      const counted = await burst(crowd, newAddress(), '/api/forgotpassword', body);
      // Unknown addresses have another limit, for all networks together.
      const { ok = 0, user_not_found: unknown = 0, ...refused } = counted;
      expect({ answered: ok + unknown, ...refused }).toEqual(expected(10, 'answered'));
    }
  });

  test('five passwords for one account from one network are checked (K10)', RACE_TIMEOUT, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const email_id = newEmail('nobody');
      const body = () => ({ email_id, password: 'wrong arch 99', timezone: '' });
      const counted = await burst(crowd, newAddress(), '/api/signin', body);
      expect(counted).toEqual(expected(5, 'invalid_credentials'));
    }
  });
});
