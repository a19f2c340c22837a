import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { noticeLane } from '#server/applications/jobs.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import { createMetrics } from '#server/metrics.ts';
import { reporting } from './processes.ts';
import { reportChecks } from './checks.ts';
import { readConfig } from '#server/config.ts';
import { openStorage } from '#server/storage/open.ts';
import { registerApplication } from '#server/testing/applications.ts';
import { act, acted, linesOf } from '#server/testing/operator.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
const ofMachine = /^(. (disk|clock|locations):|Nothing needs a hand)/;
const status = async () => (await linesOf(app.deps, 'status')).filter((line) => !ofMachine.test(line));

/** The checks as a process reports them, whatever it did itself. */
async function reported() {
  const metrics = createMetrics();
  reportChecks({ ...app.deps, metrics });
  const lines = (await metrics.text()).split('\n').filter((line) => /^portico_(check|backup)/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('mails, sign-outs and jobs that fail show since when and why, the same in each process, until they succeed', async () => {
  const { id } = await registerApplication(app, { name: 'Sign' });
  const since = app.clock.now().toISOString();
  const add = (kind: string, lane: string) => enqueueAlone(app.deps, { kind, payload: { a: 1 }, lane });
  await add('mail', 'mail:a');
  await add('mail', 'mail:b');
  await add('sign-out', noticeLane(id));
  await add('note', 'note');
  const away = () => Promise.reject(new Error('connect ECONNREFUSED'));
  const handlers = { mail: away, 'sign-out': away, note: () => Promise.reject(new GiveUp('no such file')) };
  await runDueJobs(app.deps, handlers);
  app.clock.forward(5 * MINUTE_MS);
  expect((await status()).filter((line) => !line.includes('given up'))).toEqual([]);
  for (let tries = 0; tries < 3; tries += 1) {
    await runDueJobs(app.deps, handlers);
    app.clock.forward(SECOND_MS);
    const lines = await status();
    expect(lines).toEqual([
      `! mails: 2 mail jobs wait: connect ECONNREFUSED since ${since} → mails test <address>`,
      `! sign-outs: 1 sign-out job to Sign waits: connect ECONNREFUSED since ${since} → applications list`,
      `! given up: 1 note job was given up: no such file since ${since} → retry all`,
    ]);
    const figures = await reported();
    expect(figures).toEqual(await reported());
    expect(figures.get('portico_check{check="mails"}')).toBe(1);
    expect(figures.get('portico_check_seconds{check="mails"}')).toBe(300 + tries + 1);
    expect(figures.get('portico_check{check="webhooks"}')).toBe(0);
  }
  expect(await act(app.deps, 'status')).toMatchObject({ isFailure: true });
  const failing = expect.stringMatching(
    new RegExp(`^\\d+  mail  fails since ${since}, is tried again  connect ECONNREFUSED$`),
  ) as string;
  expect((await linesOf(app.deps, 'jobs')).filter((line) => line.includes('mail'))).toEqual([
    failing,
    failing,
    '2 mail jobs wait, the oldest for 303 s',
  ]);

  app.clock.forward(DAY_MS);
  const fine = () => Promise.resolve();
  await acted(app.deps, 'retry', { job: 'all' });
  await runDueJobs(app.deps, { mail: fine, 'sign-out': fine, note: fine });
  expect(await status()).toEqual([]);
});

test('a site that was not backed up for a week needs a backup', async () => {
  await acted(app.deps, 'keys rotate');
  app.clock.forward(7 * DAY_MS + 1000);
  expect((await reported()).get('portico_backup_age_seconds')).toBe((7 * DAY_MS) / 1000 + 1);
  expect(await status()).toEqual([expect.stringMatching(/^! backup: there was no backup for a week since /)]);
  await acted(app.deps, 'backup', { file: '/backups/a.tar.gz' });
  expect(await status()).toEqual([]);
});

test('a test mail tells what became of it', async () => {
  const input = { to: 'ann@northwind.example' };
  expect(await linesOf(app.deps, 'mails test', input)).toEqual([
    expect.stringMatching(/^It is in .*outbox\.$/),
  ]);
  const config = { ...app.deps.config, smtpUrl: new URL('smtp://127.0.0.1:1') };
  expect(await act({ ...app.deps, config }, 'mails test', input)).toMatchObject({
    lines: [expect.stringMatching(/^It was not sent: .*ECONNREFUSED/)],
    isFailure: true,
  });
});

/** A server with one bucket in memory, which does not exist yet. */
const files = new Map<string, Buffer>();
let hasBucket = false;
const s3 = createServer((request, response) => {
  void (async () => {
    const { method, url = '' } = request;
    const body = await buffer(request);
    const end = (status: number, answer: string | Buffer = '') => response.writeHead(status).end(answer);
    if (!hasBucket) return end(404, '<Error><Code>NoSuchBucket</Code></Error>');
    if (method === 'PUT') files.set(url, body);
    if (method === 'DELETE') return end(files.delete(url) ? 204 : 404);
    const found = files.get(url);
    return found ? end(200, found) : end(404, '<Error><Code>NoSuchKey</Code></Error>');
  })();
});
afterAll(() => s3.close());

test('a bucket is tried at the start and each minute while it fails, and a command tells why', async () => {
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(s3.address() as AddressInfo).port}`;
  const { storage } = readConfig({ STORAGE_URL: `s3://KEY:hunter2@${host}/pictures/live?tls=0` });
  const config = { ...app.deps.config, storage };
  const deps = { ...app.deps, config, storage: openStorage(config) };
  const { report } = reporting(deps);
  const storageLines = async () => (await status()).filter((line) => line.includes(' storage: '));
  const since = app.clock.now().toISOString();
  const name = `${hostname()}:${config.port}`;
  const problem = 'the image bucket: PUT was answered 404 NoSuchBucket';
  await report();
  app.clock.forward(MINUTE_MS);
  await report();
  expect(await storageLines()).toEqual([`! storage: ${problem}, at ${name} since ${since} → storage test`]);
  expect((await reported()).get('portico_check{check="storage"}')).toBe(1);
  expect(
    app.logLines.filter((line) => line.includes('STORAGE_URL: the bucket can not be used')),
  ).toHaveLength(1);
  expect(await act(deps, 'storage test')).toMatchObject({
    lines: [`It does not work: http://${host}/pictures/live/: ${problem}`],
    isFailure: true,
  });

  hasBucket = true;
  await report();
  expect(await storageLines()).toEqual([]);
  expect(await act(deps, 'storage test')).toMatchObject({
    lines: [`It works: http://${host}/pictures/live/`],
    isFailure: false,
  });
  expect(files.size).toBe(0);
  expect(app.logLines.join()).not.toContain('hunter2');
});

test('processes tell what they run and show, until they end', async () => {
  const { deps } = app;
  const config = { ...deps.config, port: 1 };
  const other = reporting({ ...deps, config, brands: { ...deps.brands, shown: () => 'Northwind' } });
  const [one, two] = [`${hostname()}:${deps.config.port}`, `${hostname()}:1`];
  const shown = async () => (await status()).filter((line) => /brand|processes/.test(line));
  const own = reporting(deps);
  await own.report();
  const since = app.clock.now().toISOString();
  for (let minute = 0; minute < 6; minute += 1) {
    app.clock.forward(MINUTE_MS);
    await Promise.all([own.report(), other.report()]);
  }
  const from = new Date(new Date(since).getTime() + MINUTE_MS).toISOString();
  expect(await shown()).toEqual([
    expect.stringMatching(`brand: processes show .* since ${from}`),
    expect.stringMatching(`^- processes: .* at ${two} and ${one} since ${from}$`),
  ]);
  expect((await shown())[0]).toMatch(/^- brand: /);
  app.clock.forward(1);
  expect((await shown())[0]).toMatch(/^! brand: /);
  expect((await reported()).get('portico_check{check="brand"}')).toBe(1);
  await own.end();
  await own.report();
  expect(await shown()).toEqual([expect.stringMatching(`^- processes: \\S+ at ${two} since `)]);
  app.clock.forward(3 * MINUTE_MS);
  expect(await shown()).toEqual([]);
});
