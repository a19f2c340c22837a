import { decodeJwt } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { SESSIONS_PER_USER_MAX } from '#contract/limits.ts';
import { HOUR_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { openSession } from '#server/sessions/actions.ts';
import { discover, enter, registerApplication, startReceiver } from '#server/testing/applications.ts';
import { enqueueAlone } from '#server/jobs/enqueue.ts';
import { company } from '#server/testing/company.ts';
import { listen } from '#server/testing/providers.ts';
import { startBeside, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { useApp, useServer } from '#server/testing/use-app.ts';

// Two processes deliver the notices of one database.

const receiver = useServer(startReceiver);
const one = useApp({ RATE_LIMIT_FACTOR: '1000' });
const two = useServer(() => startBeside(one));

/** One fewer than a person may have, because joining made a session. */
const DEVICES = SESSIONS_PER_USER_MAX - 1;
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

test('each notice comes once, whichever process delivers it', async () => {
  const { devices, sids } = await entered();
  run(one, 5);
  run(two, 5);
  for (const { visitor } of devices) responseOf(await visitor.delete('/api/logout'));
  await expect.poll(sids).toHaveLength(DEVICES);
  expect(new Set(sids())).toEqual(new Set(devices.map(({ sid }) => sid)));
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
  await expect.poll(sids).toHaveLength(3);
  expect(new Set(sids())).toEqual(new Set(devices.slice(0, 3).map(({ sid }) => sid)));
});

test('fifty applications of one person that do not answer delay no other application (P17)', async () => {
  const { devices, sids } = await entered();
  const { id: createdBy } = await (await company(one)).join('sales', { isDefault: true });
  let asked = 0;
  const silent = await listen(() => void (asked += 1));
  onTestFinished(() => silent.close());
  for (let count = 0; count < 50; count += 1) {
    const settings = { sign_out_url: `${silent.url}/${count}`, created_by: createdBy };
    const { id } = await registerApplication(one, settings);
    const payload = { application: id, sid: 'x', subject: 'x' };
    await enqueueAlone(one.deps, { kind: 'sign-out', payload, lane: `sign-out ${id}` });
  }
  for (const { visitor } of devices.slice(0, 3)) responseOf(await visitor.delete('/api/logout'));
  run(one, HOUR_MS);
  run(two, HOUR_MS);
  await expect.poll(sids).toHaveLength(3);
  // Both processes may claim in the same moment.
  expect(asked).toBeLessThanOrEqual(8);
});
