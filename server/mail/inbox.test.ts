import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { intoFolder, outboxFolder } from '#server/mail/transports.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { startApp } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

const get = (url: string) => raw(app.url, 'GET', url);
const evil = `<script>alert("x")</script>`;
const write = (seconds: number, subject: string, more: { text?: string; html?: string; to?: string } = {}) =>
  intoFolder(outboxFolder(app.deps.config))({
    from: { name: 'Portico', address: 'portico@localhost' },
    to: { name: '', address: more.to ?? 'maya@northwind.example' },
    subject,
    text: more.text ?? 'Hello',
    html: more.html ?? '<html><head></head><body>Hello</body></html>',
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
