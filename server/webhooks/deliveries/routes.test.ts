import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { type Receiver, deliverDue, startReceiver } from '#server/testing/webhooks.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let org: Company;
let boss: Worker;
let receiver: Receiver;
let scope: { org_id: number; webhook_id: number };
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  receiver = await startReceiver();
  const { id } = await org.newWebhook({ url: receiver.url });
  scope = { org_id: org.orgId, webhook_id: id };
});
afterEach(() => receiver.close());

type Delivery = { id: string; event: string } & Record<string, unknown>;
const sendTest = async () => responseOf<Delivery>(await boss.visitor.post('/api/webhooks/test', scope));
const again = (id: string) => boss.visitor.post('/api/webhooks/deliveries', { ...scope, id });
const page = (more = '') =>
  boss.visitor.get(`/api/webhooks/deliveries?org_id=${scope.org_id}&webhook_id=${scope.webhook_id}${more}`);
const list = async (more?: string) =>
  responseOf<{ deliveries: Delivery[]; next: string | null }>(await page(more));

test('a test event waits, arrives, and is listed with its answer', async () => {
  const now = app.clock.now().toISOString();
  const waiting = await sendTest();
  expect(waiting).toEqual({
    id: waiting.id,
    event: 'test',
    status: 'waiting',
    created_time: now,
    tries: 0,
    tried_time: null,
    next_try_time: now,
    status_code: null,
    duration_ms: null,
    response: null,
    error: null,
  });
  expect((await sendTest()).id).toBe(waiting.id);
  receiver.answerWith({ status: 200, text: 'thanks' });
  await deliverDue(app);
  expect(receiver.events()).toEqual([{ type: 'test', timestamp: now, data: { org_id: org.orgId } }]);
  const [delivered] = (await list()).deliveries;
  expect(delivered).toEqual({
    ...waiting,
    status: 'delivered',
    tries: 1,
    tried_time: now,
    next_try_time: null,
    status_code: 200,
    duration_ms: delivered?.['duration_ms'],
    response: 'thanks',
  });
  expect((await activityOf(app, org.orgId))[0]?.information).toMatchObject({ sent: 'test' });
});

test('a delivery is sent again under the same id', async () => {
  const { id } = await sendTest();
  await deliverDue(app);
  expect(responseOf(await again(id))).toMatchObject({ id, status: 'waiting', tries: 0 });
  await deliverDue(app);
  expect(receiver.heard.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
});

test('pages follow one another, newest first', async () => {
  const ids = [];
  for (let count = 0; count < 3; count += 1) {
    ids.unshift((await sendTest()).id);
    await deliverDue(app);
  }
  const first = await list('&limit=2');
  expect(first.deliveries.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const second = await list(`&limit=2&after=${first.next}`);
  expect([second.deliveries.map(({ id }) => id), second.next]).toEqual([ids.slice(2), null]);
});

test('deliveries of another organization’s webhook are not found', async () => {
  const other = await (await company(app)).newDelivery();
  expect((await again(other.id)).code).toBe('not_found');
  scope = { org_id: org.orgId, webhook_id: other.webhook_id };
  const answers = [await page(), await boss.visitor.post('/api/webhooks/test', scope), await again(other.id)];
  expect(answers.map(({ code }) => code)).toEqual(Array(3).fill('webhook_not_found'));
});
