import { seal } from '#server/keys.ts';
import type { TestApp } from '#server/testing/start-app.ts';

/** The secret of every webhook that tests add. */
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let counter = 0;

/** Adds a webhook, by default of the suite and for all events. */
export async function addWebhook(app: TestApp, more: object = {}) {
  counter += 1;
  const url = `https://hooks.example/${process.pid}/${counter}`;
  return app.deps.sql
    .insertInto('webhooks')
    .values({
      url,
      sealed_secret: seal(app.deps.keys, 'webhook', WEBHOOK_SECRET),
      created_at: app.clock.now(),
      ...more,
    })
    .returning(['id', 'url'])
    .executeTakeFirstOrThrow();
}
