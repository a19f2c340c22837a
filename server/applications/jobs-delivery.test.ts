import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { fromNow, MINUTE_MS, SECOND_MS } from '#server/clock.ts';
import { releaseLane } from '#server/jobs/data-claims.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { jobKindOf } from '#server/jobs/kinds.ts';
import {
  consent,
  discover,
  enter,
  registerApplication,
  startReceiver,
} from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { listen } from '#server/testing/providers.ts';
import { deleteRows, getRow, listRows, updateRows } from '#server/testing/rows.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// How logout tokens reach the servers of applications.

const app = useApp({ RATE_LIMIT_FACTOR: '1000' });
const receiver = useServer(startReceiver);
beforeEach(async () => {
  receiver.forget();
  receiver.answerWith(200);
  await app.deps.sql.deleteFrom('jobs').execute();
});

type Settings = Parameters<typeof registerApplication>[1];
/** A member who entered an application. */
async function entered(settings: Settings = {}, by: typeof enter = enter) {
  const org = await company(app);
  const { visitor } = await org.join('sales', { isDefault: true });
  const application = await registerApplication(app, { sign_out_url: receiver.url, ...settings });
  const tokens = await by(visitor, await discover(app, application));
  return {
    application,
    claims: tokens.claims(),
    signOut: async () => void responseOf(await visitor.delete('/api/logout')),
  };
}
const notice = () =>
  getRow(app, 'jobs', ['attempts', 'done_at', 'failed_at', 'last_error'], { kind: 'sign-out' });
const outcome = async () => {
  const { attempts, done_at, failed_at } = await notice();
  return { attempts, end: done_at ? 'done' : failed_at ? 'failed' : 'waits' };
};
/** Adds notices of other sessions to the application of the first notice. */
async function moreNotices() {
  const { payload, lane } = await getRow(app, 'jobs', ['payload', 'lane'], { kind: 'sign-out' });
  return (sid = payload['sid']) =>
    enqueueAlone(app.deps, { kind: 'sign-out', payload: { ...payload, sid }, lane: lane ?? '' });
}
/** Runs due jobs now and after the first backoff. */
async function deliverTwice() {
  await app.mails();
  app.clock.forward(2 * SECOND_MS);
  await app.mails();
}

test.for([302, 404, 429])('an answer of %i is final', async (status) => {
  const { signOut } = await entered();
  receiver.answerWith(status);
  await signOut();
  await deliverTwice();
  expect(await outcome()).toEqual({ attempts: 1, end: 'failed' });
  expect(receiver.tokens()).toHaveLength(1);
});

test.for([500, 504])('an answer of %i is retried', async (status) => {
  const { signOut } = await entered();
  receiver.answerWith(status);
  await signOut();
  await deliverTwice();
  expect(await outcome()).toEqual({ attempts: 2, end: 'waits' });
  receiver.answerWith(204);
  app.clock.forward(4 * SECOND_MS);
  await app.mails();
  expect(await outcome()).toEqual({ attempts: 3, end: 'done' });
});

test('a server that does not answer is tried again', async () => {
  let isSilent = true;
  const server = await listen((_request, response) => {
    if (!isSilent) response.end();
  });
  const { signOut } = await entered({ sign_out_url: `${server.url}/signed-out` });
  await signOut();
  await app.mails();
  expect(await outcome()).toEqual({ attempts: 1, end: 'waits' });
  isSilent = false;
  app.clock.forward(2 * SECOND_MS);
  await app.mails();
  expect(await outcome()).toEqual({ attempts: 2, end: 'done' });
  await server.close();
});

test('an application that is removed during the delivery gets the token at the next try', async () => {
  const { application, signOut } = await entered();
  await signOut();
  const jobs = app.deps.sql.selectFrom('jobs').select(['id', 'payload']);
  const { id, payload } = await jobs.executeTakeFirstOrThrow();
  await deleteRows(app, 'applications', { id: application.id });
  // The process claimed the notice before the removal.
  const deliver = jobKindOf(app.jobs, 'sign-out')?.run;
  await expect(deliver?.(app.deps, payload as never, id, async () => {})).rejects.toThrow(
    'removed meanwhile',
  );
  await app.mails();
  expect(receiver.tokens()).toHaveLength(1);
});

test('an application of another provider gets the subject that it knows', async () => {
  const { claims, signOut } = await entered({ is_first_party: false }, consent);
  await signOut();
  await app.mails();
  expect(receiver.tokens().map((token) => decodeJwt(token))).toMatchObject([
    { sub: claims?.sub, sid: claims?.['sid'] },
  ]);
  const subjects = await listRows(app, 'subjects', ['subject']);
  expect(subjects.map(({ subject }) => subject)).not.toContain(claims?.sub);
});

test("an organization's own application is not reached in a private network (P10)", async () => {
  const { application, signOut } = await entered();
  const { org_id } = await getRow(app, 'application_sign_ins', ['org_id'], {
    application_id: application.id,
  });
  // Stands for a public name that resolves to a private address.
  await sql`alter table applications drop constraint applications_sign_out_url_public`.execute(app.deps.sql);
  await updateRows(app, 'applications', { id: application.id }, { org_id, is_first_party: false });
  await signOut();
  await deliverTwice();
  expect(receiver.tokens()).toEqual([]);
  expect(await outcome()).toEqual({ attempts: 1, end: 'failed' });
});

test('a retry sends a new token for the same session', async () => {
  const { claims, signOut } = await entered();
  await signOut();
  await (
    await moreNotices()
  )();
  await app.mails();
  const [first, second] = receiver.tokens().map((token) => decodeJwt(token));
  expect([first, second]).toMatchObject([{ sid: claims?.['sid'] }, { sid: claims?.['sid'] }]);
  expect(second?.jti).not.toBe(first?.jti);
});

test('a notice that fails holds back no other', async () => {
  const { claims, signOut } = await entered();
  receiver.answerWith((sid) => (sid === claims?.['sid'] ? 500 : 200));
  await signOut();
  await app.mails();
  const add = await moreNotices();
  for (const sid of ['a', 'b', 'c']) await add(sid);
  await deliverTwice();
  const sids = receiver.tokens().map((token) => decodeJwt(token)['sid']);
  expect(new Set(sids)).toEqual(new Set([claims?.['sid'], 'a', 'b', 'c']));
  // Each success may release it once.
  expect(sids.length).toBeLessThanOrEqual(8);
});

test('the first success after an outage makes all waiting notices due; of a new notice, two', async () => {
  const { signOut } = await entered();
  receiver.answerWith(503);
  await signOut();
  const add = await moreNotices();
  for (let count = 0; count < 20; count += 1) await add(`session ${count}`);
  for (let tries = 0; tries < 4; tries += 1) {
    await app.mails();
    app.clock.forward(MINUTE_MS);
  }
  await app.mails();
  receiver.forget();
  receiver.answerWith(200);
  const { id, lane } = await app.deps.sql
    .selectFrom('jobs')
    .select(['id', 'lane'])
    .where('failures', '>', 0)
    .executeTakeFirstOrThrow();
  const released = async (succeeded: number) => {
    const { numAffectedRows } = await releaseLane(app.deps, lane ?? '', succeeded);
    await updateRows(app, 'jobs', {}, { run_at: fromNow(app.deps.clock, 1) });
    return Number(numAffectedRows);
  };
  await add('new');
  const added = await getRow(app, 'jobs', ['id'], { failures: 0 });
  expect([await released(id), await released(added.id)]).toEqual([21, 2]);
  app.clock.forward(1);
  await app.mails();
  expect(receiver.tokens()).toHaveLength(22);
});
