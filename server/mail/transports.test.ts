import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Away, GiveUp, Refused } from '#server/jobs/jobs.ts';
import { greetMailServer, intoFolder, type Letter, overSmtp } from './transports.ts';
import { type Smtp, startSmtp } from '#server/testing/smtp.ts';

const letter = (more: Partial<Letter> = {}): Letter => ({
  from: { name: 'Portico', address: 'portico@localhost' },
  to: { name: '', address: 'maya@northwind.example' },
  subject: 'Grüße',
  text: 'Hello Maya,\n.\nthat was a dot.',
  html: '<p>Hello Maya</p>',
  language: 'de',
  messageId: '<key.7@localhost>',
  number: 7,
  date: new Date('2026-03-02T09:00:00.123Z'),
  ...more,
});
const to = (address: string) => letter({ to: { name: '', address } });
const errorOf = (sending: Promise<void>) =>
  sending.then(
    () => undefined,
    (error: Error) => error,
  );

describe('over SMTP', () => {
  let smtp: Smtp;
  beforeEach(async () => {
    smtp = await startSmtp();
  });
  afterEach(() => smtp.close());

  test('a greeting sends nothing, and fails with the reason', async () => {
    await greetMailServer(smtp.url);
    expect(smtp.deliveries).toEqual([]);
    await expect(greetMailServer('smtp://127.0.0.1:1')).rejects.toThrow('ECONNREFUSED');
  });

  test('a mail arrives once and unchanged', async () => {
    await overSmtp(smtp.url)(letter());
    expect(smtp.deliveries).toHaveLength(1);
    const [{ recipients, mail, source } = { recipients: [], mail: undefined, source: '' }] = smtp.deliveries;
    expect(recipients).toEqual(['maya@northwind.example']);
    expect(mail).toMatchObject({
      from: { name: 'Portico', address: 'portico@localhost' },
      to: [{ address: 'maya@northwind.example' }],
      subject: 'Grüße',
      messageId: '<key.7@localhost>',
      date: '2026-03-02T09:00:00.000Z',
    });
    expect(mail?.text?.trim()).toBe('Hello Maya,\n.\nthat was a dot.');
    expect(mail?.html?.trim()).toBe('<p>Hello Maya</p>');
    expect(source).not.toMatch(/x-mailer/i);
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  test.for([
    'maya@northwind.example, evil@evil.example',
    'maya@northwind.example\r\nRCPT TO:<evil@evil.example>',
    'maya@northwind.example\nBcc: evil@evil.example',
    'evil@evil.example(maya@northwind.example)',
  ])('%j never reaches another address', async (address) => {
    await errorOf(overSmtp(smtp.url)(to(address)));
    const reached = smtp.deliveries.flatMap(({ recipients, mail }) => [
      ...recipients,
      ...[...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])].map(
        (mailbox) => mailbox.address ?? '',
      ),
    ]);
    expect(smtp.deliveries.every(({ recipients }) => recipients.length === 1)).toBe(true);
    expect(reached).not.toContain('evil@evil.example');
    expect(smtp.deliveries.every(({ source }) => !/^(bcc|rcpt)/im.test(source))).toBe(true);
  });

  test.for(['Hello\r\nBcc: evil@evil.example', 'Hello\nX-Evil: 1\n\nbody', 'a\u2028Bcc: evil@evil.example'])(
    'subject %j adds no header',
    async (subject) => {
      await overSmtp(smtp.url)(
        letter({ subject, from: { name: `x${subject}`, address: 'portico@localhost' } }),
      );
      const [delivery] = smtp.deliveries;
      expect(delivery?.recipients).toEqual(['maya@northwind.example']);
      expect(delivery?.mail.bcc ?? []).toEqual([]);
      expect(delivery?.mail.headers.map(({ key }) => key).toSorted()).toEqual(
        'auto-submitted content-language content-type date from message-id mime-version subject to'.split(
          ' ',
        ),
      );
    },
  );

  test.for<{
    step: 'recipient' | 'data' | 'login';
    code: number;
    text?: string;
    why: new (words: string) => Error;
  }>([
    { step: 'recipient', code: 550, why: GiveUp },
    { step: 'recipient', code: 550, text: '5.1.1 because of the weather', why: GiveUp },
    { step: 'recipient', code: 550, text: '5.7.1 because of the weather', why: Refused },
    { step: 'recipient', code: 450, why: Error },
    { step: 'data', code: 554, why: GiveUp },
    { step: 'data', code: 451, why: Error },
    { step: 'data', code: 421, why: Away },
    { step: 'login', code: 535, why: Away },
    { step: 'login', code: 454, why: Away },
  ])('$code to the $step means $why.name', async ({ step, code, text = 'because of the weather', why }) => {
    smtp.refusing[step] = { code, text };
    const url = step === 'login' ? smtp.url.replace('//', '//user:wrong@') : smtp.url;
    const error = await errorOf(overSmtp(url)(letter()));
    expect([Away, GiveUp, Refused].find((kind) => error instanceof kind) ?? Error).toBe(why);
    expect(error?.message).toContain('because of the weather');
    expect(smtp.deliveries).toEqual([]);
  });
});

