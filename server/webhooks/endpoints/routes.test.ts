import { beforeEach, describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import { refusalText } from '#words/refusal.ts';
import { addressText } from '#words/address.ts';
import { WEBHOOKS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import { HOUR_MS } from '#server/clock.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { QUIET_MS } from '#server/jobs/quiet.ts';
import { unseal } from '#server/keys.ts';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { updateRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });
let org: Company;
let boss: Worker;
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
});

type Webhook = { id: number; url: string } & Record<string, unknown>;
type WithSecret = { webhook: Webhook; secret: string };

const url = 'https://hooks.example/portico';
const add = (more: object = {}, who = boss) =>
  who.visitor.post('/api/webhooks', { org_id: org.orgId, url, description: '', events: [], ...more });
const added = async (more: object = {}) => responseOf<WithSecret>(await add(more));
const change = (id: number, input: object) =>
  boss.visitor.put('/api/webhooks', { org_id: org.orgId, webhook_id: id, ...input });
const pause = (id: number, isPaused: 0 | 1) =>
  boss.visitor.put('/api/webhooks/state', { org_id: org.orgId, webhook_id: id, is_paused: isPaused });
const rotate = async (id: number) =>
  responseOf<WithSecret>(
    await boss.visitor.post('/api/webhooks/secret', { org_id: org.orgId, webhook_id: id }),
  );
const remove = (id: number, address: string) =>
  boss.visitor.delete('/api/webhooks', { org_id: org.orgId, webhook_id: id, url: address });
const list = async () => responseOf<Webhook[]>(await boss.visitor.get(`/api/webhooks?org_id=${org.orgId}`));
const lastAct = async () => (await activityOf(app, org.orgId))[0];
const subjectsTo = async ({ email }: Worker) =>
  (await app.mails()).filter(({ to }) => to.address === email).map(({ subject }) => subject);
const movedSubject = 'New address of a webhook in Northwind';
const rowOf = (id: number) =>
  app.deps.sql
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id as never)
    .executeTakeFirstOrThrow();

describe('adding', () => {
  test('answers with the secret once, lists the webhook, logs its settings and mails Super Admins', async () => {
    const other = await org.join('superAdmin');
    const { webhook, secret } = await added({ events: ['member.joined', 'member.ended'] });
    expect(Buffer.from(/^whsec_(.+)$/.exec(secret)?.[1] ?? '', 'base64')).toHaveLength(32);
    expect(webhook).toEqual({
      id: webhook.id,
      url,
      description: '',
      events: ['member.joined', 'member.ended'],
      is_paused: 0,
      switched_off_time: null,
      failing_since: null,
      former_secret_ends: null,
      created_time: app.clock.now().toISOString(),
    });
    expect(await list()).toEqual([webhook]);
    const stored = await rowOf(webhook.id);
    expect(unseal(app.deps.keys, 'webhook', stored.sealed_secret)).toBe(secret);
    expect(await lastAct()).toEqual({
      user_id: boss.id,
      activity_type: ACTIVITY_TYPE.webhook,
      action: ACTION.create,
      module: MODULE.organization,
      record_id: webhook.id,
      information: {
        webhook: url,
        url: [null, url],
        description: [null, ''],
        events: [null, 'member.joined, member.ended'],
      },
    });
    const subject = 'New webhook in Northwind';
    expect(await Promise.all([boss, other].map(subjectsTo))).toEqual([[subject], [subject]]);
    const [mail] = await app.mails(boss.email);
    expect(mail?.text).toContain(`/organization/webhooks/${webhook.id}?language=en\n`);
  });

  test('accepts an address once per organization', async () => {
    const [first, second] = await Promise.all([add(), add()]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 422]));
    const refused = first.status === 422 ? first : second;
    expect(refused.body.error?.fields).toEqual({ url: refusalText.webhookTaken });
    org = await company(app);
    boss = await org.join('superAdmin');
    expect((await add()).status).toBe(200);
  });

  test(`ends at ${WEBHOOKS_PER_ORGANIZATION_MAX} webhooks`, async () => {
    for (let count = 1; count < WEBHOOKS_PER_ORGANIZATION_MAX; count += 1) await org.newWebhook();
    const answers = [await add(), await add({ url: `${url}/2` })];
    expect(answers.map(({ code }) => code)).toEqual([undefined, 'webhook_limit_reached']);
  });
});

