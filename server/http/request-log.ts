import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';
import { clientAddress, proxiesOf } from './client-address.ts';

/** Balancers and monitors ask these every second. */
const probes = new Set(['/healthz', '/readyz']);

/** One log line per request, but for probes that succeed. Without the query of the path, which may contain a digest. */
export function logRequests(app: FastifyInstance, { trustedProxies }: Pick<Config, 'trustedProxies'>): void {
  app.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (status === 200 && probes.has(path)) return;
    const ms = Math.round(elapsedTime);
    request.log.info({ method: request.method, path, status, ms, ip: clientAddress(request) }, 'request');
  });

  const isProxy = proxiesOf(trustedProxies);
  let isTold = false;
  app.addHook('onRequest', async ({ headers, socket: { remoteAddress: peer = '' }, log }) => {
    if (isTold || headers['x-forwarded-for'] === undefined || isProxy(peer)) return;
    isTold = true;
    log.warn({ peer }, 'TRUSTED_PROXIES lacks this peer, so its X-Forwarded-For is ignored');
  });
}
