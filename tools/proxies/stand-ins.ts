import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '#server/testing/ports.ts';

/** Stands for a process of the portal: with one asset, and ready or not. */
async function startPortal(asset: string) {
  const asked: string[] = [];
  const answer: RequestListener = (request, reply) => {
    const { method, url = '' } = request;
    asked.push(`${method} ${url}`);
    const isThere = !url.startsWith('/assets/') || url === asset;
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
    statusOf: async (method: string, at: string, headers = {}) =>
      (await fetch(`http://127.0.0.1:${web}${at}`, { method, headers })).status,
    /** How often the processes were asked for something. */
    times: (what: string) => portals.flatMap(({ asked }) => asked.filter((one) => one === what)).length,
  };
}

type Behind = Awaited<ReturnType<typeof behind>>;

/** Files that one process has, that the other has, and that neither has. */
export async function askForFiles({ statusOf }: Behind) {
  const statuses = [];
  for (const name of ['a', 'a', 'b', 'b', 'c']) statuses.push(await statusOf('GET', `/assets/${name}.js`));
  return statuses;
}

/** Changes while one process is gone: what came of them, and how many arrived. */
export async function changeWithOneGone({ portals, statusOf, times }: Behind, method: string) {
  portals[0].stop();
  const statuses = [];
  for (const _ of [1, 2, 3]) statuses.push(await statusOf(method, '/api/user'));
  return { statuses, arrived: times(`${method} /api/user`) };
}

/** A change that arrives and has no answer. */
export async function changeInVain({ portals, statusOf, times }: Behind, method: string) {
  for (const portal of portals) portal.before = async ({ socket }) => void socket.destroy();
  return { status: await statusOf(method, '/api/user'), arrived: times(`${method} /api/user`) };
}
