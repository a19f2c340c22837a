import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { openSession } from '#server/sessions/actions.ts';
import { discover, enter, registerApplication, startReceiver } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { startApp, startBeside, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Two processes deliver the notices of one database.

let one: TestApp;
let two: TestApp;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
  one = await startApp({ RATE_LIMIT_FACTOR: '1000' });
  two = await startBeside(one);
});
afterAll(async () => {
  await two.close();
  await Promise.all([one.close(), receiver.close()]);
});

const DEVICES = 20;
const place = { ipAddress: '127.0.0.1', userAgent: 'test', location: 'Unknown' };
const run = (app: TestApp, pollMs: number) => {
  const stop = startJobs(app.deps, app.jobs, [], pollMs);
  onTestFinished(() => stop());
};

/** A person who entered an application on many devices; returns their browsers and the sid of each. */
async function entered() {
  const { id } = await (await company(one)).join('sales', { isDefault: true });
  const application = await registerApplication(one, { sign_out_url: receiver.url });
  const config = await discover(one, application);
  const devices = [];
  for (let count = 0; count < DEVICES; count += 1) {
    const visitor = one.visitor();
    const { token } = await transaction(one.deps.sql, (tx) => openSession(tx, one.deps, id, place));
    visitor.cookies.set('portico', token);
    devices.push({ visitor, token, sid: (await enter(visitor, config)).claims()?.['sid'] });
  }
  const sids = () =>
    receiver
      .tokens()
      .map((token) => decodeJwt(token))
      .filter(({ aud }) => aud === application.clientId)
      .map(({ sid }) => sid);
  return { devices, sids };
}

test('each notice comes once and in order, whichever process delivers it', async () => {
  const { devices, sids } = await entered();
  run(one, 5);
  run(two, 5);
  for (const { visitor } of devices) responseOf(await visitor.delete('/api/logout'));
  const expected = devices.map(({ sid }) => sid);
  await expect.poll(sids).toEqual(expected);
});

test('the process that ended a session delivers at once, though no other looks for jobs', async () => {
  const { devices, sids } = await entered();
  run(one, HOUR_MS);
  run(two, HOUR_MS);
  const [device] = devices;
  const visitor = two.visitor();
  visitor.cookies.set('portico', device?.token ?? '');
  responseOf(await visitor.delete('/api/logout'));
  await expect.poll(sids).toEqual([device?.sid]);
});

test('another process delivers what a stopped one left behind', async () => {
  const { devices, sids } = await entered();
  for (const { visitor } of devices.slice(0, 3)) responseOf(await visitor.delete('/api/logout'));
  expect(sids()).toEqual([]);
  run(two, 5);
  await expect.poll(sids).toEqual(devices.slice(0, 3).map(({ sid }) => sid));
});
