import { beforeAll, beforeEach, expect, test } from 'vitest';
import { jobKindOf } from '#server/jobs/kinds.ts';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { type Boss, colleague, customRole, founder, rolesOf } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const QUIET_MS = 10 * MINUTE_MS;
const pausedSubject = 'Your access to Northwind Traders is paused';
const openedSubject = 'You have access to Northwind Traders again';
const roleSubject = 'Your role in Northwind Traders has changed';

const app = useApp({ RATE_LIMIT_FACTOR: '1000', REAUTH_WINDOW_MINUTES: '0', ...lastingSessions });
let boss: Boss;
let roles: Record<string, number>;
let member: Boss;
beforeAll(async () => {
  boss = await founder(app);
  await customRole(app, boss.orgId, 'Sales');
  roles = await rolesOf(boss);
});
beforeEach(async () => {
  member = await colleague(app, boss, 'Sales');
});

const edit = async (more: { role?: string; status?: number }) =>
  responseOf(
    await boss.visitor.put('/api/orgusers', {
      org_id: boss.orgId,
      user_id: member.id,
      first_name: 'Tom',
      role_id: roles[more.role ?? 'Sales'],
      ...(more.status !== undefined && { status: more.status }),
    }),
  );
const toggle = async (times: number) => {
  for (let at = 0; at < times; at += 1) await edit({ role: at % 2 === 0 ? 'Admin' : 'Sales' });
};
const news = async () =>
  (await app.mails(member.email)).filter(({ subject }) =>
    [pausedSubject, openedSubject, roleSubject].includes(subject),
  );
const subjects = async () => (await news()).map(({ subject }) => subject);
const kinds = async () =>
  responseOf<{ notifications: { kind: string }[]; unread: number }>(
    await member.visitor.get('/api/notifications'),
  ).notifications.map(({ kind }) => kind);

test('a role that changes back to the mailed one sends no second mail', async () => {
  await toggle(21);
  expect(await subjects()).toEqual([roleSubject]);
  const [{ text } = { text: '' }] = await news();
  expect(text).toContain('the role Admin');
  expect(text).toContain(`Open Northwind Traders:\n${app.url}/${boss.orgId}?language=en\n`);
  app.clock.forward(QUIET_MS);
  expect(await subjects()).toEqual([roleSubject]);
});

test('the quiet time ends with one mail about the last role, and then begins again (B9)', async () => {
  await toggle(20);
  app.clock.forward(QUIET_MS - SECOND_MS);
  expect(await subjects()).toEqual([roleSubject]);
  app.clock.forward(SECOND_MS);
  expect((await news()).map(({ text }) => text.includes('the role Sales'))).toEqual([false, true]);
  await edit({ role: 'Admin' });
  expect(await subjects()).toHaveLength(2);
  app.clock.forward(QUIET_MS);
  expect(await subjects()).toHaveLength(3);
});

test('a mail about the role does not delay the next mail about the status', async () => {
  await edit({ role: 'Admin' });
  await edit({ role: 'Admin', status: 3 });
  await edit({ role: 'Admin', status: 2 });
  expect(await subjects()).toEqual([roleSubject, pausedSubject]);
  app.clock.forward(QUIET_MS);
  expect(await subjects()).toEqual([roleSubject, pausedSubject, openedSubject]);
});

test('a member who was removed meanwhile gets no second mail', async () => {
  await toggle(2);
  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: boss.orgId, del_user_id: member.id }));
  app.clock.forward(QUIET_MS);
  expect(await subjects()).toEqual([roleSubject]);
});

test('a job that runs twice, after a crash, mails once', async () => {
  await toggle(2);
  await app.mails();
  const pending = app.deps.sql.selectFrom('jobs').select(['id', 'payload']).where('kind', '=', 'member-news');
  const job = await pending.where('lane', 'is not', null).orderBy('id', 'desc').executeTakeFirstOrThrow();
  const run = () =>
    jobKindOf(app.jobs, 'member-news')?.run(app.deps, job.payload as never, job.id, async () => {});
  await run();
  await run();
  expect(await subjects()).toEqual([roleSubject, roleSubject]);
});

test('the panel has at most one unread notification about a role (B9)', async () => {
  await toggle(7);
  expect(await kinds()).toEqual(['role_changed']);
});
