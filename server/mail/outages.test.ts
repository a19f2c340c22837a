import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { jobHandlers } from '#server/job-handlers.ts';
import { MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { type JobHandlers, runDueJobs, startJobs } from '#server/jobs/jobs.ts';
import { overSmtp } from './transports.ts';
import { type Boss, confirmed, founder, newEmail, PASSWORD, rolesOf } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { type Smtp, startSmtp } from '#server/testing/smtp.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// A mail server that is away, hangs, refuses, or is slow (L7, R10): calls answer as usual, and each mail
// arrives once, in order, within two minutes of the server's return.

/** The timeout of the mailer is longer than any call may take. */
const SMTP_TIMEOUT_MS = 60_000;
const ANSWER_MS = 10_000;

const app = useApp();
let boss: Boss;
let roleId: number;
let port: number;
let smtp: Smtp | undefined;
let handlers: JobHandlers;
beforeAll(async () => {
  boss = await founder(app);
  roleId = (await rolesOf(boss))['Admin'] ?? 0;
});
beforeEach(async () => {
  await app.mails();
  await sql`truncate jobs, job_turns restart identity`.execute(app.deps.sql);
  port = await freePort();
  handlers = handlersWithTimeout(SMTP_TIMEOUT_MS);
});
afterEach(async () => {
  await smtp?.close();
  smtp = undefined;
});

const handlersWithTimeout = (ms: number) => {
  const limits = { connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms };
  return jobHandlers(app.deps, overSmtp(`smtp://127.0.0.1:${port}`, limits));
};
const jobs = () => app.deps.sql.selectFrom('jobs').selectAll().orderBy('id').execute();
const subjects = () => (smtp?.deliveries ?? []).map(({ mail }) => mail.subject ?? '');

/** Invites `times` people, each by a mail; no call may wait for the hanging server. */
async function invite(times: number) {
  const where = { org_id: boss.orgId, role_id: roleId, first_name: 'Tom' };
  for (let count = 0; count < times; count += 1) {
    const started = performance.now();
    responseOf(await boss.visitor.post('/api/orgusers', { ...where, email_id: newEmail('tom') }));
    expect(performance.now() - started).toBeLessThan(ANSWER_MS);
  }
}
/** Advances the portal's time and runs the due jobs after each step. */
async function advance(ms: number, stepMs: number) {
  for (let passed = 0; passed < ms; passed += stepMs) {
    app.clock.forward(stepMs);
    await runDueJobs(app.deps, handlers);
  }
}
const halfAnHour = () => advance(30 * MINUTE_MS, MINUTE_MS);
/** The number of mails that have arrived two minutes after the server's return. */
async function arrivals() {
  await advance(2 * MINUTE_MS, 5 * SECOND_MS);
  return subjects().length;
}

/** A server that accepts connections and never answers. */
async function startHangingServer(at: number) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await once(server.listen(at, '127.0.0.1'), 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(close);
  return close;
}
function start() {
  const stop = startJobs(app.deps, handlers, [], 5);
  onTestFinished(() => stop());
  return stop;
}

describe('a server', () => {
  test('that refuses connections gets each mail once, half an hour later', async () => {
    await invite(12);
    await halfAnHour();
    expect((await jobs()).filter((job) => job.done_at ?? job.failed_at)).toEqual([]);
    smtp = await startSmtp(port);
    expect(await arrivals()).toBe(12);
    expect((await jobs()).filter((job) => job.done_at === null)).toEqual([]);
  });

  test('that hangs blocks no calls and no other jobs', async () => {
    const close = await startHangingServer(port);
    const stop = start();
    await invite(9);
    const other = newEmail();
    responseOf(await app.visitor().post('/api/restoreaccount/resend', { email_id: other }));
    await expect
      .poll(async () => (await jobs()).find(({ kind }) => kind === 'restore-mail')?.done_at, {
        timeout: ANSWER_MS,
      })
      .toBeInstanceOf(Date);
    const stopped = stop();
    close();
    await stopped;
    smtp = await startSmtp(port);
    expect(await arrivals()).toBe(9);
  });

  test('that hangs for longer than the timeout gets all mails later', async () => {
    const close = await startHangingServer(port);
    await invite(3);
    await runDueJobs(app.deps, handlersWithTimeout(300));
    expect(await jobs()).toMatchObject(
      Array.from({ length: 3 }, () => ({ attempts: 1, failures: 0, done_at: null, failed_at: null })),
    );
    close();
    smtp = await startSmtp(port);
    expect(await arrivals()).toBe(3);
  });
});

test('after an outage the mails to one person arrive in order, without expired ones', async () => {
  const { email } = await confirmed(app);
  await app.mails();
  const visitor = app.visitor();
  const signIn = { email_id: email, password: PASSWORD, timezone: '' };
  responseOf(await visitor.post('/api/signin', signIn));
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  // A code is valid for ten minutes and must not arrive later.
  responseOf(await app.visitor().post('/api/signin', signIn));
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 0 }));
  await halfAnHour();
  smtp = await startSmtp(port);
  app.clock.forward(MINUTE_MS);
  await runDueJobs(app.deps, handlers);
  const mails = smtp.deliveries.filter(({ recipients }) => recipients.includes(email));
  expect(mails.map(({ mail }) => mail.subject)).toEqual([
    expect.stringContaining('sign') as string,
    'Two-step sign-in is on',
    'Two-step sign-in is off',
  ]);
  expect((await jobs()).map(({ last_error }) => last_error)).toContain('out of date');
});
