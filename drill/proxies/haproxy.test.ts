import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#server/testing/ports.ts';
import { behind, testProxy } from '#server/testing/proxies.ts';
import { startBalancer } from '../balancer.ts';

const behindHaproxy = () =>
  behind(async (folder, { web, portals }) => {
    const database = { port: await freePort(), nodes: [] };
    return (await startBalancer(folder, { web: { port: web, portals }, database })).end;
  });

testProxy(behindHaproxy);

test('a network has a hundred sockets (M2)', async () => {
  const { web } = await behindHaproxy();
  /** Requests a page on a socket that stays open. HAProxy may refuse any one of the 101. */
  const ask = () =>
    new Promise((resolve) => {
      const socket = connect(web, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write('GET /login HTTP/1.1\r\nhost: localhost\r\n\r\n');
      socket.once('data', (answer: Buffer) => resolve(answer.toString().split('\r\n', 1)[0]));
      socket.on('error', () => undefined).once('close', () => resolve('turned away'));
    });
  const answers = await Promise.all(Array.from({ length: 101 }, ask));
  const count = (wanted: string) => answers.filter((answer) => answer === wanted).length;
  expect([count('HTTP/1.1 200 OK'), count('turned away')]).toEqual([100, 1]);
});

test('a POST that is not found is not sent again', async () => {
  const { statusOf, times } = await behindHaproxy();
  expect(await statusOf('POST', '/assets/c.js')).toBe(404);
  expect(times('POST /assets/c.js')).toBe(1);
});

test('while no process is ready, a running one gets the requests', async () => {
  const { portals, statusOf, times } = await behindHaproxy();
  for (const portal of portals) portal.ready = false;
  portals[0].stop();
  const before = times('GET /readyz');
  await vi.waitUntil(() => times('GET /readyz') > before + 3, 10_000);
  for (const _ of [1, 2, 3]) expect(await statusOf('GET', '/login')).toBe(200);
});
