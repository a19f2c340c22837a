import { expect, test } from 'vitest';
import { noticeLane } from '#server/applications/jobs.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import { createMetrics } from '#server/metrics.ts';
import { reportChecks } from '#server/operator/site/checks.ts';
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
