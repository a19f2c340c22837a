import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitedMs } from '#server/http/room.ts';
import { freePort } from '#server/testing/ports.ts';

/** Stands for a process of the portal: with one asset, and ready or not. */
async function startPortal(asset: string) {
  const asked: string[] = [];
  const answer: RequestListener = (request, reply) => {
    const { method, url = '' } = request;
    asked.push(`${method} ${url}`);
    const isThere = url !== '/nowhere' && (!url.startsWith('/assets/') || url === asset);
    const status = url === '/readyz' && !portal.ready ? 503 : isThere ? 200 : 404;
    void portal.before(request).then(() => reply.writeHead(status).end());
  };
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const portal = {
    port: (server.address() as AddressInfo).port,
    asked,
    ready: true,
    /** What happens before it answers. */
    before: async (_request: IncomingMessage): Promise<void> => undefined,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  onTestFinished(portal.stop);
  return portal;
}

type Ports = { readonly web: number; readonly portals: readonly [number, number] };

/** Two of them behind a proxy, each with an asset of its own; all of it ends with the test. */
export async function behind(startProxy: (folder: string, ports: Ports) => Promise<() => Promise<void>>) {
  const portals = [await startPortal('/assets/a.js'), await startPortal('/assets/b.js')] as const;
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-proxy-'));
  const web = await freePort();
  const stop = await startProxy(folder, { web, portals: [portals[0].port, portals[1].port] });
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });
  return {
    portals,
    web,
    folder,
    statusOf: async (method: string, at: string, headers = {}) =>
      (await fetch(`http://127.0.0.1:${web}${at}`, { method, headers })).status,
    /** How often the processes were asked for something. */
    times: (what: string) => portals.flatMap(({ asked }) => asked.filter((one) => one === what)).length,
  };
}

type Behind = Awaited<ReturnType<typeof behind>>;

/** A process looks so long after a request has come: had nobody told it when, nobody would have waited. */
const HELD_MS = 20;

/** What every proxy owes: each of these tests starts one of its own. */
export function testProxy(start: () => Promise<Behind>) {
  test('a file that one process does not have is asked for at the other', async () => {
    const { statusOf } = await start();
    const statuses = [];
    for (const name of ['a', 'a', 'b', 'b', 'c']) statuses.push(await statusOf('GET', `/assets/${name}.js`));
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
  });

  test('who only looks is answered by the other process when the first one goes down', async () => {
    const { portals, statusOf, times } = await start();
    portals[0].before = async ({ socket }) => void socket.destroy();
    for (const _ of [1, 2, 3]) expect(await statusOf('GET', '/api/user')).toBe(200);
    expect(times('GET /api/user')).toBeGreaterThan(3);
  });

  test.each([
    ['/api/user', true],
    // It serves once.
    ['/api/auth/callback/google', false],
  ])('whether a GET of %s that nobody answered is sent again: %s', async (path, isSentAgain) => {
    const { portals, statusOf, times } = await start();
    for (const portal of portals) portal.before = async ({ socket }) => void socket.destroy();
    expect(await statusOf('GET', path)).toBe(502);
    expect(times(`GET ${path}`) > 1).toBe(isSentAgain);
  });

  test('what is nowhere is looked for once', async () => {
    const { statusOf, times } = await start();
    expect(await statusOf('GET', '/nowhere')).toBe(404);
    expect(times('GET /nowhere')).toBe(1);
  });

  test('a process is told how long somebody has waited, whatever they say themselves', async () => {
    const { portals, statusOf } = await start();
    const waited: number[] = [];
    for (const portal of portals)
      portal.before = async (request) => {
        await pause(HELD_MS);
        waited.push(waitedMs(request));
      };
    const from = Date.now() - 3000;
    for (const said of [`t=${from}`, `t=${(from / 1000).toFixed(3)}`])
      await statusOf('GET', '/login', { 'x-request-start': said });
    expect(waited).toHaveLength(2);
    for (const ms of waited) {
      // By a clock that is read a few times a second.
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(2500);
    }
  });

  describe.each(['POST', 'PUT', 'DELETE'])('a %s', (method) => {
    const change = `${method} /api/user`;

    test('goes to the other process when it could not be sent', async () => {
      const { portals, statusOf, times } = await start();
      portals[0].stop();
      for (const _ of [1, 2, 3]) expect(await statusOf(method, '/api/user')).toBe(200);
      expect(times(change)).toBe(3);
    });

    test('goes to nobody else when it was', async () => {
      const { portals, statusOf, times } = await start();
      for (const portal of portals) portal.before = async ({ socket }) => void socket.destroy();
      expect(await statusOf(method, '/api/user')).toBe(502);
      expect(times(change)).toBe(1);
    });
  });
}
