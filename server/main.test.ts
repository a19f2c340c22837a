import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { getPriority } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { openDatabase } from '#server/db/connect.ts';
import { PASSWORD } from '#server/testing/people.ts';
import { newDataDir, patient, type Portal, startPortal } from '#server/testing/portal.ts';
import { freePort } from '#server/testing/ports.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';

const portals: Portal[] = [];
const folders: string[] = [];
const start = async (environment: Record<string, string>) => {
  const portal = await startPortal(environment);
  portals.push(portal);
  return portal;
};
const emptyDir = () => {
  const folder = newDataDir();
  folders.push(folder);
  return folder;
};
/** A data folder with a database, because creating one takes most of a first start. */
const template = newDataDir();
const dataDir = () => {
  const folder = emptyDir();
  cpSync(template, folder, { recursive: true });
  return folder;
};
beforeAll(async () => {
  const portal = await startPortal({ DATA_DIR: template });
  await portal.ready();
  portal.kill('SIGTERM');
  await portal.ended;
}, patient.timeout);
afterAll(() => rmSync(template, { recursive: true, force: true }));
afterEach(async () => {
  for (const { kill, ended } of portals.splice(0)) {
    kill('SIGKILL');
    await ended;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A portal reports its start as an overload for half a second. */
const isReady = async ({ url }: Portal) => (await fetch(`${url}/readyz`)).status === 200;
const account = { emailId: 'maya@northwind.example', password: PASSWORD, timezone: 'UTC' };

describe('the process', patient, () => {
  /** How far the threads that hash stand behind the answering thread. */
  const hashPriorities = (pid: number) => {
    if (process.platform !== 'linux') return [Math.min(5, 19 - getPriority(pid))];
    const tasks = `/proc/${pid}/task`;
    const ofPool = readdirSync(tasks).filter(
      (thread) => readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim() === 'libuv-worker',
    );
    return [...new Set(ofPool.map((thread) => getPriority(Number(thread)) - getPriority(pid)))];
  };

  test('prints its address, the mails and how to sign up, and keeps its port, its data and its priority', async () => {
    const folder = path.join(emptyDir(), 'data');
    const portal = await start({ DATA_DIR: folder });
    await portal.ready();
    expect(portal.out().trim().split('\n')).toEqual([
      `${PRODUCT_NAME} is ready at ${portal.url}`,
      `Mails can be read at ${portal.url}/outbox`,
      expect.stringMatching(/^Nobody is here yet: sign up at .*\/signup, or .* `npm run seed`/),
    ]);
    await expect.poll(() => isReady(portal)).toBe(true);
    expect(hashPriorities(portal.pid)).toEqual([Math.min(5, 19 - getPriority(portal.pid))]);

    const visitor = new Visitor(portal.url);
    responseOf(await visitor.post('/api/signup', account));
    const outbox = () => fetch(`${portal.url}/outbox`).then((page) => page.text());
    await expect.poll(outbox, { timeout: 30_000 }).toContain('Confirm your email address');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, 'secret')).mode & 0o777).toBe(0o600);
    // A job of the first round writes the anchors of the activity log.
    const files = () => readdirSync(folder).toSorted();
    const ofOperator = ['operator.sock', 'operator.token'];
    await expect
      .poll(files)
      .toEqual(['anchors', 'database', 'lock', ...ofOperator, 'outbox', 'pid', 'secret']);

    const second = await start({ DATA_DIR: dataDir(), PORT: String(portal.port) });
    expect(await second.ended).toBe(1);
    expect(second.errors()).toBe(`PORT: got ${portal.port}, takes one that no other process listens on\n`);
  });

  test('ends with one line per variable if the environment is wrong', async () => {
    const portal = await start({
      DATA_DIR: emptyDir(),
      PORT: 'seventy',
      PUBLIC_URL: 'http://accounts.example.com',
      SMTP_URL: 'smtp.example.com',
      SESSION_IDLE_HOURS: '0',
      TRUSTED_PROXIES: '10.0.0.0/99',
    });
    expect(await portal.ended).toBe(78);
    const lines = portal.errors().trim().split('\n');
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'PUBLIC_URL',
      'SMTP_URL',
      'TRUSTED_PROXIES',
      'SESSION_IDLE_HOURS',
    ]);
    expect(lines[0]).toBe('PORT: got "seventy", takes a whole number from 1 to 65535');
    expect(portal.out()).toBe('');
  });

  test('ends with one line for good if the tables or the key are of another installation', async () => {
    const folder = dataDir();
    const first = await start({ DATA_DIR: folder });
    await first.ready();
    first.kill('SIGTERM');
    await first.ended;
    const change = async (checksum: string) => {
      const database = await openDatabase({ databaseUrl: null, dataDir: folder });
      const set = `update migrations set checksum = ${checksum}`;
      await database.exclusively((script) => script(set));
      await database.close();
    };
    await change('reverse(checksum)');
    const other = await start({ DATA_DIR: folder });
    expect(await other.ended).toBe(78);
    expect(other.errors()).toMatch(/^the database is of release .+\n$/);
    await change('reverse(checksum)');
    rmSync(path.join(folder, 'secret'));
    const second = await start({ DATA_DIR: folder });
    expect(await second.ended).toBe(78);
    expect(second.errors()).toMatch(
      /^SECRET_KEY: got another key than this database was made with, takes .+\n$/,
    );
  });

  test('ends at once if another process uses its folder, and names that process', async () => {
    const folder = emptyDir();
    const first = await start({ DATA_DIR: folder });
    const refusal = `${folder} is in use by process ${first.pid}. Stop it first, or give this one its own DATA_DIR.\n`;
    // Once while the first process creates its database, and once when it is ready.
    await expect.poll(() => readdirSync(folder).length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(1);
    for (const settled of [() => undefined, first.ready]) {
      await settled();
      const began = performance.now();
      const second = await start({ DATA_DIR: folder });
      expect(await second.ended).toBe(1);
      expect(performance.now() - began).toBeLessThan(30_000);
      expect(second.errors()).toBe(refusal);
      expect(second.out()).toBe('');
    }
    await expect.poll(() => isReady(first)).toBe(true);
  });
});

