import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { CERTIFICATE } from '#server/testing/certificate.ts';
import { company } from '#server/testing/company.ts';
import { patient, type Portal, startPortal } from '#server/testing/portal.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';
import { whileWaiting } from '#server/testing/waiting.ts';
import { claimDeliveries, deliverDue, startReceiver } from '#server/testing/webhooks.ts';
import { LANES } from '#server/webhooks/events/rules.ts';

const app = useApp({ SECRET_KEY: 'k'.repeat(32) });
const SUBJECTS = 20;
const EVENTS = 100;
const portals: Portal[] = [];
afterEach(() => Promise.all(portals.splice(0).map(kill)));

async function kill(portal: Portal) {
  portal.kill('SIGKILL');
  await portal.ended;
}

async function start() {
  const { dataDir } = app.deps.config;
  const certificate = path.join(dataDir, 'certificate.pem');
  writeFileSync(certificate, CERTIFICATE);
  const portal = await startPortal({
    DATA_DIR: dataDir,
    DATABASE_URL: app.database.url ?? '',
    SECRET_KEY: 'k'.repeat(32),
    NODE_EXTRA_CA_CERTS: certificate,
  });
  portals.push(portal);
  await portal.ready();
  return portal;
}

test('claims make no other wait, and a webhook is removed while a request to it fails', async () => {
  const receiver = await startReceiver();
  const org = await company(app);
  const { id } = await org.newWebhook({ url: receiver.url });
  const { visitor } = await org.join('superAdmin');
  receiver.answerWith({ status: 500 });
  responseOf(await visitor.put('/api/orgs', { org_id: org.orgId, name: 'Southwind' }));
  const claims = await app.deps.sql
    .transaction()
    .execute(async (tx) => [
      (await claimDeliveries({ deps: { ...app.deps, sql: tx }, jobs: app.jobs })).length,
      (await claimDeliveries(app)).length,
    ]);
  expect(claims).toEqual([1, 0]);
  // The lease of the claim ends.
  app.clock.forward(30 * SECOND_MS);
  await whileWaiting(
    app,
    (tx) => tx.updateTable('webhooks').set({ description: 'x' }).where('id', '=', id).execute(),
    () => deliverDue(app),
    (tx) => tx.deleteFrom('webhooks').where('id', '=', id).execute(),
  );
  expect(receiver.heard).toHaveLength(1);
  receiver.close();
});

test(
  'two processes deliver each event once and in order, and lose none when one is killed',
  patient,
  async () => {
    // The processes have the time of this machine.
    app.clock.forward(Date.now() - app.clock.now().getTime());
    const org = await company(app);
    const boss = await org.join('superAdmin');
    const receiver = await startReceiver();
    const { id } = await org.newWebhook({ url: receiver.url });
    const [first, second] = await Promise.all([start(), start()]);

    // Long enough for both processes to take part.
    receiver.answerWith({ afterMs: 40 });
    const events = Array.from({ length: EVENTS }, (_, nth) => nth);
    await app.deps.sql
      .insertInto('webhook_deliveries')
      .values(
        events.map((nth) => ({
          webhook_id: id,
          event: 'test' as const,
          subject: `user ${nth % SUBJECTS}`,
          lane: (nth % SUBJECTS) % LANES,
          payload: { nth },
          created_at: app.clock.now(),
          next_try_at: app.clock.now(),
        })),
      )
      .execute();
    await expect.poll(() => receiver.heard.filter(({ until }) => until < Infinity)).toHaveLength(EVENTS);
    const heard = receiver.heard.map(({ body, ...times }) => ({
      ...times,
      ...(JSON.parse(body) as { nth: number }),
    }));
    for (let subject = 0; subject < SUBJECTS; subject += 1) {
      const ofSubject = heard.filter(({ nth }) => nth % SUBJECTS === subject);
      expect(ofSubject.map(({ nth }) => nth)).toEqual(events.filter((nth) => nth % SUBJECTS === subject));
      for (const [at, { from }] of ofSubject.slice(1).entries())
        expect(from).toBeGreaterThanOrEqual(ofSubject[at]?.until ?? Infinity);
    }

    receiver.answerWith('hanging');
    second.kill('SIGSTOP');
    const visitor = new Visitor(first.url, boss.visitor.cookies);
    const rename = async (name: string) =>
      responseOf(await visitor.put('/api/orgs', { org_id: org.orgId, name }));
    await rename('Southwind');
    await expect.poll(() => receiver.heard.length).toBe(EVENTS + 1);
    await rename('Eastwind');
    await kill(first);
    receiver.answerWith({});
    // The lease of the killed process ends.
    await app.deps.sql
      .updateTable('jobs')
      .set({ lease_until: new Date() })
      .where('lease_until', 'is not', null)
      .execute();
    second.kill('SIGCONT');
    await expect.poll(() => receiver.heard.length).toBe(EVENTS + 3);
    const names = receiver
      .events()
      .slice(EVENTS)
      .map(({ data }) => data['changes']);
    expect(names).toEqual(
      [
        ['Northwind', 'Southwind'],
        ['Northwind', 'Southwind'],
        ['Southwind', 'Eastwind'],
      ].map((name) => ({ name })),
    );
    receiver.close();
  },
);
