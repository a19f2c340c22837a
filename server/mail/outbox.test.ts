import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { transaction } from '#server/db/connect.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { HOUR_MS } from '#server/clock.ts';
import { type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
import { kindOf } from '#server/jobs/kinds.ts';
import { digestFrom, newDigestSeed, openKeys } from '#server/keys.ts';
import { frame } from '#server/mail/frame.ts';
import { type Mail, queueMail } from '#server/mail/outbox.ts';
import { overSmtp } from '#server/mail/transports.ts';
import { type Smtp, startSmtp } from '#server/testing/smtp.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
let smtp: Smtp;
let handlers: JobHandlers;
beforeEach(async () => {
  await sql`truncate jobs restart identity`.execute(app.deps.sql);
  smtp = await startSmtp();
  handlers = jobHandlers(app.deps, overSmtp(smtp.url));
});
afterEach(() => smtp.close());

const run = () => runDueJobs(app.deps, handlers);
const words = (subject: string) =>
  frame({
    subject,
    paragraphs: ['Hello.'],
    action: { label: 'Go on', url: `${app.url}/verifyemail?digest={{digest}}` },
    footer: 'Bye.',
  });
const queue = (subject: string, more: Partial<Mail> = {}) =>
  transaction(app.deps.sql, (tx) =>
    queueMail(tx, app.deps, {
      userId: 1 as UserId,
      to: 'maya@northwind.example',
      content: () => words(subject),
      ...more,
    }),
  );
/** All rows of all tables, as text. */
const everything = async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public'`.execute(app.deps.sql);
  const texts = await Promise.all(
    rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(app.deps.sql)),
  );
  return JSON.stringify(texts.map((table) => table.rows));
};

test('the mail contains the digest, and no row does, before or after it is sent', async () => {
  const seed = newDigestSeed(app.deps.keys, 'verify-email');
  const digest = digestFrom(app.deps.keys, seed);
  await queue('Confirm', { digest: seed });
  const before = await everything();
  expect(before).toContain(seed.nonce);
  expect(before).not.toContain(digest);
  await run();
  const [delivery] = smtp.deliveries;
  expect(delivery?.mail.text).toContain(`${app.url}/verifyemail?digest=${digest}&language=en\n`);
  expect(delivery?.mail.html).toContain(`href="${app.url}/verifyemail?digest=${digest}&amp;language=en"`);
  expect(await everything()).not.toContain(digest);
  expect(await everything()).not.toContain(seed.nonce);
});

test('a mail has the configured sender and a Message-ID, and arrives once after a retry', async () => {
  smtp.refusing.data = { code: 451, text: 'later' };
  await queue('Once');
  await run();
  delete smtp.refusing.data;
  app.clock.forward(HOUR_MS);
  await run();
  const [delivery] = smtp.deliveries;
  expect(delivery?.mail.from).toEqual({ name: PRODUCT_NAME, address: 'portico@localhost' });
  expect(delivery?.mail.messageId).toMatch(/^<[\da-f]{32}@localhost>$/);
  expect(delivery?.mail.date).toBe(app.clock.now().toISOString());
  expect(smtp.deliveries).toHaveLength(1);
});

test('the Message-ID hides the number of its job, and a new key behind the old one does not change it', async () => {
  const idOf = async (deps: TestApp['deps'], jobId: number) => {
    const before = smtp.deliveries.length;
    const mail = { to: 'maya@northwind.example', content: words('Once') };
    await kindOf(jobHandlers(deps, overSmtp(smtp.url)), 'mail')?.run(
      deps,
      mail as never,
      jobId,
      async () => {},
    );
    return smtp.deliveries[before]?.mail.messageId;
  };
  const { deps } = app;
  const [newest] = openKeys({ ...deps.config, secretKeys: ['n'.repeat(32)] });
  const rotated = { ...deps, keys: [deps.keys[0], newest] as const };
  const id = await idOf(deps, 7654321);
  expect(id).not.toContain('7654321');
  expect(await idOf(deps, 7654322)).not.toBe(id);
  expect(await idOf(rotated, 7654321)).toBe(id);
});
