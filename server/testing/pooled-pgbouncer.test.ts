import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { createPostgresDatabase } from './databases.ts';
import { brokenInvariants } from './invariants.ts';
import { colleague, confirmed, founder, invited, mailedDigest, PASSWORD } from './people.ts';
import { SERVER_CONNECTIONS, startPgBouncer } from './pgbouncer.ts';
import { tally, together } from './races.ts';
import { startApp, startBeside, type TestApp } from './start-app.ts';

// Behind PgBouncer in transaction mode each transaction may get another connection, so nothing in the portal
// may depend on one. Two processes with fifteen connections each share four server connections.

let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
let direct: TestApp;
let pooled: readonly [TestApp, TestApp];
beforeAll(async () => {
  bouncer = await startPgBouncer(process.env['TEST_POSTGRES_URL'] ?? '');
  direct = await startApp();
  const url = bouncer.through(direct.database.url ?? '');
  const beside = () => startBeside({ ...direct, database: { ...direct.database, url } });
  pooled = [await beside(), await beside()];
});
afterAll(async () => {
  for (const app of pooled) await app.close();
  await direct.close();
  await bouncer.stop();
});

test('an empty database is migrated to the newest version', async () => {
  const database = openPostgres(bouncer.through(await createPostgresDatabase()));
  expect((await migrate(database)).length).toBeGreaterThan(0);
  expect(await migrate(database)).toEqual([]);
  await database.close();
});

test('timeouts hold on each server connection', async () => {
  const queries = Array.from({ length: 3 * SERVER_CONNECTIONS }, () =>
    sql<{
      it: string;
    }>`select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' '
      || current_setting('idle_in_transaction_session_timeout') as it`.execute(pooled[0].deps.sql),
  );
  const timeouts = (await Promise.all(queries)).map(({ rows }) => rows[0]?.it);
  expect(new Set(timeouts)).toEqual(new Set(['3s 1s 10s']));
});

test('signing up, confirming, creating an organization, inviting and joining', async () => {
  const boss = await founder(pooled[0]);
  const member = await colleague(pooled[0], boss);
  expect((await member.visitor.get(`/api/init?org_id=${boss.orgId}`)).status).toBe(200);
  const again = pooled[1].visitor();
  const credentials = { email_id: boss.email, password: PASSWORD, timezone: '' };
  const signedIn = await again.post('/api/signin', credentials);
  expect(signedIn.status).toBe(200);
  expect((await again.get('/api/usersession')).status).toBe(200);
  expect(await brokenInvariants(pooled[0], boss.orgId as never)).toEqual([]);
});

test('one of twenty requests with one link at two processes succeeds', async () => {
  const boss = await founder(pooled[0]);
  const { email } = await invited(boss);
  const digest = await mailedDigest(pooled[0], email);
  const answers = await together(pooled, 20, (app) =>
    app.visitor().post('/api/resetpassword', { digest, password: PASSWORD, timezone: '' }),
  );
  expect(tally(answers).ok).toBe(1);
  expect(await brokenInvariants(pooled[1], boss.orgId as never)).toEqual([]);
});

test('each job runs once, in either process', async () => {
  const before = (await direct.mails()).length;
  const people = await Promise.all(Array.from({ length: 6 }, () => confirmed(pooled[0])));
  await Promise.all(pooled.map((app) => app.mails()));
  const to = [...(await pooled[0].mails()), ...(await pooled[1].mails())].map((letter) => letter.to.address);
  expect(before).toBe(0);
  for (const { email } of people) expect(to.filter((address) => address === email)).toHaveLength(1);
});

test('no statement stays prepared, because the next transaction would use another connection', async () => {
  const { visitor } = await confirmed(pooled[0]);
  const calls = Array.from({ length: 3 * SERVER_CONNECTIONS }, () => visitor.get('/api/ustat'));
  expect((await Promise.all(calls)).map(({ status }) => status)).not.toContain(500);
  const queries = Array.from({ length: 3 * SERVER_CONNECTIONS }, () =>
    sql<{ count: number }>`select count(*) as count from pg_prepared_statements`.execute(pooled[0].deps.sql),
  );
  expect(new Set((await Promise.all(queries)).map(({ rows }) => rows[0]?.count))).toEqual(new Set([0]));
});

test('requests beyond the number of connections wait and succeed', async () => {
  const boss = await founder(pooled[0]);
  const answers = await together(pooled, 60, (app) => {
    const visitor = app.visitor();
    for (const [name, value] of boss.visitor.cookies) visitor.cookies.set(name, value);
    return visitor.get(`/api/init?org_id=${boss.orgId}`);
  });
  expect(tally(answers)).toEqual({ ok: 60 });
});
