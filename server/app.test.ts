import { beforeAll, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { issueToken, useToken } from '#server/accounts/tokens/data.ts';
import { hourly } from './hourly.ts';
import { DAY_MS, fromNow, HOUR_MS, MINUTE_MS, SECOND_MS } from './clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Deps } from './deps.ts';
import { sweepAll } from '#server/jobs/jobs.ts';
import { openSession } from '#server/sessions/actions.ts';
import { insertChallenge } from '#server/sign-in/challenge/data.ts';
import { rememberDevice } from '#server/sign-in/devices/data.ts';
import { insertCode } from '#server/sign-in/onward/data.ts';
import { insertVisit } from '#server/social/data.ts';
import { confirmed } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

// The features write these rows, and the hourly sweeps of the portal delete them.

const app = useApp();
let userId: UserId;
beforeAll(async () => {
  userId = (await confirmed(app)).id as UserId;
  app.clock.forward(365 * DAY_MS);
  await sweep();
});

const sweep = () => sweepAll(app.deps, hourly);
const count = async (table: keyof Tables) =>
  (await app.deps.sql.selectFrom(table).selectAll().execute()).length;

const client = { ipAddress: '127.0.0.1', userAgent: '', location: 'Unknown' };
const visit = { state_hash: Buffer.of(1), browser_hash: Buffer.of(1), provider: 'google' } as const;
const token = { purpose: 'reset-password', subject: 'maya@northwind.example', lifeMs: HOUR_MS } as const;
const redirect = { code_hash: Buffer.of(1), redirect_url: 'https://sign.example/' };

type Insert = (deps: Deps) => Promise<unknown>;
const insertSession: Insert = (deps) => transaction(deps.sql, (tx) => openSession(tx, deps, userId, client));
const insertToken: Insert = (deps) =>
  transaction(deps.sql, (tx) => issueToken(tx, deps, { ...token, userId }));
const insertUsedToken: Insert = async (deps) => {
  await insertToken(deps);
  const { id } = await deps.sql.selectFrom('one_time_tokens').select('id').executeTakeFirstOrThrow();
  await transaction(deps.sql, (tx) => useToken(tx, id, deps.clock.now()));
};
const insertBusySession: Insert = async (deps) => {
  await insertSession(deps);
  for (let day = 0; day < 29; day += 1) {
    app.clock.forward(DAY_MS);
    await deps.sql.updateTable('sessions').set({ last_seen_at: deps.clock.now() }).execute();
  }
};

const rows: [what: string, table: keyof Tables, insert: Insert, lifeMs: number][] = [
  ['an unused session', 'sessions', insertSession, 7 * DAY_MS],
  ['a session in use since its first day', 'sessions', insertBusySession, DAY_MS],
  ['an unopened link', 'one_time_tokens', insertToken, HOUR_MS + 30 * DAY_MS],
  ['a used link', 'one_time_tokens', insertUsedToken, 30 * DAY_MS],
  [
    'a mailed code',
    'challenges',
    ({ sql, clock }) =>
      transaction(sql, (tx) =>
        insertChallenge(
          tx,
          { token: 'key' },
          {
            user_id: userId,
            code_hash: Buffer.of(1),
            created_at: clock.now(),
            mailed_at: clock.now(),
            expires_at: fromNow(clock, 10 * MINUTE_MS),
          },
        ),
      ),
    10 * MINUTE_MS,
  ],
  [
    'a code for an application',
    'redirect_codes',
    ({ sql, clock }) =>
      transaction(sql, (tx) =>
        insertCode(tx, { ...redirect, user_id: userId, expires_at: fromNow(clock, MINUTE_MS) }),
      ),
    MINUTE_MS,
  ],
  [
    'a known browser',
    'known_devices',
    ({ sql, clock }) => transaction(sql, (tx) => rememberDevice(tx, undefined, userId, clock)),
    180 * DAY_MS,
  ],
  [
    'a visit to a provider',
    'social_visits',
    ({ sql, clock }) =>
      transaction(sql, (tx) => insertVisit(tx, { ...visit, expires_at: fromNow(clock, 10 * MINUTE_MS) })),
    10 * MINUTE_MS,
  ],
];

test.each(rows)('%s is kept while it is valid, then swept', async (_what, table, insert, lifeMs) => {
  expect(await count(table)).toBe(0);
  await insert(app.deps);
  app.clock.forward(lifeMs - 1);
  await sweep();
  expect(await count(table)).toBe(1);
  app.clock.forward(1);
  await sweep();
  expect(await count(table)).toBe(0);
});

test('counters that no longer limit anyone are swept', async () => {
  const { limiter } = app.deps;
  await limiter.take('signInHour', 'somewhere');
  app.clock.forward(HOUR_MS);
  await limiter.take('signInHour', 'elsewhere');
  app.clock.forward(SECOND_MS);
  await sweep();
  expect(await count('rate_limits')).toBe(1);
});
