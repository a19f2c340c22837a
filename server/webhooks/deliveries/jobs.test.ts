import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { seal } from '#server/keys.ts';
import { invitedId } from '#server/stand-in.ts';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { deleteRows, listRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import {
  addWebhook,
  type Heard,
  type Receiver,
  deliverDue,
  startReceiver,
  WEBHOOK_SECRET,
} from '#server/testing/webhooks.ts';
import { emptyEvents, sweepDeliveries } from './data.ts';

const OPERATOR = 'operator@northwind.example';
const app = useApp({ RATE_LIMIT_FACTOR: '100', SUPPORT_EMAIL: OPERATOR, ...lastingSessions });
let org: Company;
let boss: Worker;
let receiver: Receiver;
let webhookId: WebhookId;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  receiver = await startReceiver();
  ({ id: webhookId } = await org.newWebhook({ url: receiver.url }));
});
afterEach(async () => {
  receiver.close();
  await app.deps.sql.deleteFrom('webhooks').execute();
  await deleteRows(app, 'jobs', { kind: 'webhook' });
});

const rename = async (name: string) =>
  responseOf(await boss.visitor.put('/api/orgs', { org_id: org.orgId, name }));
const deliveries = () =>
  app.deps.sql
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute();
const webhook = () =>
  app.deps.sql.selectFrom('webhooks').selectAll().where('id', '=', webhookId).executeTakeFirstOrThrow();
const namesHeard = () =>
  receiver.events().map(({ data }) => (data['changes'] as { name?: [string, string] }).name?.[1]);

test('an event is delivered once, signed with the current and the former secret', async () => {
  const former = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  await app.deps.sql
    .updateTable('webhooks')
    .set({
      former_sealed_secret: seal(app.deps.keys, 'webhook', former),
      former_secret_ends_at: new Date(app.clock.now().getTime() + DAY_MS),
    })
    .execute();
  await rename('Southwind');
  await deliverDue(app);
  await deliverDue(app);
  const event = {
    type: 'organization.changed',
    timestamp: app.clock.now().toISOString(),
    data: { org_id: org.orgId, changes: { name: ['Northwind', 'Southwind'] } },
  };
  expect(receiver.events()).toEqual([event]);
  const { headers, body }: Pick<Heard, 'headers' | 'body'> = receiver.heard[0] ?? { headers: {}, body: '' };
  const moment = { ...headers, 'webhook-timestamp': headers['webhook-timestamp'] ?? '' };
  expect(headers['webhook-timestamp']).toBe(String(app.clock.now().getTime() / SECOND_MS));
  expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f-]{36}$/);
  for (const secret of [WEBHOOK_SECRET, former])
    expect(() => new Webhook(secret).verify(body, moment)).toThrow(/timestamp/);
  expect(headers['webhook-signature']?.split(' ')).toEqual(
    [WEBHOOK_SECRET, former].map((secret) =>
      new Webhook(secret).sign(headers['webhook-id'] ?? '', app.clock.now(), body),
    ),
  );
  expect(await deliveries()).toMatchObject([
    { status: 'delivered', attempts: 1, status_code: 204, error: null },
  ]);
});

test('events of one subject arrive in order, also after a failure', async () => {
  receiver.answerWith({ status: 500, text: 'no' });
  for (const name of ['B', 'C', 'D']) await rename(name);
  await deliverDue(app);
  expect(namesHeard()).toEqual(['B']);
  receiver.answerWith({});
  app.clock.forward(5 * SECOND_MS);
  await deliverDue(app);
  expect(namesHeard()).toEqual(['B', 'B', 'C', 'D']);
  expect((await webhook()).failing_since).toBeNull();
});

test('a failure is tried again, not before the time that the receiver asks for', async () => {
  receiver.answerWith({ status: 429, headers: { 'retry-after': '90' }, text: 'x'.repeat(2000) });
  await rename('Southwind');
  await deliverDue(app);
  const now = app.clock.now();
  const waiting = { status: 'waiting', error: 'answered with 429', first_failed_at: now };
  const nextTryAt = new Date(now.getTime() + 90 * SECOND_MS);
  expect(await deliveries()).toMatchObject([
    { ...waiting, next_try_at: nextTryAt, response: 'x'.repeat(1024) },
  ]);
  expect((await webhook()).failing_since).toEqual(now);
  receiver.close();
  app.clock.forward(90 * SECOND_MS);
  await deliverDue(app);
  expect(await deliveries()).toMatchObject([
    { ...waiting, attempts: 2, status_code: null, error: expect.stringContaining('ECONNREFUSED') as unknown },
  ]);
});

