import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#server/testing/ports.ts';
import { startBalancer } from '../drill/balancer.ts';
import { behind, testProxy } from './stand-ins.ts';

const behindHaproxy = (toldPort: (port: number) => void = () => undefined) =>
  behind(async (folder, { web, portals }) => {
    toldPort(web);
    const database = { port: await freePort(), nodes: [] };
    return (await startBalancer(folder, { web: { port: web, portals }, database })).end;
  });

testProxy(() => behindHaproxy());

test('a network has a hundred sockets', async () => {
  let port = 0;
  await behindHaproxy((web) => (port = web));
  const open = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.resume();
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const sockets = Array.from({ length: 100 }, open);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const turnedAway = Promise.withResolvers<void>();
  open().on('close', () => turnedAway.resolve());
  await turnedAway.promise;
  expect(sockets.filter(({ closed }) => closed)).toEqual([]);
});

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