describe('a signal', patient, () => {
  /** A sign-up without its body, on a keep-alive connection. */
  const halfSent = async ({ port }: Portal) => {
    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify(account);
    socket.write(
      `POST /api/signup HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nConnection: keep-alive\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('100 Continue');
    return { socket, body };
  };
  const isOpen = ({ url }: Portal) =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );

  test('SIGTERM and SIGINT, even three, let running requests finish and then stop the process', async () => {
    const portal = await start({ DATA_DIR: dataDir() });
    await portal.ready();
    const { socket, body } = await halfSent(portal);
    const began = performance.now();
    portal.kill('SIGINT');
    portal.kill('SIGTERM');
    await expect.poll(() => isOpen(portal), { timeout: 30_000 }).toBe(false);
    portal.kill('SIGINT');
    socket.write(body);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(await portal.ended).toBe(0);
    // A stop cuts requests off after five seconds.
    expect(performance.now() - began).toBeLessThan(5000);
    expect(portal.errors()).toBe('');
  });

  test('SIGTERM drains the process, which still answers; Ctrl-C then stops it at once', async () => {
    const portal = await start({ DATA_DIR: dataDir(), DRAIN_SECONDS: '600', SMTP_URL: 'smtp://127.0.0.1:1' });
    await portal.ready();
    await expect.poll(portal.errors, patient).toContain('SMTP_URL: the mail server can not be used');
    const statusOf = async (path: string) => (await fetch(portal.url + path)).status;
    await expect.poll(() => isReady(portal)).toBe(true);
    portal.kill('SIGTERM');
    await expect.poll(() => statusOf('/readyz'), { timeout: 30_000 }).toBe(503);
    expect(await statusOf('/healthz')).toBe(200);
    responseOf(await new Visitor(portal.url).post('/api/signup', account));
    portal.kill('SIGTERM');
    expect(await statusOf('/api/ustat')).toBe(200);
    portal.kill('SIGINT');
    expect(await portal.ended).toBe(0);
    expect(await isOpen(portal)).toBe(false);
  });

  test('a stop takes seconds, even if an upload never ends and a mail server never answers', async () => {
    // After a greeting, a mailer waits twice as long for the next reply.
    const silent = createServer((mailer) => mailer.on('error', () => undefined).write('220 here\r\n'));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const portal = await start({ DATA_DIR: dataDir(), SMTP_URL: `smtp://127.0.0.1:${port}` });
    await portal.ready();
    const { socket } = await halfSent(portal);
    socket.on('error', () => undefined);
    const delivery = once(silent, 'connection');
    responseOf(await new Visitor(portal.url).post('/api/signup', account));
    await delivery;
    const began = performance.now();
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
    socket.destroy();
    silent.close();
  });
});

describe('kill -9', patient, () => {
  // Once, because the drill kills it fifty times.
  test('during writes never loses an acknowledged write', async () => {
    const settings = { DATA_DIR: dataDir(), PORT: String(await freePort()) };
    const portal = await start(settings);
    await portal.ready();
    const visitor = new Visitor(portal.url);
    responseOf(await visitor.post('/api/signup', account));
    let acknowledged = 0;
    // Kill only after the first acknowledged write, however slow the machine is.
    let killed: Promise<boolean> | undefined;
    for (;;) {
      const name = `Maya ${acknowledged + 1}`;
      const answer = await visitor.put('/api/user', { first_name: name }).catch(() => undefined);
      if (!answer) break;
      expect(responseOf<{ first_name: string }>(answer).first_name).toBe(name);
      acknowledged += 1;
      killed ??= pause(randomInt(5, 250)).then(() => portal.kill('SIGKILL'));
    }
    await killed;
    expect(await portal.ended).toBe('SIGKILL');

    await (await start(settings)).ready();
    const user = responseOf<{ first_name: string }>(await visitor.get('/api/user'));
    // The write under way at the kill may or may not have been committed.
    expect([acknowledged, acknowledged + 1]).toContain(Number(user.first_name.split(' ')[1]));
  });

  test('during the first start does not prevent the next one', async () => {
    const folder = emptyDir();
    const portal = await start({ DATA_DIR: folder });
    await pause(randomInt(200, 2500));
    portal.kill('SIGKILL');
    await portal.ended;
    const next = await start({ DATA_DIR: folder });
    await next.ready();
    responseOf(await new Visitor(next.url).post('/api/signup', account));
    expect(readdirSync(folder)).not.toContain('database.new');
  });
});
