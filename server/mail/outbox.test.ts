import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { UserId } from '#contract/wire.ts';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { type JobHandlers, runDueJobs } from '#server/jobs/jobs.ts';
import { jobKindOf } from '#server/jobs/kinds.ts';
import { digestFrom, newDigestSeed, openKeys } from '#server/keys.ts';
import { frame } from './frame.ts';
import { type Mail, queueMail } from './outbox.ts';
import { intoFolder, outboxFolder, overSmtp } from './transports.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { type Smtp, startSmtp } from '#server/testing/smtp.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
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
    await jobKindOf(jobHandlers(deps, overSmtp(smtp.url)), 'mail')?.run(
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

const get = (url: string) => raw(app.url, 'GET', url);
const evil = `<script>alert("x")</script>`;
const write = (seconds: number, subject: string, more: { text?: string; html?: string; to?: string } = {}) =>
  intoFolder(outboxFolder(app.deps.config))({
    from: { name: 'Portico', address: 'portico@localhost' },
    to: { name: '', address: more.to ?? 'maya@northwind.example' },
    subject,
    text: more.text ?? 'Hello',
    html: more.html ?? '<html><head></head><body>Hello</body></html>',
    language: 'en',
    messageId: `<key.${seconds}@localhost>`,
    number: seconds,
    date: new Date(Date.parse('2026-03-02T09:00:00Z') + seconds * 1000),
  });
const fileName = (seconds: number) => `2026-03-02T09-00-0${seconds}.000Z-0000000${seconds}.eml`;

describe('the outbox page', () => {
  test('says that there is no mail yet', async () => {
    expect((await get('/outbox')).text).toContain('No mail yet');
  });

  test('lists the mails, newest first, and links to each', async () => {
    for (const seconds of [1, 2, 3]) await write(seconds, `Mail ${seconds}`);
    const { text } = await get('/outbox');
    expect(text.match(/Mail \d/g)).toEqual(['Mail 3', 'Mail 2', 'Mail 1']);
    expect(text).toContain(`href="/outbox/${fileName(2)}"`);
    expect(text).toContain('to maya@northwind.example');
  });

  test('shows a mail as text with clickable links, and as HTML', async () => {
    await write(4, 'Confirm', { text: 'Go to http://localhost:3000/verifyemail?digest=abc&a=1\nBye' });
    const { text } = await get(`/outbox/${fileName(4)}`);
    expect(text).toContain(
      '<a href="http://localhost:3000/verifyemail?digest=abc&amp;a=1">http://localhost:3000/verifyemail?digest=abc&amp;a=1</a>',
    );
    expect(text).toContain(`src="/outbox/${fileName(4)}/html" sandbox=`);
    const { text: html, headers } = await get(`/outbox/${fileName(4)}/html`);
    expect(html).toContain('Hello');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  test('escapes text from people', async () => {
    await write(5, evil, { text: `${evil} http://x.example/"onclick="alert(1)` });
    for (const url of ['/outbox', `/outbox/${fileName(5)}`]) {
      const { text } = await get(url);
      expect(text).not.toContain('<script');
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toContain('"onclick');
    }
  });

  test('a broken file does not break the page', async () => {
    writeFileSync(path.join(outboxFolder(app.deps.config), fileName(6)), Buffer.from([0, 255, 13, 10]));
    expect((await get('/outbox')).status).toBe(200);
    expect((await get(`/outbox/${fileName(6)}`)).status).toBe(200);
  });
});

test.for([
  ...'/outbox/..%2fsecret /outbox/../secret /outbox/%2e%2e%2fsecret.eml'.split(' '),
  ...'/outbox/..%5c..%5csecret.eml /outbox/....eml /outbox/secret /outbox/2026.eml%00.txt'.split(' '),
  ...'/outbox/2026.eml /outbox/..%2f1.eml /outbox/..%2f1.eml/html /outbox/ /outbox//'.split(' '),
])('%s opens no file', async (url) => {
  const outside = app.deps.config.dataDir;
  mkdirSync(outboxFolder(app.deps.config), { recursive: true });
  writeFileSync(path.join(outside, '1.eml'), 'Subject: outside\r\n\r\nsecret of the folder');
  const answer = await get(url);
  expect(codeIn(answer)).toBe('not_found');
  expect(answer.text).not.toContain('outside');
});

test.for([
  { what: 'in production', environment: { NODE_ENV: 'production' } },
  { what: 'under a public address', environment: { PUBLIC_URL: 'https://accounts.example.com' } },
  { what: 'with a mail server', environment: { SMTP_URL: 'smtp://127.0.0.1:1' } },
])('$what there is no outbox page', async ({ environment }) => {
  const other = await startApp({ ...environment, LOG_LEVEL: 'info' });
  const { host } = other.deps.config.publicUrl;
  const address = `http://127.0.0.1:${other.deps.config.port}`;
  for (const url of ['/outbox', `/outbox/${fileName(1)}`])
    expect(codeIn(await raw(address, 'GET', url, { headers: { host } }))).toBe('not_found');
  await other.close();
});
