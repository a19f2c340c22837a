import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { lockProfile } from '#server/accounts/data.ts';
import { confirmed } from '#server/testing/people.ts';
import { browserAt, usePair } from '#server/testing/races.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

const pair = usePair();

const form = { first_name: 'Maya', country_name: 'Sweden' };

test('one press that reaches two processes makes one organization', async () => {
  const person = await confirmed(pair[0]);
  const browsers = [person.visitor, browserAt(pair[1], person.visitor), person.visitor];
  const answers = await whileWaiting(
    pair[0],
    (tx) => lockProfile(tx, person.id as UserId),
    () => Promise.all(browsers.map((browser) => browser.post('/api/orgs', form))),
    async () => undefined,
  );
  const ids = answers.map((answer) => responseOf<{ Id: number }>(answer).Id);
  expect(new Set(ids).size).toBe(1);
  expect(responseOf<unknown[]>(await person.visitor.get('/api/orgs'))).toHaveLength(1);
});