describe('a webhook is switched off', () => {
  const subjects = async () => (await app.mails(boss.email)).map(({ subject }) => subject);
  const off = 'A webhook of Northwind was switched off';

  test('at once by 410, with a row in the log and a mail to its Super Admins or the operator', async () => {
    receiver.answerWith({ status: 410 });
    await addWebhook(app, { url: `${receiver.url}/suite` });
    const { visitor } = boss;
    responseOf(await visitor.put('/api/orgs', { org_id: org.orgId, website: 'https://n.example' }));
    await deliverDue(app);
    expect((await webhook()).switched_off_at).toEqual(app.clock.now());
    const mail = (await app.mails(boss.email)).find(({ subject }) => subject === off);
    expect(mail?.text).toContain(`/organization/webhooks/${webhookId}?language=en\n`);
    expect((await activityOf(app, org.orgId))[0]?.information).toMatchObject({
      switched_off: [false, true],
      reason: 'answered with 410',
    });
    expect((await app.mails(OPERATOR)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/hook.*suite receives no more events, because it answered with 410\./),
    ]);
    expect(await deliveries()).toMatchObject([{ status: 'failed', status_code: 410 }]);
  });

  test('after three days of failures; waiting events arrive when it is resumed', async () => {
    receiver.answerWith({ status: 503 });
    for (const website of ['https://a.example', 'https://b.example'])
      responseOf(await boss.visitor.put('/api/orgs', { org_id: org.orgId, website }));
    for (let hours = 0; hours < 72; hours += 12) {
      await deliverDue(app);
      expect((await webhook()).switched_off_at).toBeNull();
      app.clock.forward(12 * HOUR_MS);
    }
    await deliverDue(app);
    expect((await webhook()).switched_off_at).toEqual(app.clock.now());
    expect(await subjects()).toContain(off);
    receiver.answerWith({});
    app.clock.forward(HOUR_MS);
    await rename('Southwind');
    const before = receiver.heard.length;
    await deliverDue(app);
    expect(receiver.heard.length).toBe(before);
    const state = { org_id: org.orgId, webhook_id: webhookId, is_paused: 0 };
    responseOf(await boss.visitor.put('/api/webhooks/state', state));
    await deliverDue(app);
    expect(receiver.heard.length).toBe(before + 1);
  });
});

test('an organization sees an invited person under the id of their invitation', async () => {
  const { id, memberId } = await org.invite(boss);
  const member = { org_id: org.orgId, user_id: invitedId(memberId) };
  responseOf(
    await boss.visitor.put('/api/orgusers', { ...member, first_name: 'Ann', role_id: org.roles.lead }),
  );
  responseOf(await boss.visitor.delete('/api/orgusers', { org_id: org.orgId, del_user_id: member.user_id }));
  await deliverDue(app);
  expect(receiver.events().map(({ type, data }) => [type, data['user_id']])).toEqual([
    ['member.changed', invitedId(memberId)],
    ['member.ended', invitedId(memberId)],
  ]);
  expect(JSON.stringify(receiver.events())).not.toContain(String(id));
});

test("a webhook receives its own organization's chosen events; one of the suite also those of accounts", async () => {
  const suite = await addWebhook(app, { url: `${receiver.url}/suite` });
  await org.newWebhook({ url: `${receiver.url}/roles`, events: ['role.created'] });
  await (await company(app)).newWebhook({ url: `${receiver.url}/other` });
  await rename('Southwind');
  responseOf(await boss.visitor.delete('/api/logout', {}));
  const rows = await listRows(app, 'webhook_deliveries', ['webhook_id', 'event'], {}, 'id');
  expect(rows.filter(({ webhook_id: id }) => id === webhookId).map(({ event }) => event)).toEqual([
    'organization.changed',
  ]);
  expect(rows.filter(({ webhook_id: id }) => id === suite.id).map(({ event }) => event)).toEqual([
    'organization.changed',
    'sessions.ended',
  ]);
  expect(rows).toHaveLength(3);
});

test('events about an erased person keep no names', async () => {
  const member = await org.join('sales');
  const input = { org_id: org.orgId, user_id: member.id, first_name: 'Zoe', role_id: org.roles.sales };
  responseOf(await boss.visitor.put('/api/orgusers', input));
  const payloads = async () => (await deliveries()).map(({ payload }) => payload['data']);
  const known = { org_id: org.orgId, user_id: member.id };
  expect(await payloads()).toEqual([{ ...known, changes: { first_name: ['Ann', 'Zoe'] } }]);
  await emptyEvents(app.deps.sql as never, member.id);
  expect(await payloads()).toEqual([{ ...known, changes: {} }]);
});

test('deliveries are deleted after 30 days', async () => {
  await rename('Southwind');
  app.clock.forward(30 * DAY_MS);
  await sweepDeliveries(app.deps);
  expect(await deliveries()).toHaveLength(1);
  app.clock.forward(1);
  await sweepDeliveries(app.deps);
  expect(await deliveries()).toEqual([]);
});
