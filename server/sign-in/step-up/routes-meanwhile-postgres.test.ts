import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { hasSession } from '#server/sessions/data.ts';
import { confirmed, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { whileWaiting } from '#server/testing/waiting.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });

test('a step-up and another call of the same session wait for each other without a deadlock', async () => {
  const { visitor, id } = await confirmed(app);
  const userId = id as UserId;
  const { deps } = app;
  const sessions = deps.sql.selectFrom('sessions').select('id').where('user_id', '=', userId);
  const session = await sessions.executeTakeFirstOrThrow();
  // As when the caller switches two-step sign-in, changes a password or saves a phone number.
  const answer = await whileWaiting(
    app,
    async (tx) => {
      await lockAccount(tx, userId, deps.clock.now());
      expect(await hasSession(tx, session.id)).toBe(true);
    },
    () => visitor.post('/api/reauthenticate', { password: PASSWORD }),
    (tx) => recordActivity(tx, deps, 'person.twoStep.change', { userId }),
  );
  expect(responseOf(answer)).toEqual({});
});
