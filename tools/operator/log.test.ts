import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { colleague, deactivate, founder, twoStepPerson } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import type { Options } from './command.ts';
import { commands } from './commands.ts';
import { FreshInstallation } from './testing/fresh-installation.ts';

const namesOf = (kind: 'looksUp' | 'changes' | 'alone') =>
  Object.entries(commands)
    .filter(([, { run }]) => kind in run)
    .map(([name]) => name);

describe('acts of operators', () => {
  const app = useApp({ RATE_LIMIT_FACTOR: '100' });
  type Entry = Readonly<Record<'at' | 'action' | 'operator' | 'organization', string>>;

  const change = (name: string, args: readonly string[], options: Options = {}) => {
    const run = commands[name]?.run;
    if (!run || !('changes' in run)) throw new Error(`${name} changes nothing`);
    return run.changes(app.deps, args, options);
  };
  const log = async (options: Options = {}) => {
    const run = commands['log']?.run;
    if (!run || !('looksUp' in run)) throw new Error('log changes something');
    const { lines, data } = await run.looksUp(app.deps, [], options);
    return { lines, actions: (data as Entry[]).map(({ action }) => action) };
  };

  test('every command that changes something writes one act, which the log lists and filters', async () => {
    const maya = await founder(app);
    const emil = await colleague(app, maya);
    const person = await twoStepPerson(app);
    const { id: jobId } = await app.deps.sql
      .insertInto('jobs')
      .values({
        kind: 'note',
        payload: { name: 'x' },
        run_at: app.clock.now(),
        created_at: app.clock.now(),
        failed_at: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const [words, sign] = [String(person.id), { name: 'Sign', redirect: ['https://sign.example/callback'] }];
    const steps: readonly (readonly [name: string, args: readonly string[], options?: Options])[] = [
      ['restore-account', [words]],
      ['restrict', [words], { until: '2199-01-01' }],
      ['lift', [words]],
      ['end-sessions', [words]],
      ['reset-second-steps', [words]],
      ['make-super-admin', [String(emil.id), maya.urlName]],
      ['retry', [String(jobId)]],
      ['applications add', [], sign],
      ['applications edit', ['Sign'], { description: 'Contracts' }],
      ['applications rotate-secret', ['Sign']],
      ['applications pause', ['Sign']],
      ['applications resume', ['Sign']],
      ['applications remove', ['Sign']],
      ['webhooks add', ['https://sign.example/events'], { event: ['person.changed', 'sessions.ended'] }],
      ['webhooks test', ['https://sign.example/events']],
      ['webhooks rotate-secret', ['https://sign.example/events']],
      ['webhooks pause', ['https://sign.example/events']],
      ['webhooks resume', ['https://sign.example/events']],
      ['webhooks remove', ['https://sign.example/events']],
      ['keys rotate', []],
      ['settle', ['the archive']],
    ];
    expect(steps.map(([name]) => name).toSorted()).toEqual(namesOf('changes').toSorted());
    await deactivate(app, person);
    const written: string[] = [];
    for (const [name, args, options] of steps) {
      await change(name, args, options);
      written.unshift(name === 'settle' ? 'restore' : name);
      expect((await log()).actions).toEqual(written);
    }

    const start = app.clock.now().toISOString();
    app.clock.forward(1000);
    await change('restrict', [words], { until: '2199-01-01' });
    const { lines } = await log({ limit: '1' });
    expect(lines[0]).toMatch(new RegExp(`^${app.clock.now().toISOString()}  \\S+  restrict  ${words} `));
    expect(lines).toContain('    restricted until: (none) → 2199-01-01T00:00:00.000Z');
    for (const [options, actions] of [
      [{ limit: '2' }, ['restrict', 'restore']],
      [{ action: 'restrict' }, ['restrict', 'restrict']],
      [{ person: person.email, action: 'lift' }, ['lift']],
      [{ person: String(emil.id) }, ['make-super-admin']],
      [{ organization: maya.urlName }, ['make-super-admin']],
      [{ since: app.clock.now().toISOString() }, ['restrict']],
      [{ since: start, until: app.clock.now().toISOString() }, written],
    ] as const)
      expect([options, (await log(options)).actions]).toEqual([options, actions]);
    expect((await log({ person: '5' })).lines).toEqual(['No act matches.']);
    for (const limit of ['0', '1.5', '10001']) await expect(log({ limit })).rejects.toThrow('--limit takes');
  });
});

describe('looking things up', () => {
  let site: FreshInstallation;
  beforeAll(async () => {
    site = await FreshInstallation.make();
  }, 60_000);
  afterAll(() => site.remove());

  test('is what these commands do', () => {
    expect(namesOf('looksUp')).toEqual([
      'find',
      'subscribers',
      'log',
      'verify',
      'jobs',
      'applications list',
      'applications show',
      'webhooks list',
      'keys list',
    ]);
    expect(namesOf('alone')).toEqual(['backup', 'restore']);
  });

  test('never migrates the database, and says that it is of another release', async () => {
    const query = (text: string) =>
      site.withDatabase((database) => database.exclusively((script) => script(text)));
    const names = async () =>
      (await query('select name from migrations order by name')).map(({ name }) => name);
    const applied = await names();
    const last = String(applied.at(-1));

    await query(`update migrations set name = '9999_newer.sql' where name = '${last}'`);
    const before = await names();
    const older = await site.run('find', 'maya');
    expect([older.code, older.errors]).toEqual([
      1,
      expect.stringContaining(`the database is of an older release: it lacks ${last}`),
    ]);
    expect(await names()).toEqual(before);

    await query(`update migrations set name = '${last}' where name = '9999_newer.sql'`);
    await query(`insert into migrations (name, checksum) values ('9999_newer.sql', '')`);
    expect(await site.run('log')).toEqual({
      code: 0,
      out: 'No act matches.',
      errors: expect.stringContaining('The database is of a newer release') as string,
    });
    await query(`update migrations set needs = '9999' where name = '9999_newer.sql'`);
    const newer = await site.run('log');
    expect([newer.code, newer.errors]).toEqual([
      1,
      expect.stringContaining('the database is ahead of this release'),
    ]);
    expect(await names()).toEqual([...applied, '9999_newer.sql']);
  });
});
