import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { transaction } from '#server/db/connect.ts';
import { somebody } from '#server/testing/company.ts';
import { newEmail, PASSWORD, type Person } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Rows of all people share one sequence. Its steps would tell a stranger whether a sign-up made an account.

const app = useApp({ ACCOUNT_DISCLOSURE: 'neutral', RATE_LIMIT_FACTOR: '1000' });
let stranger: Person;
beforeAll(async () => {
  stranger = await somebody(app);
});

const signUp = (email: string) =>
  app.visitor().post('/api/signup', { emailId: email, password: PASSWORD, timezone: '' });
const rename = (first_name: string) => stranger.visitor.put('/api/user', { first_name });
const notice = () =>
  transaction(app.deps.sql, (tx) =>
    notify(tx, app.deps, stranger.id as UserId, { kind: 'new_device', details: { browser: '', system: '' } }),
  );

type Log = { audit: { id: number }[]; next: string | null };
type Panel = { notifications: { id: number }[] };

/** The distance between two rows of one reader, with one sign-up between them. */
async function distances(email: string) {
  responseOf(await rename('before'));
  await notice();
  expect((await signUp(email)).status).toBe(200);
  await app.mails();
  responseOf(await rename('after'));
  await notice();
  const { audit } = responseOf<Log>(await stranger.visitor.get('/api/auditlogs?limit=2'));
  const { next } = responseOf<Log>(await stranger.visitor.get('/api/auditlogs?limit=1'));
  const { notifications } = responseOf<Panel>(await stranger.visitor.get('/api/notifications'));
  expect(next?.split('-').at(-1)).toBe(String(audit[0]?.id));
  const apart = ([one, two]: { id: number }[]) => Math.abs((one?.id ?? 0) - (two?.id ?? 0));
  return { row: apart(audit), notice: apart(notifications) };
}

test('ids and cursors do not tell whether a sign-up between two rows made an account (A17)', async () => {
  const FAR = 1_000_000;
  for (const email of [newEmail('free'), stranger.email]) {
    const apart = await distances(email);
    expect(apart.row, 'rows of the log').toBeGreaterThan(FAR);
    expect(apart.notice, 'notifications').toBeGreaterThan(FAR);
  }
});

test('a sign-up and a forgotten password advance no id that other people see', async () => {
  const shown = ['memberships', 'roles'];
  const counters = async () => {
    const { rows } = await sql<object>`select sequencename, last_value from pg_sequences
      where sequencename = any(${shown.map((table) => `${table}_id_seq`)}::text[]) order by sequencename`.execute(
      app.deps.sql,
    );
    expect(rows).toHaveLength(shown.length);
    return rows;
  };
  const before = await counters();
  for (const email of [newEmail('free'), stranger.email]) {
    expect((await signUp(email)).status).toBe(200);
    await app.mails();
    responseOf(await app.visitor().post('/api/forgotpassword', { email_id: email }));
    await app.mails();
  }
  expect(await counters()).toEqual(before);
});