describe('a mail server that hangs', () => {
  let server: Server;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });
  const limits = { connectionTimeout: 200, greetingTimeout: 200, socketTimeout: 200 };
  const hanging = async (answers: string[]) => {
    server = createServer((socket) => {
      sockets.push(socket);
      const queue = [...answers];
      const say = () => queue.length > 0 && socket.write(`${queue.shift()}\r\n`);
      say();
      socket.on('data', say);
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test.for([
    { after: 'the connection', answers: [] },
    { after: 'its greeting', answers: ['220 here'] },
    { after: 'the recipient', answers: ['220 here', '250 hello', '250 ok', '250 ok'] },
    { after: 'the mail', answers: ['220 here', '250 hello', '250 ok', '250 ok', '354 go on'] },
  ])('after $after is retried later', async ({ answers }) => {
    const started = performance.now();
    const error = await errorOf(overSmtp(await hanging(answers), limits)(letter()));
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(GiveUp);
    // The default timeouts are at least ten seconds.
    expect(performance.now() - started).toBeLessThan(9000);
  });
});

describe('into a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'portico-mails-')), 'outbox');
  });
  afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));
  const parsed = (name: string) => PostalMime.parse(readFileSync(path.join(folder, name)));

  test('a mail is a file that any mail program opens', async () => {
    await intoFolder(folder)(letter());
    const names = readdirSync(folder);
    expect(names).toEqual(['2026-03-02T09-00-00.123Z-00000007.eml']);
    const mail = await parsed(names[0] ?? '');
    expect(mail).toMatchObject({ subject: 'Grüße', to: [{ address: 'maya@northwind.example' }] });
    expect(mail.text?.trim().replaceAll('\r\n', '\n')).toBe('Hello Maya,\n.\nthat was a dot.');
    const source = readFileSync(path.join(folder, names[0] ?? ''), 'latin1');
    expect(source.replaceAll('\r\n', '')).not.toContain('\n');
    expect(source).toMatch(/^[\0-\x7f]*$/);
  });

  test('the names of the files sort in the order of sending', async () => {
    const send = intoFolder(folder);
    const times = ['2026-03-02T09:00:00.123Z', '2026-03-02T09:00:00.124Z', '2026-03-02T10:00:00.000Z'];
    for (const [at, time] of [times[0], times[0], times[1], times[2]].entries())
      await send(letter({ date: new Date(time ?? ''), number: at + 9, subject: `${at}` }));
    const mails = await Promise.all(readdirSync(folder).toSorted().map(parsed));
    expect(mails.map(({ subject }) => subject)).toEqual(['0', '1', '2', '3']);
  });

  test('a mail that is sent several times is one file, and no partial file is left', async () => {
    const send = intoFolder(folder);
    await Promise.all([send(letter()), send(letter()), send(letter())]);
    expect(readdirSync(folder)).toEqual(['2026-03-02T09-00-00.123Z-00000007.eml']);
  });

  test('only the portal’s own user may read it', async () => {
    await intoFolder(folder)(letter());
    const modes = [folder, path.join(folder, readdirSync(folder)[0] ?? '')].map(
      (file) => statSync(file).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600]);
  });

  test.for(['../evil', '<../../evil.1@x>', ''])(
    'a message id like %j stays inside the folder',
    async (messageId) => {
      await intoFolder(folder)(letter({ messageId }));
      expect(readdirSync(path.dirname(folder))).toEqual(['outbox']);
      expect(readdirSync(folder)[0]).toBe('2026-03-02T09-00-00.123Z-00000007.eml');
    },
  );
});
