import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { findShownSessions, listSessions, sweepSessions } from './data.ts';
import { confirmed, PASSWORD, type Person } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('a sweep deletes exactly the sessions that have ended, in any number of steps', async () => {
  const now = app.clock.now();
  await app.database.exclusively((script) =>
    script(`
      insert into users (created_at) values (now());
      insert into sessions (user_id, token_hash, created_at, last_seen_at, authenticated_at, ip_address, user_agent)
        select users.id, sha256(n::text::bytea), used, used, used, '', ''
        from users, generate_series(1, 20500) as n,
          lateral (select timestamptz '${now.toISOString()}' - case when n % 100 = 0 then interval '1 day' else interval '60 days' end as used) as at`),
  );
  await sweepSessions(app.deps);
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from sessions
    where last_seen_at > ${now}::timestamptz - interval '2 days'`.execute(app.deps.sql);
  expect(rows).toEqual([{ left: 205 }]);
  const all = await sql<{ left: number }>`select count(*)::int as left from sessions`.execute(app.deps.sql);
  expect(all.rows).toEqual([{ left: 205 }]);
});

const somebody = async () => (await confirmed(app)) as Person & { readonly id: UserId };

test('several people queried together each get their own sessions, the last used first', async () => {
  const [one, other] = [await somebody(), await somebody()];
  app.clock.forward(1000);
  const signIn = { email_id: one.email, password: PASSWORD, timezone: '' };
  expect((await app.visitor().post('/api/signin', signIn)).status).toBe(200);
  const nobody = 0 as UserId;
  const sessionsOf = await findShownSessions(app.deps, [other.id, nobody, one.id]);
  const idsOf = (id: UserId) => sessionsOf.get(id)?.map((session) => session.id);
  for (const { id } of [one, other]) {
    const sessions = await listSessions(app.deps.sql, app.deps, id);
    expect(idsOf(id)).toEqual(sessions.map((session) => session.id));
  }
  expect([one.id, other.id, nobody].map((id) => idsOf(id)?.length)).toEqual([2, 1, 0]);
});
