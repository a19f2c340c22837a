import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#server/testing/ports.ts';
import { startBalancer } from './balancer.ts';

/** Stands for a process of the portal: with one asset, and ready or not. */
async function startPortal(asset: string) {
  const asked: string[] = [];
  const portal = {
    asked,
    ready: true,
    onChange: (_request: IncomingMessage) => 200,
    port: 0,
    stop: () => {},
  };
  const server = createServer((request, reply) => {
    const { method, url = '' } = request;
    asked.push(`${method} ${url}`);
    const isThere = !url.startsWith('/assets/') || url === asset;
    const status = url === '/readyz' && !portal.ready ? 503 : isThere ? 200 : 404;
    reply.writeHead(method === 'PUT' ? portal.onChange(request) : status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  portal.port = (server.address() as AddressInfo).port;
  portal.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(portal.stop);
  return portal;
}

/** Two of them behind what is shipped. */
async function behindHaproxy() {
  const portals = [await startPortal('/assets/a.js'), await startPortal('/assets/b.js')] as const;
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-haproxy-'));
  const port = await freePort();
  const balancer = await startBalancer(folder, {
    web: { port, portals: [portals[0].port, portals[1].port] },
    database: { port: await freePort(), nodes: [] },
  });
  onTestFinished(async () => {
    await balancer.end();
    rmSync(folder, { recursive: true });
  });
  /** 0 when there is no answer. */
  const statusOf = (method: string, at: string) =>
    fetch(`http://127.0.0.1:${port}${at}`, { method }).then(
      ({ status }) => status,
      () => 0,
    );
  const times = (what: string) => portals.flatMap(({ asked }) => asked.filter((one) => one === what)).length;
  return { portals, statusOf, times };
}

test('a file that one process does not have is asked for at the other; nothing else is asked for twice', async () => {
  const { statusOf, times } = await behindHaproxy();
  for (const name of ['a', 'b', 'a', 'b']) expect(await statusOf('GET', `/assets/${name}.js`)).toBe(200);
  expect(await statusOf('GET', '/assets/c.js')).toBe(404);
  expect(times('GET /assets/c.js')).toBeGreaterThan(1);
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

test('a change is asked for at the other process when it could not be sent, and once when it was', async () => {
  const { portals, statusOf, times } = await behindHaproxy();
  portals[0].stop();
  for (const _ of [1, 2, 3]) expect(await statusOf('PUT', '/api/user')).toBe(200);
  expect(times('PUT /api/user')).toBe(3);
  portals[1].onChange = ({ socket }) => {
    socket.destroy();
    return 200;
  };
  expect(await statusOf('PUT', '/api/role')).toBe(0);
  expect(times('PUT /api/role')).toBe(1);
});
