import { afterEach, expect, test } from 'vitest';
import type { WebhookId } from '#contract/webhooks/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { company } from '#server/testing/company.ts';
import { useApp } from '#server/testing/use-app.ts';
import { addWebhook, claimDeliveries } from '#server/testing/webhooks.ts';
import { LANES } from '#server/webhooks/events/rules.ts';

const app = useApp();
afterEach(async () => {
  await app.deps.sql.deleteFrom('webhooks').execute();
  await app.deps.sql.deleteFrom('jobs').execute();
});

/** Adds two waiting deliveries to each lane of a webhook. */
const fillLanes = (id: WebhookId) =>
  app.deps.sql
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: 2 * LANES }, (_, nth) => ({
        webhook_id: id,
        event: 'test' as const,
        subject: `user ${nth}`,
        lane: nth % LANES,
        payload: {},
        created_at: app.clock.now(),
        next_try_at: app.clock.now(),
      })),
    )
    .execute();
type Settings = { readonly org_id?: OrgId | null; readonly created_by?: UserId };
const claimsOf = async (settings: readonly Settings[]) => {
  for (const more of settings) await fillLanes((await addWebhook(app, more)).id);
  return (await claimDeliveries(app)).length;
};

test('the suite’s webhook has a turn for each lane, and a concurrent claim takes none of them', async () => {
  const { id } = await addWebhook(app);
  await fillLanes(id);
  const claims = (await Promise.all([claimDeliveries(app), claimDeliveries(app)])).flat();
  expect(new Set(claims.map(({ lane }) => lane)).size).toBe(claims.length);
  expect(claims).toHaveLength(LANES);
});

test('an organization’s webhooks have four together, and so have one person’s (P17)', async () => {
  const [org, other] = [await company(app), await company(app)];
  const boss = await org.join('superAdmin');
  expect(await claimsOf([{ org_id: org.orgId }, { org_id: org.orgId }])).toBe(4);
  const created_by = boss.id;
  expect(await claimsOf([{ org_id: other.orgId, created_by }, { created_by }])).toBe(4);
});

test('a webhook that fails has one until a request succeeds, and a paused one has none', async () => {
  const { id } = await addWebhook(app, { failing_since: app.clock.now() });
  await fillLanes(id);
  await fillLanes((await addWebhook(app, { paused_at: app.clock.now() })).id);
  const claims = await claimDeliveries(app);
  expect([claims.length, (await claimDeliveries(app)).length]).toEqual([1, 0]);
  await app.deps.sql.updateTable('webhooks').set({ failing_since: null }).execute();
  expect(await claimDeliveries(app)).toHaveLength(LANES - 1);
});
