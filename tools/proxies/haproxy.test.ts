import { expect, test, vi } from 'vitest';
import { freePort } from '#server/testing/ports.ts';
import { startBalancer } from '../drill/balancer.ts';
import { askForFiles, behind, changeInVain, changeWithOneGone } from './stand-ins.ts';

const behindHaproxy = () =>
  behind(async (folder, { web, portals }) => {
    const database = { port: await freePort(), nodes: [] };
    return (await startBalancer(folder, { web: { port: web, portals }, database })).end;
  });

test('a file that one process does not have is asked for at the other', async () =>
  expect(await askForFiles(await behindHaproxy())).toEqual([200, 200, 200, 200, 404]));

test.for(['POST', 'PUT', 'DELETE'])(
  'a %s goes to the other process when it could not be sent, and to nobody when it was',
  async (method) => {
    const oneGone = await changeWithOneGone(await behindHaproxy(), method);
    expect(oneGone).toEqual({ statuses: [200, 200, 200], arrived: 3 });
    expect(await changeInVain(await behindHaproxy(), method)).toEqual({ status: 502, arrived: 1 });
  },
);

test('what is not there is no reason to send again what may change things', async () => {
  const { statusOf, times } = await behindHaproxy();
  expect(await statusOf('POST', '/assets/c.js')).toBe(404);
  expect(times('POST /assets/c.js')).toBe(1);
});

test('while no process is ready, whoever lives is asked', async () => {
  const { portals, statusOf, times } = await behindHaproxy();
  for (const portal of portals) portal.ready = false;
  portals[0].stop();
  const before = times('GET /readyz');
  await vi.waitUntil(() => times('GET /readyz') > before + 3, 10_000);
  for (const _ of [1, 2, 3]) expect(await statusOf('GET', '/login')).toBe(200);
});
