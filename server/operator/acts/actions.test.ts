import { describe, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { actNamed, type ActName, acts } from '#contract/operator/acts.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import { mayRun } from './actions.ts';
import { moved } from '#server/testing/addresses.ts';
import { addPasskey } from '#server/testing/authenticator.ts';
import { act, acted, linesOf } from '#server/testing/operator.ts';
import { colleague, deactivate, founder, twoStepPerson } from '#server/testing/people.ts';
import { insertRow, updateRows } from '#server/testing/rows.ts';
import { startReceiver } from '#server/testing/webhooks.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
type Input = Record<string, unknown>;
const names = Object.keys(acts) as ActName[];

test('each act may be done by its level and those above', () => {
  const may = (level: 'support' | 'full' | 'machine') =>
    names.filter((name) => mayRun(level, actNamed(name)));
  expect(may('support')).toEqual(names.filter((name) => acts[name].level === 'support'));
  expect(may('full')).toEqual(names.filter((name) => acts[name].level !== 'machine'));
  expect(may('machine')).toEqual(names);
});

describe('each change leaves one row, which the log lists and filters', () => {
  const log = async (input: Input = {}) =>
    (await acted<{ action: string }[]>(app.deps, 'log', input)).map(({ action }) => action);

  test('in its transaction', async () => {
    const maya = await founder(app);
    await addPasskey(maya.visitor, app.url);
    const emil = await colleague(app, maya);
    const person = await twoStepPerson(app);
    await enqueueAlone(app.deps, { kind: 'note', payload: { a: 1 } });
    await runDueJobs(app.deps, { note: () => Promise.reject(new GiveUp('no')) });
    const former = person.email;
    await moved(app, person);
    const [who, sign] = [{ person: String(person.id) }, { application: 'Sign' }];
    await insertRow(app, 'company_domains', {
      org_id: maya.orgId,
      domain: 'northwind.example',
      token: 't',
      proven_at: app.clock.now(),
      created_at: app.clock.now(),
    });
    const rule = { company_rule: 'everybody', company_rule_from: app.clock.now() } as const;
    await updateRows(app, 'organizations', { id: maya.orgId }, rule);
    const receiver = await startReceiver();
    const webhook = receiver.url;
    const steps: readonly (readonly [ActName, Input])[] = [
      ['restore-account', who],
      ['restrict', { ...who, until: '2199-01-01' }],
      ['lift', who],
      ['end-sessions', who],
      ['resend', { ...who, mail: 'reset' }],
      ['reset-second-steps', who],
      ['reset-password', who],
      ['restore-address', { ...who, address: former }],
      ['make-super-admin', { person: String(emil.id), organization: maya.urlName }],
      ['retry', { job: 'all' }],
      ['applications add', { name: 'Sign', redirect: ['https://sign.example/callback'] }],
      ['applications edit', { ...sign, description: 'Contracts' }],
      ['applications rotate-secret', sign],
      ['applications pause', sign],
      ['applications resume', sign],
      ['applications remove', sign],
      ['webhooks add', { url: webhook, event: ['person.changed', 'sessions.ended'] }],
      ['webhooks test', { webhook }],
      ['webhooks rotate-secret', { webhook }],
      ['webhooks pause', { webhook }],
      ['webhooks resume', { webhook }],
      ['webhooks remove', { webhook }],
      ['company release-domain', { domain: 'northwind.example' }],
      ['company lift-rule', { organization: maya.urlName }],
      ['keys rotate', {}],
      ['operators add', { person: String(maya.id), level: 'support' }],
      ['operators remove', { person: String(maya.id) }],
      ['mails test', { to: 'ann@northwind.example' }],
      ['backup', { file: '/backups/a.tar.gz' }],
      ['restore', { file: '/backups/a.tar.gz' }],
      ['settle', { from: 'the archive' }],
    ];
    expect(new Set(steps.map(([name]) => name))).toEqual(new Set(names.filter((name) => actNamed(name).row)));
    await deactivate(app, person);
    const written: string[] = [];
    for (const [name, input] of steps) {
      expect(await act(app.deps, name, { ...input, reason: 'no' })).toBeInstanceOf(Refusal);
      await acted(app.deps, name, input);
      written.unshift(name);
      expect(await log()).toEqual(written);
    }

    receiver.close();
    const start = app.clock.now().toISOString();
    app.clock.forward(1000);
    const now = app.clock.now().toISOString();
    await acted(app.deps, 'restrict', { ...who, until: '2199-01-01', reason: 'Asked by phone' });
    const newest = await act(app.deps, 'log', { limit: '1' });
    expect('lines' in newest && newest.lines).toEqual([
      expect.stringMatching(new RegExp(`^${now}  root  restrict  ${person.id} `)),
      '    reason: Asked by phone',
      '    restricted until: (none) → 2199-01-01T00:00:00.000Z',
    ]);
    for (const [input, actions] of [
      [{ limit: '2' }, ['restrict', 'settle']],
      [{ action: 'restrict' }, ['restrict', 'restrict']],
      [{ person: former, action: 'lift' }, ['lift']],
      [{ person: String(emil.id) }, ['make-super-admin']],
      [{ organization: maya.urlName }, ['company lift-rule', 'company release-domain', 'make-super-admin']],
      [{ since: now }, ['restrict']],
      [{ since: start, until: now }, written],
      [{ person: '5' }, []],
    ] as const)
      expect([input, await log(input)]).toEqual([input, actions]);
  });
});

const MOMENT = 'takes a day or a time in UTC, such as 2026-12-24 or 2026-12-24T18:00:00Z';
test.for<[name: string, input: Input, sentence: string]>([
  ['fly', {}, 'There is no act "fly".'],
  ['constructor', {}, 'There is no act "constructor".'],
  [
    'find',
    { words: 'Nobody' },
    'Nobody fits "Nobody", as an id, a whole address or the beginning of a name.',
  ],
  ['find', { words: 'a', quickly: true }, 'It takes no quickly.'],
  ['lift', { person: 'Nobody' }, 'Nobody fits "Nobody"'],
  ['restrict', { person: '1', until: 'soon' }, `--until soon: ${MOMENT}`],
  ['restrict', { person: '1', until: '2027-02-31' }, `--until 2027-02-31: ${MOMENT}`],
  ['restrict', { person: '1', until: '2027-02-28T25:00:00Z' }, `--until 2027-02-28T25:00:00Z: ${MOMENT}`],
  ['restrict', { person: '1', reason: '   ' }, '--reason: takes at least three characters.'],
  ['restrict', { person: '1', reason: 'x'.repeat(201) }, 'takes at most 200 characters.'],
  ['retry', { job: 'some' }, 'some: takes the id of a job, or all.'],
  ['webhooks test', { webhook: 'https://unknown.example/' }, 'This webhook was not found.'],
  ['retry', { job: '999999' }, 'No such job was given up.'],
  ['subscribers', { type: 'news' }, 'No mails are called "news", but product-updates, product-offers, '],
  ['mails test', { to: 'ann' }, 'ann: is no address.'],
  ['log', { action: 'restric' }, '--action restric: There is no such command.'],
  ['verify', { chain: 'nothing' }, 'There is no chain "nothing".'],
  ['log', { limit: '0' }, '--limit 0: takes a whole number from 1 to 10000.'],
  ['log', { limit: '1.5' }, '--limit 1.5: takes a whole number from 1 to 10000.'],
  ['log', { limit: '10001' }, '--limit 10001: takes a whole number from 1 to 10000.'],
  ['log', { organization: 'nowhere' }, 'There is no organization "nowhere".'],
  ['keys rotate', { 'at-once': 'yes' }, '--at-once yes: '],
])('%s %j is refused', async ([name, input, sentence]) => {
  expect(await linesOf(app.deps, name, input)).toEqual([expect.stringContaining(sentence)]);
});