describe('changing', () => {
  test('saves what is given, logs old and new values, and mails about a new address only, behind no other news', async () => {
    const { webhook } = await added();
    const described = responseOf(await change(webhook.id, { description: 'Payroll' }));
    expect(described).toEqual({ ...webhook, description: 'Payroll' });
    const moved = { url: 'https://other.example/', events: ['role.changed'] };
    await app.deps.sql.updateTable('webhooks').set({ failing_since: app.clock.now() }).execute();
    expect(responseOf(await change(webhook.id, moved))).toEqual({
      ...webhook,
      ...moved,
      description: 'Payroll',
    });
    expect((await lastAct())?.information).toEqual({
      webhook: url,
      url: [url, moved.url],
      events: ['', 'role.changed'],
    });
    const moves = (await subjectsTo(boss)).filter((subject) => subject === movedSubject);
    expect(moves).toHaveLength(1);
    for (const next of [url, 'https://third.example/']) responseOf(await change(webhook.id, { url: next }));
    expect(await subjectsTo(boss)).toHaveLength(2);
    app.clock.forward(QUIET_MS);
    expect((await subjectsTo(boss)).toSorted()).toEqual([
      movedSubject,
      'New webhook in Northwind',
      'Several changes in your organization',
    ]);
  });

  test('refuses the address of another webhook, one that is not public, and no change', async () => {
    const { webhook } = await added();
    const other = await org.newWebhook();
    const answers = [
      await change(webhook.id, { url: other.url }),
      await change(webhook.id, { url: 'https://10.0.0.1/' }),
      await change(webhook.id, { url }),
    ];
    expect(answers.map(({ body }) => body.error?.fields?.['url'] ?? body.error?.code)).toEqual([
      refusalText.webhookTaken,
      addressText.publicAddress,
      'no_changes',
    ]);
  });
});

test('news that an older process left are mailed, though they name no kind', async () => {
  const text = { subject: movedSubject, paragraphs: ['Moved.'] };
  await enqueueAlone(app.deps, {
    kind: 'super-admin-news',
    lane: `super-admin-news:${org.orgId}`,
    payload: { orgId: org.orgId, news: [{ en: text }], more: 0 },
  });
  expect(await subjectsTo(boss)).toEqual([movedSubject]);
});

test('a new secret leaves the former one valid for a day', async () => {
  const { webhook, secret } = await added();
  const rotated = await rotate(webhook.id);
  const ends = new Date(app.clock.now().getTime() + 24 * HOUR_MS).toISOString();
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.webhook).toEqual({ ...webhook, former_secret_ends: ends });
  const stored = await rowOf(webhook.id);
  expect(unseal(app.deps.keys, 'webhook', stored.former_sealed_secret ?? Buffer.alloc(0))).toBe(secret);
  expect((await lastAct())?.information).toEqual({ webhook: url, former_secret_ends: ends });
  app.clock.forward(24 * HOUR_MS);
  expect(await subjectsTo(boss)).toContain('New secret for a webhook of Northwind');
  expect((await list())[0]?.['former_secret_ends']).toBeNull();
});

test('a webhook pauses and resumes, and resuming ends a switch-off', async () => {
  const { webhook } = await added();
  expect(responseOf(await pause(webhook.id, 1))).toEqual({ ...webhook, is_paused: 1 });
  expect((await pause(webhook.id, 1)).code).toBe('no_changes');
  expect(responseOf(await pause(webhook.id, 0))).toEqual(webhook);
  expect((await pause(webhook.id, 0)).code).toBe('no_changes');
  const now = app.clock.now();
  await updateRows(app, 'webhooks', { id: webhook.id }, { switched_off_at: now, failing_since: now });
  expect(responseOf(await pause(webhook.id, 0))).toEqual(webhook);
  expect((await lastAct())?.information).toEqual({ webhook: url, paused: [true, false] });
});

test('a webhook is removed by its current address', async () => {
  const { webhook } = await added();
  expect((await remove(webhook.id, 'https://other.example/')).code).toBe('changed_meanwhile');
  expect(responseOf(await remove(webhook.id, url))).toEqual({ id: webhook.id });
  expect(await list()).toEqual([]);
  expect((await lastAct())?.information).toEqual({
    webhook: url,
    url: [url, null],
    description: ['', null],
    events: ['', null],
  });
  expect(await subjectsTo(boss)).toContain('Webhook removed from Northwind');
});

test('another organization’s webhook is not found', async () => {
  const { id } = await (await company(app)).newWebhook();
  const answers = [await change(id, { description: 'x' }), await pause(id, 1), await remove(id, url)];
  expect(answers.map(({ code }) => code)).toEqual(Array(3).fill('webhook_not_found'));
});
