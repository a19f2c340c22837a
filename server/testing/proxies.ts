import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitedMs } from '#server/http/admission.ts';
import { freePort } from './ports.ts';

/** A fake process of the portal with one asset, ready or not. */
async function startPortal(asset: string) {
  const requests: string[] = [];
  const answer: RequestListener = (request, reply) => {
    const { method, url = '' } = request;
    requests.push(`${method} ${url}`);
    const isThere = url !== '/nowhere' && (!url.startsWith('/assets/') || url === asset);
    const status = url === '/readyz' && !portal.ready ? 503 : isThere ? 200 : 404;
    void portal.before(request).then(() => reply.writeHead(status).end());
  };
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const portal = {
    port: (server.address() as AddressInfo).port,
    requests,
    ready: true,
    /** Runs before each answer. */
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
    /** How often the processes received a request. */
    times: (what: string) =>
      portals.flatMap(({ requests: all }) => all.filter((request) => request === what)).length,
  };
}

type Behind = Awaited<ReturnType<typeof behind>>;

/**
 * Each fake waits this long after a request arrives; without the proxy's timestamp the measured wait
 * would be zero.
 */
const DELAY_MS = 20;

/** Tests that every proxy has to pass. Each test starts its own proxy. */
export function testProxy(start: () => Promise<Behind>) {
  test('a file that one process lacks is requested from the other', async () => {
    const { statusOf } = await start();
    const statuses = [];
    for (const name of ['a', 'a', 'b', 'b', 'c']) statuses.push(await statusOf('GET', `/assets/${name}.js`));
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
  });

  test('a GET goes to the other process when the first one stops', async () => {
    const { portals, statusOf, times } = await start();
    portals[0].before = async ({ socket }) => void socket.destroy();
    for (const _ of [1, 2, 3]) expect(await statusOf('GET', '/api/user')).toBe(200);
    expect(times('GET /api/user')).toBeGreaterThan(3);
  });

  test.each([
    ['/api/user', true],
    // The callback's code is valid once.
    ['/api/auth/callback/google', false],
  ])('an unanswered GET of %s is sent again: %s', async (path, isSentAgain) => {
    const { portals, statusOf, times } = await start();
    for (const portal of portals) portal.before = async ({ socket }) => void socket.destroy();
    expect(await statusOf('GET', path)).toBe(502);
    expect(times(`GET ${path}`) > 1).toBe(isSentAgain);
  });

  test('a body of tiny chunks arrives in large ones (M12)', async () => {
    const { portals, web } = await start();
    const arrived = Promise.withResolvers<number>();
    for (const portal of portals)
      portal.before = async (request) => {
        if (request.method !== 'POST') return;
        for await (const _ of request);
        arrived.resolve(request.socket.bytesRead);
      };
    const socket = connect(web, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('POST /api/signin HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write(`${'1\r\nx\r\n'.repeat(50_000)}0\r\n\r\n`);
    expect(await arrived.promise).toBeLessThan(60_000);
  });

  test('pipelined requests arrive one after the other (M13)', async () => {
    const { portals, web, times } = await start();
    let [running, most] = [0, 0];
    for (const portal of portals)
      portal.before = async ({ url }) => {
        if (url !== '/api/user') return;
        most = Math.max(most, (running += 1));
        await pause(DELAY_MS);
        running -= 1;
      };
    const socket = connect(web, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET /api/user HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(3));
    await expect.poll(() => times('GET /api/user')).toBe(3);
    expect(most).toBe(1);
  });

  test('a file that is missing everywhere is requested once', async () => {
    const { statusOf, times } = await start();
    expect(await statusOf('GET', '/nowhere')).toBe(404);
    expect(times('GET /nowhere')).toBe(1);
  });

  test('the proxy tells a process how long a request has waited, and a client cannot forge it', async () => {
    const { portals, statusOf } = await start();
    const waited: number[] = [];
    for (const portal of portals)
      portal.before = async (request) => {
        await pause(DELAY_MS);
        // The proxy also asks for /readyz, at any moment.
        if (request.url === '/login') waited.push(waitedMs(request));
      };
    const from = Date.now() - 3000;
    for (const header of [`t=${from}`, `t=${(from / 1000).toFixed(3)}`])
      await statusOf('GET', '/login', { 'x-request-start': header });
    expect(waited).toHaveLength(2);
    for (const ms of waited) {
      // The proxy's clock ticks only a few times per second.
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

    test('is not sent again after it was sent', async () => {
      const { portals, statusOf, times } = await start();
      for (const portal of portals) portal.before = async ({ socket }) => void socket.destroy();
      expect(await statusOf(method, '/api/user')).toBe(502);
      expect(times(change)).toBe(1);
    });
  });
}
