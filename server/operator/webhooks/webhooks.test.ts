import { expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import type { ActName } from '#contract/operator/acts.ts';
import { addressText } from '#words/address.ts';
import { refusalText } from '#words/refusal.ts';
import { act, acted, linesOf } from '#server/testing/operator.ts';
import { confirmed } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { deliverDue, startReceiver } from '#server/testing/webhooks.ts';

const app = useApp();
const told = (name: ActName, input?: Record<string, unknown>) => linesOf(app.deps, name, input);

test('a webhook of the suite is added, receives a test event, gets a new secret, pauses and is removed', async () => {
  const receiver = await startReceiver();
  const { url: webhook } = receiver;
  const event = ['person.changed', 'role.created'];
  const { secret } = await acted<{ secret: string }>(app.deps, 'webhooks add', { url: webhook, event });
  expect(await told('webhooks list')).toEqual([`${webhook}  on  person.changed, role.created`]);
  expect(await told('webhooks test', { webhook })).toEqual([
    expect.stringMatching(/^It answered with 204 after \d+ ms\.$/),
  ]);
  expect(receiver.events()).toMatchObject([{ type: 'test', data: {} }]);
  const rotated = await acted<{ secret: string }>(app.deps, 'webhooks rotate-secret', { webhook });
  expect(rotated.secret).not.toBe(secret);
  await acted(app.deps, 'webhooks pause', { webhook });
  expect(await told('webhooks list')).toEqual([`${webhook}  paused  person.changed, role.created`]);
  await acted(app.deps, 'webhooks resume', { webhook });
  await acted(app.deps, 'webhooks remove', { webhook });
  expect(await told('webhooks list')).toEqual(['There is none.']);
  receiver.close();
});

test('a webhook that fails is listed with the reason and its waiting events, and a test tells the reason', async () => {
  const receiver = await startReceiver();
  receiver.answerWith({ status: 500 });
  const { url: webhook } = receiver;
  await acted(app.deps, 'webhooks add', { url: webhook, event: ['sessions.ended'] });
  await acted(app.deps, 'end-sessions', { person: String((await confirmed(app)).id) });
  await deliverDue(app);
  const now = app.clock.now().toISOString();
  expect(await told('webhooks list')).toEqual([
    `${webhook}  failing since ${now}  sessions.ended  1 event waits  answered with 500`,
  ]);
  const answer = await act(app.deps, 'webhooks test', { webhook });
  expect(answer).toMatchObject({ lines: ['It answered with 500.'], isFailure: true });
  receiver.answerWith({ status: 410 });
  app.clock.forward(MINUTE_MS);
  await deliverDue(app);
  expect(await told('webhooks list')).toEqual([
    expect.stringMatching(/ {2}switched off at \S+ {2}sessions\.ended {2}answered with 410$/),
  ]);
  await acted(app.deps, 'webhooks remove', { webhook });
  receiver.close();
});

test.for<[name: ActName, input: Record<string, unknown>, message: string]>([
  ['webhooks add', { url: 'http://sign.example/' }, `http://sign.example/: ${addressText.scheme}`],
  [
    'webhooks add',
    { url: 'https://sign.example/', event: ['person.born'] },
    '--event person.born: takes member.invited',
  ],
  ['webhooks pause', { webhook: 'https://unknown.example/' }, 'This webhook was not found.'],
])('%s %j is refused', async ([name, input, message]) => {
  expect(await told(name, input)).toEqual([expect.stringContaining(message)]);
});

test('a webhook takes its waiting events along', async () => {
  const receiver = await startReceiver();
  receiver.answerWith({ status: 500 });
  await acted(app.deps, 'webhooks add', { url: receiver.url, event: ['sessions.ended'] });
  await acted(app.deps, 'end-sessions', { person: String((await confirmed(app)).id) });
  await deliverDue(app);
  const waiting = async () =>
    (await listRows(app, 'jobs', ['done_at'], { kind: 'webhook' })).filter((job) => job.done_at === null);
  expect(await waiting()).toHaveLength(1);
  await acted(app.deps, 'webhooks remove', { webhook: receiver.url });
  expect(await waiting()).toEqual([]);
  receiver.close();
});

test('an address is taken once', async () => {
  const input = { url: 'https://twice.example/' };
  await acted(app.deps, 'webhooks add', input);
  expect(await told('webhooks add', input)).toEqual([refusalText.webhookTaken]);
});
